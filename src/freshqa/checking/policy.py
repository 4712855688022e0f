"""Policies that decide what to acquire and when to stop: our rule, and LLM-Augmenter's ablations."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import Enum
from typing import Protocol, get_args

from freshqa.checking.acquisition import ANSWER, keeps, pays
from freshqa.checking.round import Move, Round
from freshqa.choices import LearnedPolicy
from freshqa.errors import UsageError

PAPER_THRESHOLD = 0.5
"""KF1 from which the paper's policies send; the paper does not state it, so this value is ours."""
PAPER_FEEDBACK = "The response is inconsistent with the knowledge. Please generate again."
"""The template feedback of LLM-Augmenter (footnote 3), the same whatever is wrong."""


FIRST = (Move.search, Move.read, Move.answer)
"""Moves before the first answer, in this order, unless a better one is known."""


class EvidenceUse(str, Enum):
    """When a policy of the paper acquires evidence."""

    always = "always"
    asked = "asked"  # the model is asked whether it needs any
    never = "never"


@dataclass(frozen=True)
class State:
    """The state that a policy decides on.

    Args:
        features: By the names of `policy_features.NAMES`.
        open: The moves to choose from.
        round: The last answer and what was found out about it; None before the first answer.
        risk: Probability that the stored answer is no longer right, given the evidence.
        doubtful: Whether the response agrees with a stored answer that is probably out of date and
            that no evidence holds: it may only be remembered.
        needs_evidence: Asks the model whether it needs evidence.
    """

    features: tuple[float, ...]
    open: frozenset[Move]
    round: Round | None = None
    needs_evidence: Callable[[], bool] = lambda: True
    doubtful: bool = False
    risk: float = 1.0


class Policy(Protocol):
    """Decides what to acquire and when to stop; see `freshqa.checking.loop`."""

    @property
    def name(self) -> str:
        """As named in settings."""
        ...

    @property
    def feedback(self) -> str:
        """The same feedback after every round; "" for what the failed guards say."""
        ...

    def decide(self, state: State) -> Move:
        """Return one of the open moves."""
        ...


@dataclass(frozen=True)
class RulePolicy:
    """Search, read pages where the loop opens that, answer; keep what agrees, propose what passes
    every guard, else read, revise, search again where that may help, else ask a person. Agreement that
    is only remembered is looked into further.
    """

    name: str = "rule"
    feedback: str = ""

    def decide(self, state: State) -> Move:
        """See `Policy.decide`."""
        current = state.round
        if current is None:
            stops = keeps(state.risk) and not pays(Move.answer, state.risk, ANSWER)
            if stops and Move.keep in state.open:
                return Move.keep
            return self.pick(False, False, state.open - {Move.keep})
        guarded = all(guard.passed for guard in current.guards)
        agrees = bool(current.comparison.agrees)
        if agrees and state.doubtful:
            for move in (Move.read, Move.search_again):
                if move in state.open:
                    return move
        return self.pick(agrees, guarded, state.open)

    def pick(self, agrees: bool, guarded: bool, open_moves: frozenset[Move]) -> Move:
        """Return the first open move in the rule's order."""
        wanted = (
            *((Move.keep,) if agrees else ()),
            *((Move.propose,) if guarded else ()),
            *FIRST,
            Move.revise,
            Move.search_again,
        )
        return next((move for move in wanted if move in open_moves), Move.escalate)


RULE = RulePolicy()


@dataclass(frozen=True)
class PaperPolicy:
    """The paper's: send as soon as KF1 reaches a threshold, and send the last answer in any case.

    KF1 alone decides whether to revise. Guards still decide whether the answer is proposed.
    """

    name: str
    evidence: EvidenceUse
    threshold: float = PAPER_THRESHOLD
    feedback: str = PAPER_FEEDBACK

    def decide(self, state: State) -> Move:
        """See `Policy.decide`."""
        current = state.round
        if current is None:
            if Move.read in state.open:  # evidence was requested and found
                return Move.read
            wants = self.evidence is EvidenceUse.always or (
                self.evidence is EvidenceUse.asked and state.needs_evidence()
            )
            return Move.search if wants and Move.search in state.open else Move.answer
        if current.utility.kf1 < self.threshold and Move.revise in state.open:
            return Move.revise
        return Move.keep if current.comparison.agrees else Move.propose


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
PAPER_POLICIES = tuple(n for n, policy in FIXED_POLICIES.items() if isinstance(policy, PaperPolicy))
LEARNED_POLICIES: tuple[str, ...] = get_args(LearnedPolicy)


def fixed_policy(name: str) -> Policy:
    """Return the policy of that name.

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


def with_threshold(name: str, kf1: float) -> Policy:
    """Return a policy of the paper that asks for a revision below another KF1.

    Raises:
        UsageError: The policy has no threshold.
    """
    policy = FIXED_POLICIES.get(name)
    if not isinstance(policy, PaperPolicy):
        raise UsageError(
            f"Policy {name!r} has no KF1 threshold.",
            f"Choose one of: {', '.join(PAPER_POLICIES)}, or leave out --kf1-threshold.",
        )
    return replace(policy, threshold=kf1)
