"""A bound on the error of accepting answer changes without a person.

Calibration (Learn-then-Test): levels of coverage are fixed beforehand, each is tested on reviewed
decisions with an exact binomial bound at its share of the error probability, and the loosest level
that passes is certified. The guarantee needs exchangeable questions; news shifts break that, so a
certificate expires, holds for one scorer only, and is disabled when audited acceptances go wrong.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from importlib.resources import files

from freshqa.defaults import CERTIFICATE_DAYS
from freshqa.errors import Refused
from freshqa.json_record import JsonRecord, Moment
from freshqa.maintaining.binomial import lower_bound, upper_bound
from freshqa.maintaining.flags import Blocks, blocking
from freshqa.maintaining.proposal import Action, Decision, Outcome, Proposal

LEVELS = (1.0, 0.9, 0.75, 0.5, 0.25, 0.1)
"""Shares of the eligible proposals that may be accepted automatically, loosest first."""
AUDIT_SHARE = 0.05
SCORER_VERSION = 3
"""Increase it with every change of guards, comparison or confidence; older certificates then lapse."""
BY_POLICY = "policy:"


@dataclass(frozen=True)
class AcceptanceBound(JsonRecord):
    """Permission to accept answer changes without a person.

    Args:
        alpha: Error rate that is not exceeded...
        delta: ...except with this probability.
        level: The certified level of coverage.
        threshold: Least confidence of a proposal that is accepted.
        accepted, errors: Reviewed proposals at or above the threshold, and the wrong ones of them.
        bound: Upper bound on the error rate.
        reviewed: How many reviewed questions it rests on.
        scorer: Identity of what made and scored the proposals.
        issued_at, expires_at: Aware, UTC.
    """

    alpha: float
    delta: float
    level: float
    threshold: float
    accepted: int
    errors: int
    bound: float
    reviewed: int
    scorer: str
    issued_at: Moment
    expires_at: Moment


def eligible(proposal: Proposal) -> str:
    """Return why a changed answer can never be accepted without a person, or "" when it could."""
    if proposal.outcome is not Outcome.changed:
        return f"Outcome {proposal.outcome.value}: a person decides."
    if not proposal.quotes:
        return "No evidence is quoted: a person decides."
    flags = blocking(proposal.flags, Blocks.certified)
    return f"Flagged {', '.join(flags)}: a person decides." if flags else ""


def scorer_identity(proposal: Proposal) -> str:
    """Return the identity of a scorer: method, model, prompt family, weights, code version.

    The prompt of one question holds its evidence, so its hash is not part of the identity.
    """
    weights = (files("freshqa.checking") / "risk.json").read_bytes()
    parts = (proposal.method, proposal.model, str(SCORER_VERSION))
    return hashlib.sha256("\0".join(parts).encode() + weights).hexdigest()[:16]


def acceptance_bound(
    reviewed: Sequence[tuple[Proposal, Decision]],
    *,
    alpha: float,
    now: datetime,
    delta: float = 0.05,
    levels: Sequence[float] = LEVELS,
    valid_days: int = CERTIFICATE_DAYS,
) -> AcceptanceBound:
    """Certify automatic acceptance on what people have decided.

    Args:
        reviewed: Proposals with a person's decision; decisions by policy do not count.
        alpha: Error rate to hold.
        now: When (aware, UTC).
        delta: Probability that the guarantee fails, over all levels together.
        levels: Pre-registered levels of coverage.
        valid_days: How long the certificate lasts.

    Raises:
        Refused: No level passes, or the proposals come from several scorers.
    """
    rows = _one_a_question(reviewed)
    scorers = {scorer_identity(proposal) for proposal, _ in rows}
    if len(scorers) > 1:
        raise Refused(
            f"The reviewed proposals come from {len(scorers)} scorers; a certificate covers one.",
            "Certify on the decisions of one method and model.",
        )
    ranked = sorted(((p.confidence, d.action is Action.accept) for p, d in rows), reverse=True)
    for level in sorted(levels, reverse=True):
        threshold, right = _at_level(ranked, level)
        bound = upper_bound(right.count(False), len(right), delta / len(levels))
        if right and bound <= alpha:
            return AcceptanceBound(
                alpha=alpha,
                delta=delta,
                level=level,
                threshold=threshold,
                accepted=len(right),
                errors=right.count(False),
                bound=bound,
                reviewed=len(rows),
                scorer=scorers.pop(),
                issued_at=now,
                expires_at=now + timedelta(days=valid_days),
            )
    raise Refused(
        f"{len(rows)} reviewed changes do not bound the error at {alpha:.0%}.",
        "Review more proposals (about 150 to 500 are needed), or ask for a looser bound.",
    )


def _at_level(ranked: Sequence[tuple[float, bool]], level: float) -> tuple[float, list[bool]]:
    """The confidence that this share of the ranked rows reaches, and which of these were right."""
    wanted = max(1, round(level * len(ranked)))
    threshold = ranked[wanted - 1][0] if len(ranked) >= wanted else math.inf
    return threshold, [right for score, right in ranked if score >= threshold]


def invalid(certificate: AcceptanceBound, proposal: Proposal, *, now: datetime) -> str:
    """Return why a certificate does not cover a proposal, or "" when it does."""
    if now >= certificate.expires_at:
        return f"The certificate expired on {certificate.expires_at.date().isoformat()}."
    if certificate.scorer != scorer_identity(proposal):
        return "The certificate was made for another scorer."
    if proposal.confidence < certificate.threshold:
        return f"Confidence {proposal.confidence:.2f} is below {certificate.threshold:.2f}."
    return ""


def drifted(certificate: AcceptanceBound, audited: Sequence[bool]) -> bool:
    """True when audited acceptances refute the certificate: even the lower bound is above alpha.

    Args:
        audited: For each acceptance that a person has looked at afterwards, whether it was right.
    """
    errors = sum(not right for right in audited)
    return lower_bound(errors, len(audited), certificate.delta) > certificate.alpha


def audited(proposal: Proposal, share: float = AUDIT_SHARE) -> bool:
    """Return True when this acceptance is held back for an audit: a fixed share of all."""
    text = f"{proposal.key}\0{proposal.base_revision}\0{proposal.prompt_hash}"
    number = int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")
    return number < share * 2**64


def certificate_now(
    decided: Sequence[tuple[Proposal, Decision]], *, alpha: float, now: datetime
) -> tuple[AcceptanceBound | None, str]:
    """The certificate that all decisions so far give, or None and the reason why there is none.

    Acceptances that were held back for audit are part of the decisions; when they refute the
    certificate, there is none.
    """
    try:
        certificate = acceptance_bound(decided, alpha=alpha, now=now)
    except Refused as refusal:
        return None, str(refusal)
    checked = [
        decision.action is Action.accept
        for proposal, decision in _one_a_question(decided)
        if audited(proposal) and not invalid(certificate, proposal, now=now)
    ]
    if drifted(certificate, checked):
        return None, f"{checked.count(False)} of {len(checked)} audited acceptances were wrong."
    return certificate, ""


def _one_a_question(
    reviewed: Sequence[tuple[Proposal, Decision]],
) -> list[tuple[Proposal, Decision]]:
    """Return the latest decision of a person on each question that could have been automatic."""
    latest: dict[str, tuple[Proposal, Decision]] = {}
    for proposal, decision in reviewed:
        if decision.by.startswith(BY_POLICY) or eligible(proposal):
            continue
        if proposal.key not in latest or latest[proposal.key][1].at < decision.at:
            latest[proposal.key] = (proposal, decision)
    return list(latest.values())
