"""Gauges of a store for Prometheus: age, due questions, pending proposals, cost."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from statistics import median

from prometheus_client import CollectorRegistry, Gauge, generate_latest

from freshqa.maintaining.plan import plan_refresh
from freshqa.store import changes, proposal_status, runs, snapshots, versions
from freshqa.store.database import Store
from freshqa.store.leases import RUNNING
from freshqa.store.runs import Run

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
FLOW = "refresh-dataset"


def render_metrics(store: Store, *, now: datetime) -> bytes:
    """Return the gauges in the text format of Prometheus.

    Everything is read from the store: they are the same in every process.

    """
    registry = CollectorRegistry()

    def gauge(name: str, text: str, value: float) -> None:
        Gauge(f"freshqa_{name}", text, registry=registry).set(value)

    head = versions.head(store)
    if head is not None:
        gauge("version", "Number of the newest version.", head.number)
        gauge("questions", "Questions in the newest version.", head.rows)
        age = (now.date() - head.as_of).days
        gauge("version_age_days", "Days since the date of the newest version.", age)
        for name, text, value in _staleness(store, head.number, now):
            gauge(name, text, value)
    waiting, oldest = proposal_status.waiting_since(store, now)
    gauge("pending_proposals", "Proposals waiting for a decision.", waiting)
    days = (now - oldest).total_seconds() / 86_400 if oldest else 0.0
    gauge("oldest_pending_proposal_days", "Days that the oldest of them has waited.", days)
    _runs(registry, [run for run in runs.list_runs(store) if run.flow == FLOW])
    return generate_latest(registry)


def _staleness(store: Store, version: int, now: datetime) -> Iterable[tuple[str, str, float]]:
    questions = snapshots.snapshot(store, version)
    last = changes.last_checked(store)
    due = plan_refresh(questions, as_of=now.date(), days=0, last_checked=last)
    ages = [(now.date() - last[q.key]).days for q in questions if q.key in last]
    yield "due_questions", "Questions whose review is due today.", len(due)
    overdue = max((item.overdue_days for item in due), default=0)
    yield "most_overdue_days", "Days by which the most overdue question is late.", overdue
    never = sum(question.key not in last for question in questions)
    yield "never_checked_questions", "Questions that no run has checked.", never
    yield (
        "median_check_age_days",
        "Median days since a question was checked.",
        (median(ages) if ages else 0),
    )


def _runs(registry: CollectorRegistry, refreshes: list[Run]) -> None:
    """The newest finished refresh, and the cost of all by state."""
    finished = next((run for run in refreshes if run.finished_at is not None), None)
    cost = Gauge("freshqa_refresh_cost_usd_sum", "Cost of all refreshes.", registry=registry)
    cost.set(sum(float(run.summary.get("cost_usd", 0)) for run in refreshes))
    states = Gauge("freshqa_refreshes", "Refreshes by state.", ["state"], registry=registry)
    for state in (RUNNING, runs.COMPLETED, runs.INCOMPLETE, runs.FAILED):
        states.labels(state).set(sum(run.state == state for run in refreshes))
    if finished is None or finished.finished_at is None:
        return
    summary = finished.summary
    figures = {
        "finished_timestamp_seconds": finished.finished_at.timestamp(),
        "seconds": summary.get("seconds", 0),
        "cost_usd": summary.get("cost_usd", 0),
        "checked_questions": summary.get("checked", 0),
        "failed_questions": summary.get("outcomes", {}).get("failed", 0),
        "left_due_questions": summary.get("left_due", 0),
    }
    for name, value in figures.items():
        text = f"Of the newest finished refresh: {name.replace('_', ' ')}."
        Gauge(f"freshqa_last_refresh_{name}", text, registry=registry).set(float(value))
