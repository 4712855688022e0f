"""Reasons why a reply ended, as each provider names them."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import Any


class Ending(str, Enum):
    """The ways in which a reply ends."""

    whole = "stop"
    cut = "length"  # the token limit was reached
    filtered = "content_filter"  # a filter took the rest
    failed = "error"  # the provider broke off; another try may help


_WORDS: Mapping[Ending, tuple[str, ...]] = {
    Ending.cut: (
        "length",
        "max_tokens",  # Anthropic, Gemini, Cohere
        "max_output_tokens",
        "max_completion_tokens",
        "model_length",  # Mistral
        "model_context_window_exceeded",  # Anthropic, Z.ai
        "context_length_exceeded",
        "error_limit",  # Cohere
        "token_limit",
        "limit",  # llama.cpp's own endpoint
    ),
    Ending.filtered: (
        "content_filter",
        "content_filtered",
        "safety",  # Gemini, here and below
        "recitation",
        "blocklist",
        "prohibited_content",
        "spii",
        "language",
        "refusal",  # Anthropic
        "sensitive",  # Z.ai
        "blacklist",  # GigaChat
        "error_toxic",  # Cohere
        "guardrail_intervened",  # Bedrock
        "moderation",
    ),
    Ending.failed: (
        "error",  # OpenRouter, Cohere, GigaChat
        "network_error",  # Z.ai
        "insufficient_system_resource",  # DeepSeek
        "abort",  # vLLM, SGLang
        "aborted",
        "cancelled",
        "canceled",
        "timeout",
        "user_cancel",
        "malformed_function_call",  # Gemini, here and below
        "malformed_response",
        "unexpected_tool_call",
        "other",
    ),
}
ENDINGS: Mapping[str, Ending] = {word: end for end, words in _WORDS.items() for word in words}


def ending(choice: Mapping[str, Any]) -> Ending:
    """How the reply in a choice ended; `whole` where the server does not say, or in unknown words.

    An error beside the text counts as broken off, whatever the reason says.
    """
    if choice.get("error"):
        return Ending.failed
    said = str(choice.get("finish_reason") or "").rsplit(".", 1)[-1].strip().casefold()
    return ENDINGS.get(said, Ending.whole)
