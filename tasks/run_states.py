"""The final state of a run, with its figures."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from prefect.client.schemas.objects import State
from prefect.runtime import deployment
from prefect.states import Completed, Failed

from freshqa.errors import FreshQAError, RunFailed
from prefect_freshqa.settings import where_to_review

MAX_FAILED = 0.8
"""Share of the questions tried; a run in which more of them failed has itself failed."""
REMEDY = (
    "Run it again once the cause is removed; it resumes where it stopped and repeats no paid call."
)


def refresh_state(summary: Mapping[str, Any], *, left: int, stopped: str = "") -> State[Any]:
    """Return the end of a refresh.

    Args:
        summary: Its figures; they are the result of the state.
        left: How many questions the budget left over.
        stopped: Why nothing more was asked: a provider that only fails, a key that was refused.

    Returns:
        `Failed` when a provider was given up or most of what was tried failed; otherwise
        `Completed`, under the name `Incomplete` when questions stay due, or `NothingDue`. The
        message says where to review the proposals that wait, if any.
    """
    failed = int(summary["outcomes"].get("failed", 0))
    done = int(summary["checked"]) - failed
    parts = [f"{done} of {summary['due']} checked"]
    parts += [f"{failed} failed"] if failed else []
    parts += [f"budget reached, {left} left"] if left and not stopped else []
    parts += [f"{summary['proposals']} proposals", f"cost ${summary['cost_usd']}"]
    figures = ", ".join(parts)
    review = f". Review: {where_to_review()}" if summary.get("held") else ""
    if stopped or (failed and failed / summary["checked"] > MAX_FAILED):
        message = f"Failed: {figures}. {stopped}".strip()
        failure = RunFailed(message, REMEDY)
        failure.summary = dict(summary)
        return Failed(message=message, data=failure)
    if not summary["due"]:
        return Completed(name="NothingDue", message="No question is due.", data=dict(summary))
    if summary["left_due"]:
        return Completed(
            name="Incomplete", message=f"Incomplete: {figures}{review}", data=dict(summary)
        )
    return Completed(message=f"{figures}{review}", data=dict(summary))


def harmless(name: str, reason: FreshQAError) -> State[Any]:
    """Return the end of a run that had nothing to do, or whose work another run is doing.

    Raises:
        FreshQAError: `reason`, outside a deployment: the caller of the flow handles it.
    """
    if not deployment.id:
        raise reason
    return Completed(name=name, message=str(reason), data={"reason": reason.message})
