"""Failures as HTTP answers."""

from __future__ import annotations

from typing import Any

from freshqa.errors import ErrorKind, FreshQAError

STATUS = {
    ErrorKind.usage: 400,
    ErrorKind.not_found: 404,
    ErrorKind.conflict: 409,
    ErrorKind.nothing_to_do: 409,
    ErrorKind.bad_data: 422,
    ErrorKind.not_a_release: 422,
    ErrorKind.refused: 422,
    ErrorKind.credentials: 403,
    ErrorKind.store: 503,
    ErrorKind.provider: 503,
}


def status_of(failure: FreshQAError) -> int:
    """HTTP status of a failure."""
    return STATUS.get(failure.kind, 500)


def described(failure: FreshQAError) -> dict[str, Any]:
    """Return the JSON of a failure, in the shape of the command line."""
    kind, message = failure.kind.value, failure.message
    return {"error": {"kind": kind, "message": message, "remedy": failure.remedy}}
