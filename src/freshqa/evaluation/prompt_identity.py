"""The identity of a prompt: a certificate is valid only for the prompts it was issued for."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict
from datetime import date
from typing import Any

from freshqa.answering.baselines import CLOSED_BOOK, closed_book_prompt
from freshqa.answering.default_prompt import findings_chat
from freshqa.answering.demonstrations import demonstrations
from freshqa.answering.documents_prompt import (
    WORDINGS,
    Instruction,
    Style,
    reading_messages,
)
from freshqa.answering.paper_prompt import chat, prompt_text
from freshqa.answering.self_ask_prompt import self_ask_prompt
from freshqa.answering.settings import AnswerSettings

_ANY_DAY = date(2000, 1, 1)
_LATER = ("snippets_only", "examples", "instruction", "fields", "order", "dated")


def recipe_hash(method: str, settings: AnswerSettings) -> str:
    """Hash of method, settings and the prompts they give for an empty question on a fixed day."""
    shown = settings.examples.demonstrations if settings.examples else demonstrations()
    text = prompt_text("", (), as_of=_ANY_DAY, demonstrations=shown, settings=settings)
    messages = [
        *chat(text, as_of=_ANY_DAY, settings=settings),
        *self_ask_prompt("", "", as_of=_ANY_DAY, settings=settings),
    ]
    if settings.fields:
        shown = settings.shown_to("")
        messages += findings_chat("", (), as_of=_ANY_DAY, demonstrations=shown, settings=settings)
    turns = [[message.role, message.content] for message in messages]
    if method in CLOSED_BOOK:
        asked = closed_book_prompt("", method=method, as_of=_ANY_DAY, settings=settings)
        turns = [[message.role, message.content] for message in asked]
    identity = json.dumps([method, _told(settings), turns], default=str, sort_keys=True)
    return hashlib.sha256(identity.encode("utf-8")).hexdigest()


def _told(settings: AnswerSettings) -> dict[str, Any]:
    """The settings as JSON; switches that came later count only when used, so that certificates of
    earlier recipes stay valid."""
    told = asdict(settings)
    del told["profile"]["mirrors"]  # excluded pages are not part of the prompt
    if not settings.profile.chains:
        del told["profile"]["chains"]
    return {name: value for name, value in told.items() if value or name not in _LATER}


def rgb_recipe_hash(style: Style, instruction: Instruction | None = None) -> str:
    """Hash of the prompts of RGB's setting in every language; no method of a refresh has it."""
    turns = [
        [
            [message.role, message.content]
            for message in reading_messages(
                "", ("",), language=language, style=style, instruction=instruction
            )
        ]
        for language in (instruction.texts if instruction else WORDINGS)
    ]
    identity = json.dumps(["rgb", turns], sort_keys=True)
    return hashlib.sha256(identity.encode("utf-8")).hexdigest()
