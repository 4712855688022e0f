"""The weekly refresh: check what is due, propose, decide, validate, publish."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, datetime, timezone
from typing import Any

from prefect import flow
from prefect.client.schemas.objects import State
from prefect.events import emit_event
from prefect.futures import as_completed
from prefect.runtime import flow_run
from prefect.task_runners import ThreadPoolTaskRunner

from freshqa.dataset.validation import ValidationReport
from freshqa.errors import Conflict, StoreError
from freshqa.maintaining.plan import partition
from freshqa.store import proposal_status, proposals, runs
from freshqa.store.checks import checked_keys
from freshqa.store.database import Store
from freshqa.store.runs import Run
from freshqa.store.versions import VersionInfo
from prefect_freshqa.blocks.resolve import load_store
from prefect_freshqa.tasks import events, pictures, reporting
from prefect_freshqa.tasks.checking import LEFT_DUE, check_batch, probe_providers
from prefect_freshqa.tasks.deciding import decide_by_the_policy
from prefect_freshqa.tasks.first_calls import (
    import_while_waiting,
    must_probe_first,
    raise_first_failure,
)
from prefect_freshqa.tasks.flow_names import untagged
from prefect_freshqa.tasks.license_check import check_licence
from prefect_freshqa.tasks.opaque import opaque
from prefect_freshqa.tasks.page_search import first_to_probe, warn_of_unread_recipes
from prefect_freshqa.tasks.planning import find_due_questions, open_run, refresh_day
from prefect_freshqa.tasks.progress import progress_shown
from prefect_freshqa.tasks.proposal_page import MAX_PROPOSALS
from prefect_freshqa.tasks.providers import check_providers
from prefect_freshqa.tasks.publishing import make_draft, publish_version, validate_draft
from prefect_freshqa.tasks.refresh_settings import BATCHES_AT_ONCE, RefreshSettings
from prefect_freshqa.tasks.run_states import harmless, refresh_state
from prefect_freshqa.tasks.schedule import with_interval
from prefect_freshqa.tasks.summary import sum_up


def refresh_name() -> str:
    """Name of a run in the UI: its `as_of`, or else the day for which it was scheduled."""
    return f"refresh {flow_run.parameters.get('as_of') or flow_run.scheduled_start_time.date()}"


@flow(
    name="refresh-dataset",
    flow_run_name=refresh_name,
    task_runner=ThreadPoolTaskRunner(max_workers=BATCHES_AT_ONCE),  # type: ignore[arg-type]
)
def refresh_dataset(
    as_of: date | None = None,
    settings: RefreshSettings = RefreshSettings(),
    key: str | None = None,
) -> Any:
    """Re-check every question that is due and publish what may be accepted without a person.

    A run that was killed resumes where it stopped when it is started again with the same key:
    nothing is paid twice, no proposal is doubled. A finished run returns its figures.

    Args:
        as_of: Date of the refresh; reaches prompts, dates and schedules. Default: today (UTC).
        settings: Method, providers, policy, budget; see `RefreshSettings`.
        key: Run key. Default: ISO week and method.

    Returns:
        The figures of the run, in the shape of `prefect-freshqa refresh --json`. The state of the
        flow run says them as well: `Completed`, `Incomplete` when questions stay due,
        `NothingDue`, `AlreadyRunning`.

    Raises:
        RunFailed: a provider was given up, or most of the questions failed; it has the figures.
        NotFound, CredentialsError: a configured provider is unavailable.
        UsageError: the system clock is earlier than the latest version and `as_of` was not given.
        Refused: policy `certified`, and the model has no valid certificate (`qualify`).
    """
    began = time.monotonic()
    settings = with_interval(settings)
    store = load_store(settings.store)
    as_of = refresh_day(store, as_of, today=datetime.now(timezone.utc).date())
    check_providers(store, settings)
    with untagged():
        unlicensed = check_licence(store, settings, on=as_of)
        opened = open_run(
            store, as_of=as_of, settings=settings, key=key, flow_run_id=str(flow_run.id or "")
        )
        if isinstance(opened, Conflict):
            return harmless("AlreadyRunning", opened)
        run, resumed = opened
        if run.state == runs.COMPLETED:
            return {**run.summary, "resumed": True}
        told = {"resumed": resumed, "unlicensed": list(unlicensed)}
        return carry_out(store, run, settings, began=began, told=told)


def carry_out(
    store: Store, run: Run, settings: RefreshSettings, *, began: float, told: Mapping[str, Any]
) -> Any:
    """Check, decide, validate, publish and report; a run that fails or is stopped is closed as such.

    Args:
        began: When the run began, in seconds of `time.monotonic`.
        told: Further entries of the summary.
    """
    try:
        checked = check_questions(store, run, settings)
        report, published = publish_accepted(store, run, settings)
        seconds = time.monotonic() - began
        figures = sum_up(store, run, checked.due, report, published, seconds=seconds)
        summary = {**figures, **told}
        reporting.show_summary(summary)
        pictures.show_timeline(store, until=run.as_of)
        events.announce_waiting(store, now=datetime.now(timezone.utc))
        if checked.left and not checked.stopped:
            events.announce_budget(run, left=checked.left)
        ended = refresh_state(summary, left=checked.left, stopped=checked.stopped)
        close_run(store, run, summary, ended)
        return ended
    except Exception as failure:
        fail_run(store, run, failure)
        raise
    except BaseException as signal:  # paused, cancelled or stopped: not a failure of the run
        stop_run(store, run, signal)
        raise


@dataclass(frozen=True)
class CheckedRun:
    """The outcome of the checks of a run.

    Args:
        due: Keys of what was due.
        left: How many questions were not tried.
        stopped: Why the run stopped early; "" when it did not.
    """

    due: set[str]
    left: int
    stopped: str


def check_questions(store: Store, run: Run, settings: RefreshSettings) -> CheckedRun:
    """Check the due questions that this run has not checked yet, in batches; show the progress."""
    planned = find_due_questions(store, run.as_of, settings, version=run.base_version).questions
    due = {item.question.key for item in planned}
    checked = checked_keys(store, run.key)
    unchecked = [item for item in planned if item.question.key not in checked]
    most = len(unchecked) if settings.limit is None else max(0, settings.limit - len(checked))
    waiting = unchecked[:most]
    reporting.show_due(waiting, left=len(unchecked) - len(waiting))
    warn_of_unread_recipes(waiting, settings)
    outcomes: Counter[str] = Counter()
    stopped = ""
    with progress_shown(store, run, len(waiting), before=len(checked)):
        probing, asked = must_probe_first(settings), False
        if waiting and probing:
            import_while_waiting(settings)
        while probing and not asked and (place := first_to_probe(waiting, settings)) is not None:
            first = probe_providers(run, waiting.pop(place), settings)
            outcomes.update(first.outcomes)
            asked = first.asked
        futures = [
            check_batch.submit(run, opaque(batch), settings, number)
            for number, batch in enumerate(
                partition(waiting, settings.batch_size, workers=BATCHES_AT_ONCE), start=1
            )
        ]
        if waiting and not probing:
            import_while_waiting(settings)  # the first call is under way
        for future in as_completed(futures):
            batch_result = future.result()
            outcomes.update(batch_result.outcomes)
            stopped = stopped or batch_result.stopped
            asked = asked or batch_result.asked
        if stopped and not asked:
            raise_first_failure(run, settings)
    events.announce_overdue(run, planned, due - checked_keys(store, run.key))
    return CheckedRun(due, outcomes[LEFT_DUE], stopped)


def publish_accepted(
    store: Store, run: Run, settings: RefreshSettings
) -> tuple[ValidationReport, VersionInfo | None]:
    """Decide by the policy, show the proposals, and publish accepted ones if validation passes."""
    accepted = decide_by_the_policy(store, run, settings)
    reporting.show_proposals(
        proposals.proposals(store, status=None, run=run.key, limit=MAX_PROPOSALS),
        total=proposal_status.count_proposals(store, run=run.key).total(),
    )
    draft = make_draft(store)
    report = validate_draft(store, opaque(draft), as_of=run.as_of, run=run.key)
    if not (accepted and report.success):  # proposals accepted by people wait for `publish`
        return report, None
    message = f"Refresh {run.key}: {len(draft.proposals)} accepted"
    published = publish_version(store, draft, report, as_of=run.as_of, message=message, run=run.key)
    return report, published


def close_run(store: Store, run: Run, summary: dict[str, Any], ended: State[Any]) -> None:
    """Close a run; if questions are left, the same key resumes it."""
    state = runs.INCOMPLETE if summary["left_due"] else runs.COMPLETED
    if ended.is_failed():
        announce_failure(run, str(ended.message))
        state = runs.FAILED
    runs.finish_run(store, run.key, state=state, summary=summary, now=datetime.now(timezone.utc))


def stop_run(store: Store, run: Run, signal: BaseException) -> None:
    """Close a run that was paused, cancelled or stopped, so that it can be resumed."""
    summary = {"reason": f"stopped: {type(signal).__name__}"}
    with suppress(StoreError):
        runs.finish_run(
            store,
            run.key,
            state=runs.INCOMPLETE,
            summary=summary,
            now=datetime.now(timezone.utc),
        )


def fail_run(store: Store, run: Run, failure: BaseException) -> None:
    """Close a run that could not finish, so that it can be started again, and emit an event."""
    announce_failure(run, runs.fail_run(store, run.key, failure, now=datetime.now(timezone.utc)))


def announce_failure(run: Run, reason: str) -> None:
    """Emit `freshqa.refresh.failed` for automations."""
    emit_event(
        "freshqa.refresh.failed",
        resource={"prefect.resource.id": f"freshqa.run.{run.key}"},
        payload={"run": run.key, "reason": reason},
    )
