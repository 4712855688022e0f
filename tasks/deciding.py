"""Decide by policy what needs no person."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timezone

from prefect import get_run_logger, task
from prefect.cache_policies import NO_CACHE

from freshqa.maintaining.decide import decide_by_policy
from freshqa.maintaining.proposal import Decision
from freshqa.store import proposals, versions
from freshqa.store.database import Store
from freshqa.store.proposals import StoredProposal
from freshqa.store.runs import Run
from prefect_freshqa.tasks.refresh_settings import RefreshSettings


@task(cache_policy=NO_CACHE)
def decide_by_the_policy(store: Store, run: Run, settings: RefreshSettings) -> int:
    """Accept what the policy allows to be accepted without a person.

    Returns:
        How many proposals of this run were accepted.
    """
    snapshot = {question.key: question for question in versions.snapshot(store, run.base_version)}
    accepted = 0
    for pending in proposals.proposals(store, status="pending", run=run.id):
        now = datetime.now(timezone.utc)
        verdict = decide_by_policy(
            pending.proposal, snapshot[pending.proposal.key], policy=settings.policy, now=now
        )
        if verdict.action is None:
            continue
        proposals.decide(
            store,
            Decision(
                proposal=pending.id,
                action=verdict.action,
                by=f"policy:{settings.policy}",
                at=now,
                reason=verdict.reason,
            ),
        )
        accepted += 1
    get_run_logger().info("Policy %s accepted %d proposals", settings.policy, accepted)
    return accepted


def accepted_proposals(store: Store) -> Sequence[StoredProposal]:
    """Every proposal that is accepted or edited and not yet in a version."""
    return (
        *proposals.proposals(store, status="accepted"),
        *proposals.proposals(store, status="edited"),
    )
