"""Events for automations and notifications."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from prefect.events import emit_event

from freshqa.maintaining.plan import PlannedQuestion
from freshqa.store import proposal_status
from freshqa.store.database import Store
from freshqa.store.runs import Run
from prefect_freshqa.settings import where_to_review

OVERDUE_DAYS = 28
"""Days after which a due and unchecked question causes an event."""
PATIENCE = timedelta(days=7)
"""How long a proposal may be pending before a notification is sent."""


def announce_waiting(store: Store, *, now: datetime) -> int:
    """Emit `freshqa.proposals.waiting` when proposals have waited for a week or longer.

    Returns:
        The number of such proposals.
    """
    waiting, oldest = proposal_status.waiting_since(store, now - PATIENCE)
    if oldest is not None:
        emit_event(
            "freshqa.proposals.waiting",
            resource={
                "prefect.resource.id": f"freshqa.dataset.{store.dataset}",
                "prefect.resource.name": store.dataset,
            },
            payload={
                "count": waiting,
                "oldest": oldest.date().isoformat(),
                "review": where_to_review(),
            },
        )
    return waiting


def announce_overdue(run: Run, planned: Sequence[PlannedQuestion], unchecked: set[str]) -> int:
    """Emit `freshqa.questions.overdue` when questions stay unchecked that are long due.

    Returns:
        The number of such questions.
    """
    late = [
        item.question.key
        for item in planned
        if item.overdue_days >= OVERDUE_DAYS and item.question.key in unchecked
    ]
    if late:
        emit_event(
            "freshqa.questions.overdue",
            resource={"prefect.resource.id": f"freshqa.run.{run.key}"},
            payload={"run": run.key, "count": len(late), "days": OVERDUE_DAYS},
        )
    return len(late)


def announce_budget(run: Run, *, left: int) -> None:
    """Emit `freshqa.budget.reached`: the run stopped at its own limit, `left` questions stay due."""
    emit_event(
        "freshqa.budget.reached",
        resource={"prefect.resource.id": f"freshqa.run.{run.key}"},
        payload={"run": run.key, "left": left},
    )
