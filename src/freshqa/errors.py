"""The exceptions of the package: a message, a remedy, a reason code, and whether to retry.

FreshQAError
├── UsageError           wrong arguments
├── NotFound             an unknown file, version, question, proposal or block
├── NotARelease          a file without FreshQA rows
├── BadData              a file, cell or record that cannot be used
├── Conflict             another person or process published or decided first
├── NothingToDo          there is no work
├── Refused              validation, a certificate or a policy refuses
├── StoreError           the database is unavailable or not migrated
├── ProviderError        a provider failed; retrying may help
├── ProviderRejected     a provider refused the request; retrying does not help
├── QuotaExhausted       the provider's account is exhausted
├── CredentialsError     a key is missing or wrong
├── BudgetExhausted      our own limit is reached
├── RunFailed            a run checked too little; it carries the figures
└── ContextOverflow      the prompt exceeds the context of the model
"""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from enum import Enum
from typing import Any


class ErrorKind(str, Enum):
    """Reason codes, as printed in `{"error": {"kind": ...}}`."""

    usage = "usage"  # wrong arguments
    not_found = "not-found"  # no such file, version, question, proposal, block
    not_a_release = "not-a-release"  # a file that holds no FreshQA rows
    bad_data = "bad-data"  # a cell, row or record that cannot be used
    conflict = "conflict"  # another person or process published or decided first
    nothing_to_do = "nothing-to-do"
    refused = "refused"  # validation, a certificate or a policy refuses
    store = "store"  # the database is unavailable or not migrated
    provider = "provider"  # a search engine or model failed; retrying may help
    quota = "quota"  # the provider's account is exhausted
    credentials = "credentials"  # missing or wrong key
    budget = "budget"  # our own limit is reached
    internal = "internal"


class FreshQAError(Exception):
    """A failure that a person can act on.

    Args:
        message: One line that says what is wrong, with file, row and column if there are any.
        remedy: One line that says what to do.
        kind: The reason code.

    The exception can be pickled, so it may cross task and process boundaries.
    """

    kind: ErrorKind = ErrorKind.internal
    retryable: bool = False
    tokens: int = 0
    cost_usd: Decimal = Decimal(0)
    """Cost of the failed calls: an unusable reply is paid for, too."""

    def __init__(self, message: str, remedy: str = "", kind: ErrorKind | None = None) -> None:
        super().__init__(message, remedy, kind)
        self.message = message
        self.remedy = remedy
        if kind is not None:
            self.kind = kind

    def __str__(self) -> str:
        return f"{self.message} {self.remedy}".strip()


class UsageError(FreshQAError):
    """Arguments are invalid, or invalid together."""

    kind = ErrorKind.usage


class NotFound(FreshQAError):
    """A file, version, question, proposal or block does not exist."""

    kind = ErrorKind.not_found


class NotARelease(FreshQAError):
    """A file does not contain FreshQA rows."""

    kind = ErrorKind.not_a_release


class BadData(FreshQAError):
    """A file, cell or record cannot be used; nothing of the file was used."""

    kind = ErrorKind.bad_data


class Conflict(FreshQAError):
    """Another person or process published or decided first; nothing was overwritten."""

    kind = ErrorKind.conflict


class NothingToDo(FreshQAError):
    """There is nothing to do."""

    kind = ErrorKind.nothing_to_do


class Refused(FreshQAError):
    """Validation, a certificate or a policy refuses; the draft is kept."""

    kind = ErrorKind.refused


class StoreError(FreshQAError):
    """The database is unavailable, or its schema is not the one that this release needs."""

    kind = ErrorKind.store


class ProviderError(FreshQAError):
    """A search engine or language model failed; retrying may help."""

    kind = ErrorKind.provider
    retryable = True


class ProviderRejected(FreshQAError):
    """A search engine or language model refused the request; retrying does not help."""

    kind = ErrorKind.provider


class QuotaExhausted(FreshQAError):
    """The quota of the provider's account is exhausted."""

    kind = ErrorKind.quota


class CredentialsError(FreshQAError):
    """A key is missing or wrong."""

    kind = ErrorKind.credentials


class BudgetExhausted(FreshQAError):
    """A budget of searches, tokens or money is exhausted; the remaining questions stay due."""

    kind = ErrorKind.budget


class ContextOverflow(FreshQAError):
    """The prompt exceeds the context of the model; with less evidence it may fit."""

    kind = ErrorKind.provider


class RunFailed(FreshQAError):
    """A run that ended without having done most of its work; `summary` holds its figures."""

    kind = ErrorKind.provider
    summary: Mapping[str, Any] = {}
