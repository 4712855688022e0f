"""From accepted proposals to a validated, immutable version."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, timezone

from prefect import get_run_logger, task
from prefect.cache_policies import NO_CACHE
from prefect.events import emit_event

from freshqa.dataset.question import Question
from freshqa.dataset.validation import Reason, ValidationReport
from freshqa.errors import NotFound, Refused
from freshqa.maintaining.draft import build_draft
from freshqa.store import records, runs, versions
from freshqa.store.database import Store
from freshqa.store.proposals import StoredProposal
from freshqa.store.versions import VersionInfo
from prefect_freshqa.expectations.gate import Judged, judge
from prefect_freshqa.expectations.report import headline
from prefect_freshqa.settings import data_docs_address, data_docs_folder
from prefect_freshqa.tasks import provenance, reporting
from prefect_freshqa.tasks.deciding import accepted_proposals
from prefect_freshqa.tasks.opaque import opaque


@dataclass(frozen=True)
class Draft:
    """What would be published.

    Args:
        base: The newest version.
        before: Its rows.
        after: The same rows with every accepted proposal applied, in official order.
        proposals: Those proposals, as they were decided.
        reasons: Key of each changed question → why, and the evidence it was taken from.
        checked_on: The day that the newest of the proposals was checked for; the base's own day
            where there is none.
    """

    base: VersionInfo
    before: tuple[Question, ...]
    after: tuple[Question, ...]
    proposals: tuple[StoredProposal, ...]
    reasons: Mapping[str, Reason]
    checked_on: date


@task(cache_policy=NO_CACHE)
def make_draft(store: Store) -> Draft:
    """Return the newest version with every accepted proposal applied.

    Raises:
        NotFound: the store holds no version.
        Conflict: a proposal's base row has moved since it was checked.
    """
    base = versions.head(store)
    if base is None:
        raise NotFound(
            "The store has no version.", "Import a release: prefect-freshqa import FILE."
        )
    accepted = accepted_proposals(store)
    before = versions.snapshot(store, base.number)
    after = build_draft(
        before,
        [(stored.proposal, stored.decision) for stored in accepted if stored.decision is not None],
    )
    reasons = {stored.proposal.key: _reason(stored) for stored in accepted}
    days = [runs.get_run(store, name).as_of for name in {stored.run for stored in accepted}]
    return Draft(base, before, after, tuple(accepted), reasons, max([base.as_of, *days]))


def _reason(stored: StoredProposal) -> Reason:
    """What was given for an accepted change: the decision's words, else the proposal's own."""
    said = stored.decision.reason if stored.decision else ""
    evidence = tuple(finding.text for finding in stored.proposal.evidence)
    return Reason(said or " ".join(stored.proposal.reasons), evidence)


@task(cache_policy=NO_CACHE)
def validate_draft(store: Store, draft: Draft, *, as_of: date, run: str) -> ValidationReport:
    """Judge the draft against its base by both expectation suites.

    The report goes to the ledger and to the run's artifacts; a refused draft also gets Data Docs.
    """
    judged = judge(
        draft.after,
        as_of=as_of,
        base=draft.before,
        base_as_of=draft.base.as_of,
        reasons=draft.reasons,
    )
    report = judged.report
    records.record_validation(
        store, run or None, None, report.to_json(), datetime.now(timezone.utc)
    )
    get_run_logger().log(20 if report.success else 40, "Validation: %s", headline(report))
    reporting.show_validation(report, docs="" if report.success else _docs(judged, draft, as_of))
    return report


def _docs(judged: Judged, draft: Draft, as_of: date) -> str:
    """Return the address of the Data Docs of a draft, "" when their folder cannot be written."""
    from prefect_freshqa.expectations.data_docs import write_data_docs

    name = f"{as_of.isoformat()}-{versions.content_hash(draft.after)[:12]}"
    try:
        return data_docs_address(write_data_docs(judged.results, data_docs_folder() / name))
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
    publishing = provenance.with_provenance(
        provenance.version_asset(store, draft.base.number + 1),
        _publish,
        name="publish_version",
        of=[provenance.version_asset(store, draft.base.number)],
    )
    return publishing(store, opaque(draft), report, as_of=as_of, message=message, run=run)


def _publish(
    store: Store, draft: Draft, report: ValidationReport, *, as_of: date, message: str, run: str
) -> VersionInfo:
    if not report.success:
        first = report.errors[0]
        raise Refused(
            f"Validation refused the draft: {len(report.errors)} errors, first {first.rule}: "
            f"{first.message}",
            "See `prefect-freshqa validate --draft`; fix the proposals, then publish again.",
        )
    version = versions.publish(
        store,
        draft.after,
        as_of=max(as_of, draft.base.as_of),
        now=datetime.now(timezone.utc),
        parent=draft.base.number,
        message=message,
        run=run,
        dialect=draft.base.dialect,
        proposals=draft.proposals,
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
