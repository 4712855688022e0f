"""Read a chat completions reply: text, tokens, and the reason if it is unusable."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from freshqa.answering.failures import (
    RAISE_LIMIT,
    EmptyReply,
    MalformedReply,
    ModelRefused,
    ReplyCutShort,
)
from freshqa.answering.language_model import Usage
from freshqa.answering.reasoning import without_thinking
from freshqa.errors import FreshQAError, ProviderError
from prefect_freshqa.blocks.finish_reasons import Ending, ending
from prefect_freshqa.blocks.openai_failures import of_status, redact
from prefect_freshqa.blocks.provider_dialects import said_by

TEXT_PARTS = ("text", "output_text")
"""Types of the parts of a message that are its text."""
REASONING_FIELDS = ("reasoning_content", "reasoning")
ONLY_REASONING = "Turn off the server's reasoning parser, or the model's reasoning."


def unusable(body: Mapping[str, Any], *, where: str, secret: str) -> FreshQAError | None:
    """Return why a reply cannot be used, by name; None when its text is complete.

    A reply that only its token limit cut is given back: its finish reason says so.
    """
    if body.get("error") and not body.get("choices"):
        inner = body["error"]
        status = inner.get("code") if isinstance(inner, Mapping) else None
        status = status if isinstance(status, int) and status >= 400 else None
        return of_status(status, said_by(inner), where=where, secret=secret)
    choices = body.get("choices")
    if not isinstance(choices, list) or not choices or not isinstance(choices[0], Mapping):
        return EmptyReply(f"{where} sent a reply without choices.", "Try again later.")
    choice, message = choices[0], choices[0].get("message")
    if not isinstance(message, Mapping):
        return MalformedReply(f"{where} sent a choice without a message.", "Check its base_url.")
    if message.get("refusal"):
        return ModelRefused(f"{where} refuses: {redact(str(message['refusal']), secret)}")
    end = Ending.failed if body.get("error") else ending(choice)
    text = without_thinking(text_of(message))
    error = _by_ending(end, text, choice.get("finish_reason"), where=where)
    field = next((name for name in REASONING_FIELDS if message.get(name)), "")
    if isinstance(error, EmptyReply) and field:
        return EmptyReply(f"{where} sent text only in {field}, none in content.", ONLY_REASONING)
    return error


def _by_ending(end: Ending, text: str, reason: Any, *, where: str) -> FreshQAError | None:
    if end is Ending.failed:
        problem = f"{where} broke off its reply (finish_reason {reason})."
        return ProviderError(problem, "Try again later.")
    if end is Ending.filtered:
        problem = f"{where}: the reply was filtered (finish_reason {reason})."
        return ModelRefused(problem, "A person has to answer this question.")
    if text:
        return None
    if end is Ending.cut:
        return ReplyCutShort(f"{where} used up its tokens before it wrote an answer.", RAISE_LIMIT)
    return EmptyReply(f"{where} sent an empty reply ({reason}).", "Try again later.")


def text_of(message: Mapping[str, Any]) -> str:
    """Return the text of a message, whether it is written as a string or in parts.

    Parts of reasoning (Mistral's `thinking`, Anthropic's and OpenRouter's `reasoning`) are left
    out.
    """
    content = message.get("content")
    if isinstance(content, list):
        parts = [
            part.get("text")
            for part in content
            if isinstance(part, Mapping) and part.get("type", "text") in TEXT_PARTS
        ]
        return "".join(part for part in parts if isinstance(part, str))
    return content if isinstance(content, str) else ""


def usage_of(body: Mapping[str, Any]) -> Usage:
    """Tokens as counted by the server; 0 if it does not report them."""
    said = body.get("usage")
    counts = said if isinstance(said, Mapping) else {}

    def count(name: str) -> int:
        value = counts.get(name)
        return value if isinstance(value, int) and value > 0 else 0

    return Usage(count("prompt_tokens"), count("completion_tokens"))
