"""The result of checking one question, and the changes it suggests."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import date
from decimal import Decimal
from enum import Enum
from typing import Annotated, Any

from pydantic import Field

from freshqa.checking.candidate import Candidate
from freshqa.dataset.question import FactType
from freshqa.errors import ErrorKind
from freshqa.evidence.evidence import Evidence
from freshqa.json_record import JsonRecord, Moment, from_record


class Outcome(str, Enum):
    """The result of re-checking a question."""

    unchanged = "unchanged"
    alternative = "alternative"  # the same fact in a new acceptable form
    changed = "changed"
    premise_now_true = "premise-now-true"
    premise_now_false = "premise-now-false"
    insufficient = "insufficient"  # the evidence does not decide
    conflicting = "conflicting"  # the evidence disagrees
    failed = "failed"  # provider or budget; the question stays due
    reported = "reported"  # a reader says that the answer is wrong; nothing was checked


class Action(str, Enum):
    """The decision on a proposal."""

    accept = "accept"
    edit = "edit"
    reject = "reject"
    keep = "keep"  # the stored answer is confirmed; its edits hold what else changes, such as the review date


@dataclass(frozen=True)
class FieldChange:
    """One official column, before and after."""

    old: str
    new: str


@dataclass(frozen=True)
class Proposal(JsonRecord):
    """The suggestion of a refresh for one question.

    Args:
        key: Stable key of the question.
        question: Its wording when it was checked.
        base_revision: Revision hash of the row that was checked; if the row has moved since, the
            proposal is outdated and may not be accepted.
        changes: Official column → old and new text; for `conflicting`, the answer that evidence
            disagrees on. Empty when only a person can tell (`insufficient`).
        quotes: Evidence id → the verbatim text that supports the proposed answer.
        risk: Probability that the stored answer is no longer right, 0 to 1.
        confidence: How sure the check is of the proposed answer, 0 to 1.
        flags: Warnings for the reviewer ("injection:override", "single-source").
        reasons: Why, in words, one sentence each.
        suggestions: Column → suggestion in words (question text, fact type).
        suggested_values: Column → its text, applied only with a person's `--with-suggestions`.
        candidates: Other answers that the evidence names; a reviewer picks one by number, from 1.
        raw_response: The model's reply, or the search finding that was taken for an answer.
        stored: The answers in the version that was checked, primary first.
        as_of: Day that the question was checked for; the ledger fills it in from the run.
    """

    key: str
    question: str
    base_revision: str
    outcome: Outcome
    changes: Mapping[str, FieldChange] = field(default_factory=dict)
    evidence: tuple[Evidence, ...] = ()
    quotes: Mapping[str, str] = field(default_factory=dict)
    risk: float = 0.0
    confidence: float = 0.0
    flags: tuple[str, ...] = ()
    reasons: tuple[str, ...] = ()
    suggestions: Mapping[str, str] = field(default_factory=dict)
    method: str = ""
    model: str = ""
    prompt_hash: str = ""
    raw_response: str = ""
    cost_usd: Decimal = Decimal(0)
    stored: tuple[str, ...] = ()
    suggested_values: Mapping[str, str] = field(default_factory=dict)
    candidates: tuple[Candidate, ...] = ()
    as_of: date | None = None

    def checked_on(self, decision: Decision) -> date:
        """The day from which review date and year count: that of the check, where it is known."""
        return self.as_of or decision.at.date()

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> Proposal:
        """Return the proposal that `to_json` wrote; unknown keys are ignored."""
        values = _values_of(record["suggestions"])
        return from_record(cls, {"suggested_values": values, **record})


def _values_of(suggestions: Mapping[str, str]) -> Mapping[str, str]:
    """The value in suggestions of earlier releases, which were words alone ("slow-changing? …")."""
    value = suggestions.get("fact_type", "").partition("?")[0]
    return {"fact_type": value} if value in [known.value for known in FactType] else {}


@dataclass(frozen=True)
class CheckedQuestion(JsonRecord):
    """One checked question of a run, whatever its outcome.

    Args:
        stored: The answers in the version that was checked.
        proposed: The answers suggested instead; empty when nothing is.
        response: The method's whole response ("" when it failed).
        rounds: Every round of the verify-and-revise loop: answer, utilities, feedback, decision.
        proposal: None when nothing has to be decided.
        searches, completions: Number of calls, reused ones included.
        error: Kind and message of the failure, for outcome `failed`.
        error_kind: Its kind alone; None without a failure, and in records of earlier releases.
    """

    key: str
    question: str
    outcome: Outcome
    risk: float
    stored: tuple[str, ...]
    proposed: tuple[str, ...] = ()
    response: str = ""
    evidence: tuple[Evidence, ...] = ()
    rounds: tuple[Mapping[str, Any], ...] = ()
    proposal: Proposal | None = None
    searches: int = 0
    completions: int = 0
    tokens: int = 0
    cost_usd: Decimal = Decimal(0)
    seconds: float = 0.0
    error: str = ""
    error_kind: ErrorKind | None = None

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> CheckedQuestion:
        """Return the record that `to_json` wrote; keys it does not know are ignored."""
        proposal = record.get("proposal")
        checked = from_record(cls, {**record, "proposal": None})
        return replace(checked, proposal=Proposal.from_json(proposal) if proposal else None)


@dataclass(frozen=True)
class Decision(JsonRecord):
    """A decision on a proposal: by whom, when and why.

    Args:
        proposal: Ledger id of the proposal.
        action: accept, edit, reject or keep.
        by: A person's name, or `policy:assisted`.
        at: When (aware, UTC).
        edits: Official column → text that replaces the proposed one. `keep` writes these alone.
    """

    proposal: Annotated[int, Field(exclude=True)]
    action: Action
    by: str
    at: Moment
    reason: str = ""
    edits: Mapping[str, str] = field(default_factory=dict)
