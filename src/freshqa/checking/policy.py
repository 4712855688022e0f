"""Who decides what follows a round: the rule we use, and the ablations of the LLM-Augmenter paper."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Protocol

from freshqa.checking.round import Move, Round
from freshqa.errors import UsageError

PAPER_THRESHOLD = 0.5
"""KF1 at which the paper's policies send; the paper names none, this is ours."""
PAPER_FEEDBACK = "The response is inconsistent with the knowledge. Please generate again."
"""The template feedback of LLM-Augmenter (footnote 3), the same whatever is wrong."""


class EvidenceUse(str, Enum):
    """Whether a method gets evidence to answer from."""

    always = "always"
    asked = "asked"  # the model is asked whether it needs any
    never = "never"


class Policy(Protocol):
    """Decides after each round; see `freshqa.checking.loop`."""

    @property
    def name(self) -> str:
        """As named in settings."""
        ...

    @property
    def evidence(self) -> EvidenceUse:
        """Whether the method gets evidence."""
        ...

    @property
    def feedback(self) -> str:
        """The same feedback after every round; "" for what the failed guards say."""
        ...

    def decide(self, one: Round, *, may_revise: bool) -> Move:
        """What to do after a round; never `revise` when there may be no further round."""
        ...


@dataclass(frozen=True)
class RulePolicy:
    """Keep what agrees, propose what passes every guard, else revise, else ask a person."""

    name: str = "rule"
    evidence: EvidenceUse = EvidenceUse.always
    feedback: str = ""

    def decide(self, one: Round, *, may_revise: bool) -> Move:
        """See `Policy.decide`."""
        if one.comparison.agrees:
            return Move.keep
        if all(guard.passed for guard in one.guards):
            return Move.propose
        return Move.revise if may_revise else Move.escalate


RULE = RulePolicy()


@dataclass(frozen=True)
class PaperPolicy:
    """The paper's: send as soon as KF1 reaches a threshold, and send the last answer in any case.

    KF1 alone decides whether to revise. Guards still decide what becomes of the answer.
    """

    name: str
    evidence: EvidenceUse
    threshold: float = PAPER_THRESHOLD
    feedback: str = PAPER_FEEDBACK

    def decide(self, one: Round, *, may_revise: bool) -> Move:
        """See `Policy.decide`."""
        if one.utility.kf1 < self.threshold and may_revise:
            return Move.revise
        return Move.keep if one.comparison.agrees else Move.propose


FIXED_POLICIES: dict[str, Policy] = {
    policy.name: policy
    for policy in (
        RULE,
        PaperPolicy("always-use", EvidenceUse.always),
        PaperPolicy("self-ask", EvidenceUse.asked),
        PaperPolicy("no-consolidator", EvidenceUse.never),
    )
}
"""Policies that need no training, by name."""
LEARNED_POLICIES = ("fitted", "reinforce")


def fixed_policy(name: str) -> Policy:
    """The policy of that name.

    Raises:
        UsageError: There is none, or it has to be learned first.
    """
    if name in LEARNED_POLICIES:
        raise UsageError(
            f"Policy {name!r} must be fitted to reviewed decisions first.",
            "Load it with freshqa.checking.learned.load_policy.",
        )
    if name not in FIXED_POLICIES:
        known = ", ".join((*FIXED_POLICIES, *LEARNED_POLICIES))
        raise UsageError(f"Unknown loop policy {name!r}.", f"Choose one of: {known}.")
    return FIXED_POLICIES[name]
