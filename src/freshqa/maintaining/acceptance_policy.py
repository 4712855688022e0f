"""Which proposals a policy may decide without a person, and why."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from freshqa.dataset.question import FactType, Question
from freshqa.errors import UsageError
from freshqa.maintaining.certify import AcceptanceBound, audited, eligible, invalid
from freshqa.maintaining.flags import Blocks, blocking
from freshqa.maintaining.proposal import Action, Outcome, Proposal

POLICIES = ("hold", "assisted", "certified")
_ASSISTED = {
    Outcome.unchanged: frozenset({"next_review"}),
    Outcome.alternative: frozenset({"next_review", *(f"answer_{slot}" for slot in range(1, 10))}),
}
"""Outcome → columns that `assisted` may change."""
AUTOMATIC_BELOW = 0.05
"""Risk from which not even an unchanged fact is accepted without a person: of 784 real rows below it
4 had changed, and a wrong acceptance pushes the next review away."""


@dataclass(frozen=True)
class PolicyDecision:
    """The decision of a policy on a proposal.

    Args:
        action: `accept`, or None: a person has to decide.
    """

    action: Action | None
    reason: str


def decide_by_policy(
    proposal: Proposal,
    question: Question,
    *,
    policy: str,
    certificate: AcceptanceBound | None = None,
    now: datetime,
) -> PolicyDecision:
    """Decide a proposal by policy.

    Args:
        question: The stored row it is about.
        policy: `hold`, `assisted` or `certified`.
        certificate: Bound on the error of automatic acceptance, for `certified`.
        now: When (aware, UTC); an expired certificate counts as none.

    Raises:
        UsageError: unknown policy.
    """
    if policy not in POLICIES:
        raise UsageError(f"Unknown policy {policy!r}.", f"Use one of: {', '.join(POLICIES)}.")
    if policy == "hold":
        return PolicyDecision(None, "Policy hold: a person decides.")
    refusal = never_automatic(proposal, question)
    if refusal:
        return PolicyDecision(None, refusal)
    allowed = _ASSISTED.get(proposal.outcome)
    if allowed is not None and set(proposal.changes) <= allowed:
        if proposal.risk >= AUTOMATIC_BELOW:
            return PolicyDecision(None, f"Risk {proposal.risk:.2f}: a person decides.")
        return PolicyDecision(
            Action.accept, f"Outcome {proposal.outcome.value}: the fact has not changed."
        )
    if policy == "assisted":
        return PolicyDecision(None, f"Outcome {proposal.outcome.value}: a person decides.")
    return _by_certificate(proposal, certificate, now)


def _by_certificate(
    proposal: Proposal, certificate: AcceptanceBound | None, now: datetime
) -> PolicyDecision:
    refusal = eligible(proposal)
    if not refusal and certificate is None:
        refusal = "There is no certificate: a person decides."
    if not refusal and certificate is not None:
        refusal = invalid(certificate, proposal, now=now)
    if refusal or certificate is None:
        return PolicyDecision(None, refusal)
    if audited(proposal):
        return PolicyDecision(None, "Held back as one of the audited acceptances.")
    reason = f"Certified: error at most {certificate.bound:.1%} (alpha {certificate.alpha:.0%})."
    return PolicyDecision(Action.accept, reason)


def never_automatic(proposal: Proposal, question: Question) -> str:
    """Return why no policy may decide this proposal, or "" when one may."""
    if proposal.base_revision != question.revision_hash:
        return "The row has changed since it was checked."
    if proposal.outcome in (Outcome.premise_now_true, Outcome.premise_now_false):
        return "A premise flips: a person decides."
    if proposal.outcome is Outcome.reported:
        return "A reader reports it: a person decides."
    flags = blocking(proposal.flags, Blocks.every_policy)
    if flags:
        return f"Flagged {', '.join(sorted(flags))}: a person decides."
    if proposal.suggestions:
        return "A suggestion comes with it that only a person can weigh."
    touched = set(proposal.changes)
    if touched & {"fact_type", "num_hops", "false_premise", "question", "split"}:
        return "Classification or wording changes: a person decides."
    if question.fact_type == FactType.never_changing.value and touched - {"next_review"}:
        return "A never-changing question changes: a person decides."
    return ""
