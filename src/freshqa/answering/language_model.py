"""The protocol of a language model, and the records of its calls."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from decimal import Decimal
from typing import Any, Protocol

from freshqa.last_call import remembering_last


@dataclass(frozen=True)
class Message:
    """One turn of a chat: role is `system`, `user` or `assistant`."""

    role: str
    content: str


@dataclass(frozen=True)
class Usage:
    """Tokens read and written; 0 where the server does not say."""

    prompt_tokens: int = 0
    completion_tokens: int = 0

    @property
    def total(self) -> int:
        """All tokens of the call."""
        return self.prompt_tokens + self.completion_tokens

    def __add__(self, other: Usage) -> Usage:
        return Usage(
            self.prompt_tokens + other.prompt_tokens,
            self.completion_tokens + other.completion_tokens,
        )


@dataclass(frozen=True)
class Completion:
    """One reply of a language model, kept whole.

    Args:
        text: The reply, never empty (an empty reply is an error with a name).
        model: Name of the model that replied.
        prompt_hash: `prompt_hash` of the messages sent.
        completed_at: When it was answered (aware, UTC).
        raw: The response body as parsed JSON.
        finish_reason: `stop`, or `length` when the token limit cut the reply.
        reused: True when it came from the ledger or a recording.
    """

    text: str
    model: str
    prompt_hash: str
    completed_at: datetime
    usage: Usage = Usage()
    cost_usd: Decimal = Decimal(0)
    seconds: float = 0.0
    finish_reason: str = "stop"
    raw: Mapping[str, Any] = field(default_factory=dict)
    reused: bool = False

    @property
    def cut(self) -> bool:
        """True when the reply ends where its token limit was reached."""
        return self.finish_reason == "length"


class LanguageModel(Protocol):
    """Anything that completes a chat; thread-safe."""

    name: str

    def complete(
        self,
        messages: Sequence[Message],
        *,
        question: str = "",
        max_tokens: int = 1024,
        temperature: float = 0.0,
        schema: Mapping[str, Any] | None = None,
    ) -> Completion:
        """Complete once. `question` is what recordings are keyed by; it is not sent.

        `schema` asks for JSON of that shape. Servers may ignore it, and many do: read the reply
        with `freshqa.answering.find_json.read_json`.

        Raises:
            ContextOverflow: the prompt is too long; shorten the evidence and ask again.
            ProviderError: another try may help.
            ProviderRejected, QuotaExhausted, CredentialsError: it will not.
            NotFound: a recording holds neither this prompt nor this question.
        """
        ...


@remembering_last
def prompt_hash(messages: Sequence[Message]) -> str:
    """Return the identity of a prompt: canonical JSON of its turns, SHA-256 in hex."""
    turns = [[message.role, message.content] for message in messages]
    text = json.dumps(turns, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
