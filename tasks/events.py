"""Events for automations: what a person wants to hear of without looking at the UI."""

from __future__ import annotations

from datetime import datetime, timedelta

from prefect.events import emit_event

from freshqa.store import proposals
from freshqa.store.database import Store
from freshqa.store.runs import Run

PATIENCE = timedelta(days=7)
"""How long a proposal may wait for a decision before somebody is told."""


def announce_waiting(store: Store, *, now: datetime) -> int:
    """Emit `freshqa.proposals.waiting` when proposals have waited for a week or longer.

    Returns:
        How many have.
    """
    waiting, oldest = proposals.waiting_since(store, now - PATIENCE)
    if oldest is not None:
        emit_event(
            "freshqa.proposals.waiting",
            resource={
                "prefect.resource.id": f"freshqa.dataset.{store.dataset}",
                "prefect.resource.name": store.dataset,
            },
            payload={"count": waiting, "oldest": oldest.date().isoformat()},
        )
    return waiting


def announce_budget(run: Run, *, left: int) -> None:
    """Emit `freshqa.budget.reached`: the run stopped at its own limit, `left` questions stay due."""
    emit_event(
        "freshqa.budget.reached",
        resource={"prefect.resource.id": f"freshqa.run.{run.id}"},
        payload={"run": run.id, "left": left},
    )
