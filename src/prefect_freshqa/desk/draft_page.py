"""The draft: what the next version would change, what validation says, and its publication."""

from __future__ import annotations

import threading
from collections import defaultdict
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from freshqa.dataset.diff import diff_snapshots
from freshqa.dataset.validation import ValidationReport, Violation
from freshqa.errors import FreshQAError, NotFound, NothingToDo, Refused
from freshqa.store import records, verifying
from freshqa.store.database import Store
from freshqa.store.versions import VersionInfo
from prefect_freshqa import publication
from prefect_freshqa.desk.accounts import PUBLISHER
from prefect_freshqa.desk.pages import done, failed, field, needs, now, render, store_of
from prefect_freshqa.desk.version_pages import changed_fields
from prefect_freshqa.prefect_server import configured_server

_VALIDATING = threading.Lock()


@needs()
def draft(request: Request) -> Response:
    """Show the draft against the newest version, with violations beside its rows."""
    return _page(request)


@needs(PUBLISHER)
def publish(request: Request) -> Response:
    """Publish the draft, or report why it cannot be published."""
    try:
        version = publish_draft(request, message=field(request, "message")[:500])
    except FreshQAError as failure:
        if isinstance(failure, (Refused, NothingToDo)) and not _json(request):
            return _page(request, failure=failure, message=field(request, "message"))
        return failed(request, failure)
    return done(request, f"/versions/{version.number}")


def publish_draft(request: Request, *, message: str) -> VersionInfo:
    """Validate the draft and publish it on top of the version that it was made from.

    Raises:
        NothingToDo: no proposal is accepted.
        Refused: validation found errors.
        Conflict: another person published first, or changed a decision.
    """
    from freshqa.store.proposals import read_draft

    store = store_of(request)
    draft = read_draft(store)
    if not draft.proposals:
        raise NothingToDo("No accepted proposals to publish.", "Accept proposals first.")
    report = _report(request, draft)
    records.record_validation(store, None, None, report.to_json(), now())
    if not report.success:
        raise Refused(
            f"Validation refused the draft: {len(report.errors)} errors.",
            "Undo or edit the decisions named below, then publish again.",
        )
    version = publication.publish_draft(
        store, draft, report, as_of=draft.checked_on, now=now(), message=message
    )
    _announce(store, version)
    return version


def _announce(store: Store, version: VersionInfo) -> None:
    """Emit the event for automations, if a Prefect server is configured."""
    if not configured_server():
        return
    from prefect.events import emit_event

    emit_event(
        "freshqa.version.published",
        resource={
            "prefect.resource.id": f"freshqa.dataset.{store.dataset}",
            "prefect.resource.name": store.dataset,
        },
        payload={"version": version.number, "content_hash": version.content_hash, "run": ""},
    )


def _report(request: Request, draft: Any) -> ValidationReport:
    """Validate the draft with both suites; kept until the draft changes, because it takes seconds."""
    kept: dict[Any, ValidationReport] = request.app.state.reports
    identity = (
        draft.base.number,
        verifying.content_hash(draft.after),
        tuple(draft.reasons.items()),
    )
    with _VALIDATING:
        if identity not in kept:
            kept.clear()
            kept[identity] = publication.judge_draft(draft, as_of=draft.checked_on).report
        return kept[identity]


def _page(request: Request, *, failure: FreshQAError | None = None, message: str = "") -> Response:
    from freshqa.store.proposals import read_draft

    try:
        draft = read_draft(store_of(request))
    except NotFound as missing:
        return failed(request, missing)
    difference = diff_snapshots(draft.before, draft.after)
    report = _report(request, draft) if draft.proposals else None
    beside: dict[str, list[Violation]] = defaultdict(list)
    for violation in (*report.errors, *report.warnings) if report else ():
        beside[violation.key].append(violation)
    changed = [
        {
            "key": change.key,
            "question": change.question,
            "fields": changed_fields(change.fields),
            "violations": beside.pop(change.key, []),
            "proposal": next((p for p in draft.proposals if p.proposal.key == change.key), None),
        }
        for change in difference.changed
    ]
    return render(
        request,
        "draft.html",
        status=200 if failure is None else 422,
        draft=draft,
        changed=changed,
        elsewhere=[violation for rest in beside.values() for violation in rest],
        report=report,
        failure=failure,
        message=message,
    )


def _json(request: Request) -> bool:
    return "application/json" in request.headers.get("accept", "")
