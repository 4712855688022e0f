"""A language model that replies from a script and records its requests."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timezone
from typing import Any

from freshqa.answering.language_model import Completion, Message, Usage, prompt_hash


class ScriptedModel:
    name = "scripted"

    def __init__(self, reply: Callable[[Sequence[Message]], str]) -> None:
        self.reply = reply
        self.asked: list[Sequence[Message]] = []

    def complete(
        self,
        messages: Sequence[Message],
        *,
        question: str = "",
        max_tokens: int = 1024,
        temperature: float = 0.0,
        schema: Mapping[str, Any] | None = None,
    ) -> Completion:
        self.asked.append(messages)
        return Completion(
            text=self.reply(messages),
            model="scripted-1",
            prompt_hash=prompt_hash(messages),
            completed_at=datetime(2024, 3, 13, tzinfo=timezone.utc),
            usage=Usage(100, 10),
        )
