"""What went wrong at a chat completions server, in our words; never with the key in them."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from freshqa.answering.failures import MalformedReply, ModelRefused
from freshqa.errors import (
    ContextOverflow,
    CredentialsError,
    FreshQAError,
    ProviderError,
    ProviderRejected,
    QuotaExhausted,
)

LONGEST_MESSAGE = 300
CONTEXT = re.compile(
    r"context.?(?:length|size|window)|maximum (?:context|prompt|input|sequence)|too many tokens"
    r"|(?:prompt|input|request|message)s? (?:is|are) too (?:long|large)|exceed_context|\bn_ctx\b"
    r"|max_model_len|reduce the length",
    re.IGNORECASE,
)
QUOTA = re.compile(
    r"insufficient_quota|billing|exceeded your current quota|out of credits|credit balance"
    r"|insufficient (?:funds|credits|balance)",
    re.IGNORECASE,
)
FILTER = re.compile(r"content_filter|content management policy|content_policy", re.IGNORECASE)
KEY_LIKE = re.compile(r"\b(?:sk|key|Bearer|api[-_]?key)[-_=: ]+[\w.*-]{8,}", re.IGNORECASE)
UNSAFE = re.compile(r"\s+|[\x00-\x1f\x7f]+")


def failure(error: Exception, *, where: str, secret: str) -> FreshQAError:
    """Our error for what the openai client raised.

    Args:
        where: Model and host, as the message names them.
        secret: The key, taken out of anything that is quoted.
    """
    import openai

    if isinstance(error, FreshQAError):
        return error
    if isinstance(error, openai.APIStatusError):
        said = redact(_said(error), secret)
        return of_status(error.status_code, said, where=where)
    if isinstance(error, openai.APITimeoutError | TimeoutError):
        return ProviderError(f"{where} did not answer in time.", "Try again, or allow more time.")
    if isinstance(error, openai.APIConnectionError):
        cause = type(error.__cause__).__name__ if error.__cause__ else "no connection"
        return ProviderError(f"{where} cannot be reached ({cause}).", "Check its base_url.")
    if isinstance(error, openai.APIError | ValueError | TypeError | KeyError):
        name = type(error).__name__
        return MalformedReply(f"{where} sent no chat completion ({name}).", "Check its base_url.")
    if isinstance(error, openai.OpenAIError):
        return ProviderRejected(f"{where}: {redact(str(error), secret)}", "Check the settings.")
    name = type(error).__name__
    return ProviderError(f"{where}: the connection broke ({name}).", "Try again.")


def of_status(status: int, said: str, *, where: str) -> FreshQAError:
    """Our error for an HTTP status and what the server said with it."""
    message = f"{where} answered {status}: {said}" if said else f"{where} answered {status}."
    if status in (400, 413, 422) and CONTEXT.search(said):
        return ContextOverflow(message, "Use a model with a longer context, or less evidence.")
    if status == 400 and FILTER.search(said):
        return ModelRefused(message, "The prompt was filtered; a person has to look at it.")
    if status in (401, 403):
        return CredentialsError(message, "Check the key, and that it may use this model.")
    if status == 402 or (status in (403, 429) and QUOTA.search(said)):
        return QuotaExhausted(message, "Add credit to the account, or use another model.")
    if status in (408, 409, 425, 429) or status >= 500:
        return ProviderError(message, "Try again later.")
    if status == 404:
        return ProviderRejected(message, "Check the model's name and the base_url.")
    return ProviderRejected(message, "Asking again will not help; see what the server says.")


def redact(text: str, secret: str) -> str:
    """One printable line without the key, of bounded length."""
    text = text.replace(secret, "[key]") if secret else text
    text = UNSAFE.sub(" ", KEY_LIKE.sub("[key]", text)).strip()
    return text if len(text) <= LONGEST_MESSAGE else text[: LONGEST_MESSAGE - 1] + "…"


def _said(error: Any) -> str:
    """Code and message of an error body: nested (OpenAI), flat (vLLM), a string (Ollama), HTML."""
    body = error.body
    if isinstance(body, Mapping):
        inner = body.get("error", body)
        if isinstance(inner, str):
            return inner
        if isinstance(inner, Mapping):
            parts = [inner.get(name) for name in ("code", "type", "message")]
            words = [str(part) for part in parts if part not in (None, "", 400)]
            if words:
                return ": ".join(dict.fromkeys(words))
        return json.dumps(body, ensure_ascii=False, default=str)
    text = str(body or getattr(error.response, "text", "") or "")
    return "an HTML page" if text.lstrip().startswith("<") else text
