"""Loop policies: fixed ones, learned ones from a file, or learned from what people have decided."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from freshqa.checking.episode import Episode, episode
from freshqa.checking.policy import (
    LEARNED_POLICIES,
    Policy,
    fixed_policy,
    with_threshold,
)
from freshqa.checking.source_weights import SourceWeights, Statement, learn_weights
from freshqa.dataset.question import ANSWER_COLUMNS
from freshqa.facts.same_fact import Relation, relation
from freshqa.maintaining.certify import BY_POLICY
from freshqa.maintaining.draft import proposed_answers
from freshqa.maintaining.proposal import Action, Decision, Proposal
from freshqa.maintaining.source_history import statements
from freshqa.store import checks, proposal_decisions, proposals
from freshqa.store.database import Store
from prefect_freshqa.tasks.refresh_settings import RefreshSettings

MAX_DECISIONS = 2_000
"""Decisions that source weights are learned from; reading one takes a few milliseconds."""

if TYPE_CHECKING:
    from freshqa.checking.fitted import FittedPolicy
    from freshqa.checking.reinforce import ReinforcePolicy


def loop_policy(store: Store, settings: RefreshSettings) -> Policy:
    """The policy that the settings name; a learned one without a file learns from the ledger.

    Raises:
        UsageError: a KF1 threshold for a policy that has none.
        Refused: people have decided too few proposals to learn from.
        NotFound, BadData: the file of weights is missing or broken.
    """
    if settings.kf1_threshold is not None:
        return with_threshold(settings.loop_policy, settings.kf1_threshold)
    if settings.loop_policy not in LEARNED_POLICIES:
        return fixed_policy(settings.loop_policy)
    if settings.loop_weights:
        from freshqa.checking.learned import load_policy

        return load_policy(settings.loop_policy, settings.loop_weights)
    return learned_policy(settings.loop_policy, reviewed_episodes(store))


def learned_policy(name: str, episodes: Sequence[Episode]) -> FittedPolicy | ReinforcePolicy:
    """Learn the policy `fitted` or `reinforce`.

    Raises:
        Refused: people have decided too few proposals to learn from.
    """
    # Deferred: NumPy costs a tenth of a second, and only learned policies need it.
    from freshqa.checking.fitted import fit_policy
    from freshqa.checking.reinforce import train_policy

    return fit_policy(episodes) if name == "fitted" else train_policy(episodes)


def reviewed_episodes(store: Store) -> list[Episode]:
    """Return one episode for each question that a person has decided last."""
    decided = {
        (stored.run, stored.proposal.key): (stored.proposal, stored.decision)
        for stored in proposals.proposals(store, status=None)
        if stored.decision is not None and not stored.decision.by.startswith(BY_POLICY)
    }
    latest: dict[str, Episode] = {}
    for run in sorted({run for run, _ in decided}):
        for checked in checks.checks(store, run):
            reviewed = decided.get((run, checked.key))
            if reviewed is None:
                continue
            after = answers_after(*reviewed)
            learned = episode(
                checked.rounds, stored_right=still_right(checked.stored, after), right_answers=after
            )
            if learned:
                latest[checked.key] = learned
    return list(latest.values())


def source_weights(store: Store) -> SourceWeights:
    """Return how the decisions of people rate the sites behind the proposals.

    The same answer of the same question counts once for a site: a question that is decided every
    week says no more of it than one that is decided once. The newest `MAX_DECISIONS` count.
    """
    known: dict[tuple[str, ...], Statement] = {}
    for proposal, decision in proposal_decisions.decided_by_people(store, most=MAX_DECISIONS):
        after = answers_after(proposal, decision)
        for said in statements(proposal, decision, after):
            known[(proposal.key, said.domain, *after[:1])] = said
    return learn_weights(known.values())


def still_right(stored: Sequence[str], after: Sequence[str]) -> bool:
    """Whether a decision confirmed the stored answer, whatever the outcome was and its action.

    The primary answer counts: a further form of the same fact, or the same fact in other words,
    confirms it; an alternative of the old fact that a person left in place does not.
    """
    if not stored or not after:
        return not stored and not after
    return stored[0] == after[0] or relation(stored[0], after[0]) is Relation.same


def answers_after(proposal: Proposal, decision: Decision) -> tuple[str, ...]:
    """Return the answers that apply after a decision."""
    if decision.action in (Action.reject, Action.keep):
        return proposal.stored
    written = tuple(text for column in ANSWER_COLUMNS if (text := decision.edits.get(column)))
    proposed = proposed_answers(proposal) or proposal.stored
    return written if decision.edits.get("answer_0") else (*proposed, *written)
