"""A draft validated and published without Prefect: shared by tasks, the command line and the desk."""

from __future__ import annotations

from contextlib import suppress
from datetime import date, datetime
from pathlib import Path
from typing import Any

from freshqa.dataset.layout import lacking_columns
from freshqa.dataset.validation import ValidationReport
from freshqa.store import publishing, records, verifying
from freshqa.store.database import Store
from freshqa.store.proposals import Draft
from freshqa.store.versions import VersionInfo
from prefect_freshqa.expectations.gate import Judged, judge
from prefect_freshqa.settings import data_docs_folder


def judge_draft(draft: Draft, *, as_of: date) -> Judged:
    """Run both suites on a draft and its base."""
    return judge(
        draft.after,
        as_of=as_of,
        base=draft.before,
        base_as_of=draft.base.as_of,
        reasons=draft.reasons,
        lacking=lacking_columns(draft.base.dialect),
    )


def require_judged_valid(
    store: Store, draft: Draft, judged: Judged, *, as_of: date, now: datetime
) -> None:
    """Keep the report and the Data Docs of a draft that validation refuses.

    Raises:
        Refused: validation found errors that the base does not have.
    """
    if not judged.report.success:
        records.record_validation(store, None, None, judged.report.to_json(), now)
        with suppress(OSError):  # the refusal itself says what is wrong
            write_docs(judged, draft, as_of=as_of)
    judged.report.require_success()


def write_docs(judged: Judged, draft: Draft, *, as_of: date) -> Path:
    """Write the Data Docs of a draft; return their first page.

    Raises:
        OSError: the folder cannot be written.
    """
    from prefect_freshqa.expectations.data_docs import write_data_docs

    name = f"{as_of.isoformat()}-{verifying.content_hash(draft.after)[:12]}"
    return write_data_docs(judged.results, data_docs_folder() / name)


def publish_draft(
    store: Store,
    draft: Draft,
    report: ValidationReport,
    *,
    as_of: date,
    now: datetime,
    message: str = "",
    run: str = "",
) -> VersionInfo:
    """Publish a draft that passed, in one transaction on top of the version it was made from.

    Args:
        message: What the version is about; the number of its proposals when it is empty.

    Raises:
        Refused: the report holds errors; the draft's proposals stay accepted and unpublished.
        Conflict: another process published first.
        NothingToDo: the draft equals its base.
    """
    report.require_success()
    return publishing.publish(
        store,
        draft.after,
        as_of=max(as_of, draft.base.as_of),
        now=now,
        parent=draft.base.number,
        message=message or f"{len(draft.proposals)} accepted proposals",
        run=run,
        dialect=draft.base.dialect,
        proposals=draft.proposals,
    )


def publication_record(
    version: VersionInfo, draft: Draft, report: ValidationReport
) -> dict[str, Any]:
    """Return a publication in the shape of `prefect-freshqa publish --json`."""
    return {
        "version": version.number,
        "parent": version.parent,
        "as_of": version.as_of.isoformat(),
        "content_hash": version.content_hash,
        "questions": version.rows,
        "proposals": len(draft.proposals),
        "validation": report.to_json(),
    }


def publish_without_prefect(
    store: Store, draft: Draft, *, as_of: date, now: datetime, message: str = ""
) -> dict[str, Any]:
    """Validate and publish a draft as the flow `publish-release` does, without run, page or event.

    Returns:
        See `publication_record`.

    Raises:
        Refused, Conflict, NothingToDo: as `require_judged_valid` and `publish_draft`.
    """
    judged = judge_draft(draft, as_of=as_of)
    require_judged_valid(store, draft, judged, as_of=as_of, now=now)
    records.record_validation(store, None, None, judged.report.to_json(), now)
    version = publish_draft(store, draft, judged.report, as_of=as_of, now=now, message=message)
    return publication_record(version, draft, judged.report)
