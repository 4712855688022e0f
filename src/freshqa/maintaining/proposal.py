"""What a refresh finds out about one question, and what it suggests."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from datetime import datetime
from decimal import Decimal
from enum import Enum
from typing import Any

from freshqa.evidence.evidence import Evidence


class Outcome(str, Enum):
    """What re-checking a question came to."""

    unchanged = "unchanged"
    alternative = "alternative"  # the same fact in a new acceptable form
    changed = "changed"
    premise_now_true = "premise-now-true"
    premise_now_false = "premise-now-false"
    insufficient = "insufficient"  # the evidence does not decide
    conflicting = "conflicting"  # the evidence disagrees
    failed = "failed"  # provider or budget; the question stays due


class Action(str, Enum):
    """What is decided on a proposal."""

    accept = "accept"
    edit = "edit"
    reject = "reject"


@dataclass(frozen=True)
class FieldChange:
    """One official column, before and after."""

    old: str
    new: str


@dataclass(frozen=True)
class Proposal:
    """What a refresh suggests for one question.

    Args:
        key: Stable key of the question.
        question: Its wording when it was checked.
        base_revision: Revision hash of the row that was checked; if the row has moved since, the
            proposal is outdated and may not be accepted.
        outcome: What the check came to.
        changes: Official column → old and new text. Empty when only a person can tell
            (`insufficient`), or for `conflicting` the candidate that evidence disagrees on.
        evidence: What was read.
        quotes: Evidence id → the verbatim text that supports the proposed answer.
        risk: Probability that the stored answer is no longer right, 0 to 1.
        confidence: How sure the check is of the proposed answer, 0 to 1.
        flags: Warnings for the reviewer ("injection:override", "single-source").
        reasons: Why, in words, one sentence each.
        suggestions: Column → suggestion that is never applied by itself (question text, fact type).
        raw_response: The model's reply, or the search finding that was taken for an answer.
        stored: The answers in the version that was checked, primary first.
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

    def to_json(self) -> dict[str, Any]:
        """The shape printed by `review show --json`; `id` and decision are the ledger's to add."""
        return {
            "key": self.key,
            "question": self.question,
            "base_revision": self.base_revision,
            "outcome": self.outcome.value,
            "risk": self.risk,
            "confidence": self.confidence,
            "changes": {
                column: {"old": change.old, "new": change.new}
                for column, change in self.changes.items()
            },
            "flags": list(self.flags),
            "reasons": list(self.reasons),
            "suggestions": dict(self.suggestions),
            "evidence": [finding.to_json() for finding in self.evidence],
            "quotes": dict(self.quotes),
            "method": self.method,
            "model": self.model,
            "prompt_hash": self.prompt_hash,
            "raw_response": self.raw_response,
            "cost_usd": str(self.cost_usd),
            "stored": list(self.stored),
        }

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> Proposal:
        """The proposal that `to_json` wrote; keys it does not know are ignored."""
        return cls(
            key=record["key"],
            question=record["question"],
            base_revision=record["base_revision"],
            outcome=Outcome(record["outcome"]),
            changes={c: FieldChange(v["old"], v["new"]) for c, v in record["changes"].items()},
            evidence=tuple(Evidence.from_json(e) for e in record["evidence"]),
            quotes=dict(record["quotes"]),
            risk=record["risk"],
            confidence=record["confidence"],
            flags=tuple(record["flags"]),
            reasons=tuple(record["reasons"]),
            suggestions=dict(record["suggestions"]),
            method=record["method"],
            model=record["model"],
            prompt_hash=record["prompt_hash"],
            raw_response=record["raw_response"],
            cost_usd=Decimal(record["cost_usd"]),
            stored=tuple(record.get("stored", ())),
        )


@dataclass(frozen=True)
class CheckedQuestion:
    """One question of a run: what was found, whatever came of it.

    Args:
        stored: The answers in the version that was checked.
        proposed: The answers suggested instead; empty when nothing is.
        response: The method's whole response ("" when it failed).
        rounds: Every round of the verify-and-revise loop: answer, utilities, feedback, decision.
        proposal: None when nothing has to be decided.
        searches, completions: How many calls were made, reused ones included.
        error: Kind and message of the failure, for outcome `failed`.
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

    def to_json(self) -> dict[str, Any]:
        """The shape printed by `runs show`, with everything that `from_json` needs."""
        return {
            "key": self.key,
            "question": self.question,
            "outcome": self.outcome.value,
            "risk": self.risk,
            "stored": list(self.stored),
            "proposed": list(self.proposed),
            "response": self.response,
            "evidence": [finding.to_json() for finding in self.evidence],
            "rounds": [dict(one) for one in self.rounds],
            "proposal": self.proposal.to_json() if self.proposal else None,
            "searches": self.searches,
            "completions": self.completions,
            "tokens": self.tokens,
            "cost_usd": str(self.cost_usd),
            "seconds": self.seconds,
            "error": self.error,
        }

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> CheckedQuestion:
        """The record that `to_json` wrote; keys it does not know are ignored."""
        known = {f.name: record[f.name] for f in fields(cls) if f.name in record}
        proposal = known.get("proposal")
        return cls(
            **{
                **known,
                "outcome": Outcome(known["outcome"]),
                "stored": tuple(known["stored"]),
                "proposed": tuple(known["proposed"]),
                "evidence": tuple(Evidence.from_json(e) for e in known["evidence"]),
                "rounds": tuple(known["rounds"]),
                "proposal": Proposal.from_json(proposal) if proposal else None,
                "cost_usd": Decimal(known["cost_usd"]),
            }
        )


@dataclass(frozen=True)
class Decision:
    """Who decided what on a proposal, when and why.

    Args:
        proposal: Ledger id of the proposal.
        action: accept, edit or reject.
        by: A person's name, or `policy:assisted`.
        at: When (aware, UTC).
        reason: Why, in words.
        edits: For `edit`: official column → text that replaces the proposed one.
    """

    proposal: int
    action: Action
    by: str
    at: datetime
    reason: str = ""
    edits: Mapping[str, str] = field(default_factory=dict)
