"""Every failure has a closed kind, one clear line, and a remedy; its type says whether to retry."""

from __future__ import annotations

from decimal import Decimal
from enum import Enum


class ErrorKind(str, Enum):
    """Closed list of reasons, as printed in `{"error": {"kind": ...}}`."""

    usage = "usage"  # wrong arguments
    not_found = "not-found"  # no such file, version, question, proposal, block
    not_a_release = "not-a-release"  # a file that holds no FreshQA rows
    bad_data = "bad-data"  # a cell, row or record that cannot be used
    conflict = "conflict"  # somebody else published or decided first
    nothing_to_do = "nothing-to-do"
    refused = "refused"  # validation, certificate or policy says no
    store = "store"  # the database does not answer or is not migrated
    provider = "provider"  # a search engine or model failed; worth another try
    quota = "quota"  # the provider says: no more for this account
    credentials = "credentials"  # missing or wrong key
    budget = "budget"  # our own limit is reached
    internal = "internal"


class FreshQAError(Exception):
    """A failure a person can act on.

    Args:
        message: One line: what went wrong, naming file, row and column where there are any.
        remedy: One line: what to do about it.
        kind: The reason code.

    The exception survives pickling, so it may leave a task and a process.
    """

    kind: ErrorKind = ErrorKind.internal
    retryable: bool = False
    tokens: int = 0
    cost_usd: Decimal = Decimal(0)
    """What failed calls cost all the same: a reply that cannot be used is paid for."""

    def __init__(self, message: str, remedy: str = "", kind: ErrorKind | None = None) -> None:
        super().__init__(message, remedy, kind)
        self.message = message
        self.remedy = remedy
        if kind is not None:
            self.kind = kind

    def __str__(self) -> str:
        return f"{self.message} {self.remedy}".strip()


class UsageError(FreshQAError):
    """Arguments that make no sense together."""

    kind = ErrorKind.usage


class NotFound(FreshQAError):
    """Something was named that does not exist."""

    kind = ErrorKind.not_found


class NotARelease(FreshQAError):
    """A file that holds no FreshQA rows."""

    kind = ErrorKind.not_a_release


class BadData(FreshQAError):
    """A file, cell or record that cannot be used; nothing of it was."""

    kind = ErrorKind.bad_data


class Conflict(FreshQAError):
    """Somebody else published or decided first; nothing was overwritten."""

    kind = ErrorKind.conflict


class NothingToDo(FreshQAError):
    """There was no work."""

    kind = ErrorKind.nothing_to_do


class Refused(FreshQAError):
    """Validation, a certificate or a policy says no; the draft is kept."""

    kind = ErrorKind.refused


class StoreError(FreshQAError):
    """The database does not answer, or its schema is not the one this code needs."""

    kind = ErrorKind.store


class ProviderError(FreshQAError):
    """A search engine or language model failed in a way that another try may mend."""

    kind = ErrorKind.provider
    retryable = True


class ProviderRejected(FreshQAError):
    """A search engine or language model refused the request; asking again will not help."""

    kind = ErrorKind.provider


class QuotaExhausted(FreshQAError):
    """The provider's account has nothing left."""

    kind = ErrorKind.quota


class CredentialsError(FreshQAError):
    """A key is missing or wrong."""

    kind = ErrorKind.credentials


class BudgetExhausted(FreshQAError):
    """Our own limit of searches, tokens or money is reached; what is left stays due."""

    kind = ErrorKind.budget


class ContextOverflow(FreshQAError):
    """The prompt is longer than the model reads; with less evidence it may fit."""

    kind = ErrorKind.provider
