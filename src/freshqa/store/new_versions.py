"""New versions from a release, and from the rows of an earlier version."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from sqlalchemy import insert, literal, select

from freshqa.dataset.importing import Import, prepare_import
from freshqa.dataset.question import Question
from freshqa.dataset.release import Release
from freshqa.dataset.validation import Reason, ValidationReport
from freshqa.errors import NotFound, NothingToDo, Refused
from freshqa.maintaining.draft import build_draft
from freshqa.store import proposals, runs
from freshqa.store.database import Store
from freshqa.store.history import aliases
from freshqa.store.proposals import StoredProposal
from freshqa.store.publishing import insert_version, publish
from freshqa.store.schema import member, question
from freshqa.store.snapshots import snapshot
from freshqa.store.verifying import content_hash
from freshqa.store.versions import VersionInfo, find_row, head, version_info


def prepare(
    store: Store,
    release: Release,
    *,
    confirm: Sequence[str] = (),
    repair: str = "certain",
    allow_every_time: bool = False,
) -> tuple[Import, VersionInfo | None]:
    """Return the release matched with the newest version.

    A confirmation that comes after the import was published is made against the version before it.

    Returns:
        The import, and its parent version.

    Raises:
        UsageError, Refused: As `prepare_import`.
    """
    newest = head(store)
    base = snapshot(store, newest.number) if newest else ()
    known = dict(aliases(store))
    if newest and confirm and content_hash(release.questions) == newest.content_hash:
        before = snapshot(store, newest.parent) if newest.parent else ()
        made_by_newest = {q.key for q in base} - {q.key for q in before}
        known = {text: key for text, key in known.items() if key not in made_by_newest}
        base = before
    prepared = prepare_import(
        release,
        base,
        aliases=known,
        confirm=confirm,
        repair=repair,
        allow_every_time=allow_every_time,
    )
    return prepared, newest


def publish_import(
    store: Store,
    prepared: Import,
    newest: VersionInfo | None,
    *,
    as_of: date,
    message: str,
    now: datetime,
) -> VersionInfo:
    """Return the version that holds the import.

    Raises:
        NothingToDo: The newest version holds the same rows under the same keys.
        Conflict: another process published in the meantime.
    """
    release = prepared.release
    if newest and content_hash(prepared.questions) == newest.content_hash:
        stored = [question.key for question in snapshot(store, newest.number)]
        if stored == [question.key for question in prepared.questions]:
            raise NothingToDo(f"Version {newest.number} already contains exactly these rows.")
    return publish(
        store,
        prepared.questions,
        as_of=as_of,
        now=now,
        parent=newest.number if newest else None,
        message=message or f"import {release.name}",
        kind="import",
        dialect=release.dialect,
        original=release.original,
    )


def rollback(
    store: Store, to: int, *, as_of: date, now: datetime, message: str = ""
) -> VersionInfo:
    """Publish the rows of an earlier version as the newest one; nothing is moved or deleted.

    Args:
        to: Number of the version whose rows to take.
        as_of: The day that the new version describes.
        message: Why; "Roll back to version N" when not given.

    Raises:
        NothingToDo: the newest version holds the same rows.
        Conflict: another process published at the same time.
        NotFound: no such version.
    """
    with store.write() as connection:
        newest = find_row(connection, store.dataset_id)
        target = find_row(connection, store.dataset_id, number=to)
        if newest.content_hash == target.content_hash:
            raise NothingToDo(f"Version {newest.number} already holds the rows of version {to}.")
        keys = (
            select(question.c.key)
            .join(member, member.c.question_id == question.c.id)
            .where(member.c.version_id == target.id)
            .order_by(member.c.position)
        )
        values: dict[str, Any] = {
            "as_of": as_of,
            "published_at": now,
            "kind": "rollback",
            "run": "",
            "message": message or f"Roll back to version {to}",
            "dialect": target.dialect,
        }
        version_id = insert_version(
            connection,
            store,
            newest,
            root=target.content_hash,
            keys=list(connection.execute(keys).scalars()),
            values=values,
        )
        columns = ("version_id", "question_id", "revision_id", "position")
        rows = select(literal(version_id), *(member.c[name] for name in columns[1:]))
        rows = rows.where(member.c.version_id == target.id)
        connection.execute(insert(member).from_select(columns, rows))
        number = newest.number + 1
        return version_info(find_row(connection, store.dataset_id, number=number), {})


@dataclass(frozen=True)
class Draft:
    """What would be published.

    Args:
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

    def require_proposals(self) -> None:
        """Raise `NothingToDo` if no proposal is accepted and unpublished."""
        if not self.proposals:
            raise NothingToDo(
                "There are no accepted proposals to publish.",
                "Accept some first: prefect-freshqa review list.",
            )


def read_draft(store: Store) -> Draft:
    """Return the newest version with every accepted proposal applied.

    Raises:
        NotFound: the store holds no version.
        Conflict: a proposal's base row has moved since it was checked.
    """
    base = head(store)
    if base is None:
        raise NotFound(
            "The store has no version.", "Import a release: prefect-freshqa import FILE."
        )
    accepted = (
        *proposals.proposals(store, status="accepted"),
        *proposals.proposals(store, status="edited"),
    )
    before = snapshot(store, base.number)
    after = build_draft(
        before,
        [(stored.proposal, stored.decision) for stored in accepted if stored.decision is not None],
    )
    reasons = {stored.proposal.key: _reason(stored) for stored in accepted}
    days = [runs.get_run(store, name).as_of for name in {stored.run for stored in accepted}]
    return Draft(base, before, after, accepted, reasons, max([base.as_of, *days]))


def require_valid(report: ValidationReport) -> None:
    """Raise `Refused` if validation found errors that the base does not have."""
    if not report.success:
        first = report.errors[0]
        raise Refused(
            f"Validation refused the draft: {len(report.errors)} errors, first {first.rule}: "
            f"{first.message}",
            "See `prefect-freshqa validate --draft`; fix the proposals, then publish again.",
        )


def _reason(stored: StoredProposal) -> Reason:
    """What was given for an accepted change: the decision's words, else the proposal's own."""
    said = stored.decision.reason if stored.decision else ""
    evidence = tuple(finding.text for finding in stored.proposal.evidence)
    return Reason(said or " ".join(stored.proposal.reasons), evidence)
