"""Identity of a way of asking: a certificate counts only for the prompts it was earned with."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict
from datetime import date

from freshqa.answering.demonstrations import demonstrations
from freshqa.answering.prompt import chat, prompt_text
from freshqa.answering.self_ask_prompt import self_ask_prompt
from freshqa.answering.settings import AnswerSettings
from freshqa.evaluation.rgb.prompts import WORDINGS, Style, reading_messages

_ANY_DAY = date(2000, 1, 1)


def recipe_hash(method: str, settings: AnswerSettings) -> str:
    """Hash of method, settings and the prompts they give for an empty question on a fixed day."""
    text = prompt_text("", (), as_of=_ANY_DAY, demonstrations=demonstrations(), settings=settings)
    messages = [
        *chat(text, as_of=_ANY_DAY, settings=settings),
        *self_ask_prompt("", "", as_of=_ANY_DAY, settings=settings),
    ]
    turns = [[message.role, message.content] for message in messages]
    identity = json.dumps([method, asdict(settings), turns], default=str, sort_keys=True)
    return hashlib.sha256(identity.encode("utf-8")).hexdigest()


def rgb_recipe_hash(style: Style) -> str:
    """Hash of RGB's own prompts in every language; no method of a refresh has it."""
    turns = [
        [[m.role, m.content] for m in reading_messages("", ("",), language=language, style=style)]
        for language in WORDINGS
    ]
    identity = json.dumps(["rgb", turns], sort_keys=True)
    return hashlib.sha256(identity.encode("utf-8")).hexdigest()
