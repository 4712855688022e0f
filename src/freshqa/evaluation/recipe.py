"""Identity of a way of asking: a certificate counts only for the prompts it was earned with."""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict
from datetime import date

from freshqa.answering.demonstrations import demonstrations
from freshqa.answering.prompt import chat, prompt_text
from freshqa.answering.settings import AnswerSettings

_ANY_DAY = date(2000, 1, 1)


def recipe_hash(method: str, settings: AnswerSettings) -> str:
    """Hash of method, settings and the prompt they give for an empty question on a fixed day."""
    text = prompt_text("", (), as_of=_ANY_DAY, demonstrations=demonstrations(), settings=settings)
    turns = [[m.role, m.content] for m in chat(text, as_of=_ANY_DAY, settings=settings)]
    identity = json.dumps([method, asdict(settings), turns], default=str, sort_keys=True)
    return hashlib.sha256(identity.encode("utf-8")).hexdigest()
