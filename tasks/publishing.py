"""From accepted proposals to a validated, immutable version."""

from __future__ import annotations

from datetime import date, datetime, timezone

from prefect import get_run_logger, task
from prefect.cache_policies import NO_CACHE
from prefect.events import emit_event

from freshqa.dataset.validation import ValidationReport
from freshqa.store import records
from freshqa.store.database import Store
from freshqa.store.proposals import Draft, read_draft
from freshqa.store.versions import VersionInfo
from prefect_freshqa import publication
from prefect_freshqa.expectations.gate import Judged
from prefect_freshqa.expectations.report import headline
from prefect_freshqa.settings import data_docs_address
from prefect_freshqa.tasks import provenance, reporting
from prefect_freshqa.tasks.opaque import opaque

_validated: list[tuple[Draft, date, Judged]] = []
"""The draft that the command validated before it started the flow; at most one."""


@task(cache_policy=NO_CACHE)
def make_draft(store: Store) -> Draft:
    """Return the newest version with every accepted proposal applied; see `read_draft`."""
    return read_draft(store)


def validate_before_the_flow(store: Store, draft: Draft, *, as_of: date) -> None:
    """Validate a draft without Prefect; in the same process, `validate_draft` uses the result.

    Raises:
        Refused: validation found errors that the base does not have; the ledger has the report.
    """
    judged = _judge(draft, as_of)
    publication.require_judged_valid(
        store, draft, judged, as_of=as_of, now=datetime.now(timezone.utc)
    )
    _validated[:] = [(draft, as_of, judged)]


def _judge(draft: Draft, as_of: date) -> Judged:
    for validated, day, judged in _validated:
        if (validated, day) == (draft, as_of):
            return judged
    return publication.judge_draft(draft, as_of=as_of)


@task(cache_policy=NO_CACHE)
def validate_draft(store: Store, draft: Draft, *, as_of: date, run: str) -> ValidationReport:
    """Validate the draft against its base with both expectation suites.

    The report goes to the ledger and to the run's artifacts; a refused draft also gets Data Docs.
    """
    judged = _judge(draft, as_of)
    report = judged.report
    records.record_validation(
        store, run or None, None, report.to_json(), datetime.now(timezone.utc)
    )
    get_run_logger().log(20 if report.success else 40, "Validation: %s", headline(report))
    reporting.show_validation(report, docs="" if report.success else _docs(judged, draft, as_of))
    return report


def _docs(judged: Judged, draft: Draft, as_of: date) -> str:
    """Return the address of the Data Docs of a draft, "" when their folder cannot be written."""
    try:
        return data_docs_address(publication.write_docs(judged, draft, as_of=as_of))
    except OSError as problem:
        get_run_logger().warning("No Data Docs: %s", problem)
        return ""


def publish_version(
    store: Store,
    draft: Draft,
    report: ValidationReport,
    *,
    as_of: date,
    message: str,
    run: str,
) -> VersionInfo:
    """Publish a draft that passed, in one transaction on top of the version it was made from.

    It is a task that makes the next version, as an asset, of the version before.

    Raises:
        Refused: the report holds errors; the draft's proposals stay accepted and unpublished.
        Conflict: another process published first.
        NothingToDo: the draft equals its base.
    """
    recorded = provenance.with_provenance(
        provenance.version_asset(store, draft.base.number + 1),
        _publish,
        name="publish_version",
        of=[provenance.version_asset(store, draft.base.number)],
    )
    return recorded(store, opaque(draft), report, as_of=as_of, message=message, run=run)


def _publish(
    store: Store, draft: Draft, report: ValidationReport, *, as_of: date, message: str, run: str
) -> VersionInfo:
    version = publication.publish_draft(
        store,
        draft,
        report,
        as_of=as_of,
        now=datetime.now(timezone.utc),
        message=message,
        run=run,
    )
    emit_event(
        "freshqa.version.published",
        resource={
            "prefect.resource.id": f"freshqa.dataset.{store.dataset}",
            "prefect.resource.name": store.dataset,
        },
        payload={"version": version.number, "content_hash": version.content_hash, "run": run},
    )
    asset = provenance.version_asset(store, version.number)
    provenance.describe_version(store, asset, version, run=run, proposals=len(draft.proposals))
    get_run_logger().info("Published version %d (%s)", version.number, version.content_hash[:12])
    return version
