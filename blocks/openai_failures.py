"""Turn errors of chat completions servers into errors of this package, without the key."""

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
from prefect_freshqa.blocks.key_redaction import redacted
from prefect_freshqa.blocks.provider_dialects import Meaning, meaning_of, said_by

LONGEST_MESSAGE = 300
UNSAFE = re.compile(r"\s+|[\x00-\x1f\x7f]+")


def failure(error: Exception, *, where: str, secret: str) -> FreshQAError:
    """Return the error of this package for one of the openai client.

    Args:
        where: Model and host, as the message names them.
        secret: The key, taken out of anything that is quoted.
    """
    import openai

    if isinstance(error, FreshQAError):
        return error
    if isinstance(error, openai.APIStatusError):
        return of_status(error.status_code, said_in(error), where=where, secret=secret)
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
    return ProviderError(f"{where}: the connection was lost ({name}).", "Try again.")


CHECK_KEY = "Check the key, and that it may use this model."
MEANINGS: Mapping[Meaning, tuple[type[FreshQAError], str]] = {
    Meaning.overflow: (ContextOverflow, "Use a model with a longer context, or less evidence."),
    Meaning.limit: (ProviderError, "Try again later."),
    Meaning.quota: (QuotaExhausted, "Add credit to the account, or use another model."),
    Meaning.moderation: (ModelRefused, "The prompt was filtered; a person has to look at it."),
    Meaning.role: (ProviderRejected, "Use a model that accepts a system message."),
    Meaning.model: (ProviderRejected, "Check the model's name and the base_url."),
    Meaning.address: (ProviderRejected, "Check the base_url; most servers need /v1 at its end."),
    Meaning.key: (CredentialsError, CHECK_KEY),
    Meaning.passing: (ProviderError, "Try again later."),
    Meaning.other: (
        ProviderRejected,
        "Repeating the request will not help; see the message of the server.",
    ),
}


def of_status(status: int | None, said: str, *, where: str, secret: str = "") -> FreshQAError:
    """Return the error for an HTTP status and the text of the server.

    Args:
        status: None for an error without a status in the body of a successful response.
    """
    shown = redact(said, secret)
    answered = f"{where} returned {'an error' if status is None else f'HTTP status {status}'}"
    message = f"{answered}: {shown}" if shown else f"{answered}."
    kind, remedy = MEANINGS[meaning_of(500 if status is None else status, said)]
    return kind(message, remedy)


def redact(text: str, secret: str) -> str:
    """Return one printable line without the key, of bounded length."""
    text = UNSAFE.sub(" ", redacted(text, secret)).strip()
    return text if len(text) <= LONGEST_MESSAGE else text[: LONGEST_MESSAGE - 1] + "…"


def said_in(error: Any) -> str:
    """Return the text of an error response, whatever its shape, or that it is HTML."""
    body = error.body
    if isinstance(body, Mapping | list):
        # The client passes on only what is under `error`; details may be beside it.
        whole = _json(getattr(getattr(error, "response", None), "text", ""))
        return said_by(whole if whole is not None else body)
    text = str(body or getattr(getattr(error, "response", None), "text", "") or "")
    return "an HTML page" if text.lstrip().startswith("<") else text


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None
