"""Decide proposals by policy."""

from __future__ import annotations

from datetime import datetime, timezone

from prefect import get_run_logger, task
from prefect.cache_policies import NO_CACHE

from freshqa.maintaining.acceptance_policy import decide_by_policy
from freshqa.maintaining.certify import BY_POLICY, AcceptanceBound, certificate_now
from freshqa.maintaining.proposal import Decision, Proposal
from freshqa.store import proposal_decisions, proposals, snapshots
from freshqa.store.database import Store
from freshqa.store.runs import Run
from prefect_freshqa.tasks.refresh_settings import RefreshSettings


@task(cache_policy=NO_CACHE)
def decide_by_the_policy(store: Store, run: Run, settings: RefreshSettings) -> int:
    """Accept what the policy allows to be accepted without a person.

    Returns:
        How many proposals of this run were accepted and wait to be published; those from before
        the run was resumed count too.
    """
    snapshot = {question.key: question for question in snapshots.snapshot(store, run.base_version)}
    certificate = change_certificate(store, settings)
    for pending in proposals.each_proposal(store, status="pending", run=run.key):
        now = datetime.now(timezone.utc)
        verdict = decide_by_policy(
            pending.proposal,
            snapshot[pending.proposal.key],
            policy=settings.policy,
            certificate=certificate,
            now=now,
        )
        if verdict.action is None:
            continue
        proposal_decisions.decide(
            store,
            Decision(
                proposal=pending.id,
                action=verdict.action,
                by=f"{BY_POLICY}{settings.policy}",
                at=now,
                reason=verdict.reason,
            ),
        )
    waiting = proposals.each_proposal(store, status="accepted", run=run.key)
    accepted = sum(bool(p.decision and p.decision.by.startswith(BY_POLICY)) for p in waiting)
    get_run_logger().info("Policy %s accepted %d proposals", settings.policy, accepted)
    return accepted


def change_certificate(store: Store, settings: RefreshSettings) -> AcceptanceBound | None:
    """Return the certificate that people's decisions support; None, and a warning, without one.

    Calibrated in each refresh, so that a change of scorer or fresh mistakes count at once.
    """
    if settings.policy != "certified":
        return None
    now = datetime.now(timezone.utc)
    certificate, reason = certificate_now(reviewed(store), alpha=settings.alpha, now=now)
    if certificate is None:
        get_run_logger().warning("Every answer change is held: %s", reason)
    return certificate


def reviewed(store: Store) -> list[tuple[Proposal, Decision]]:
    """Return every decided proposal, whatever its status."""
    return [
        (stored.proposal, stored.decision)
        for stored in proposals.proposals(store, status=None)
        if stored.decision is not None
    ]
