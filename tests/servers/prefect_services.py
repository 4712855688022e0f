"""The loops of a Prefect server beside its API."""

from __future__ import annotations

SERVICES = (
    "CANCELLATION_CLEANUP",
    "EVENT_PERSISTER",
    "FOREMAN",
    "LATE_RUNS",
    "PAUSE_EXPIRATIONS",
    "REPOSSESSOR",
    "SCHEDULER",
    "TASK_RUN_RECORDER",
    "TRIGGERS",
)


def without_services(*needed: str) -> dict[str, str]:
    """Variables that turn off the loops of a server, which take a core's twentieth, but for some."""
    off = set(SERVICES) - set(needed)
    return {f"PREFECT_SERVER_SERVICES_{name}_ENABLED": "false" for name in off}
