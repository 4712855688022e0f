"""Readers' reports in the ledger: proposals that replace no other, limited in number."""

from __future__ import annotations

from datetime import date, datetime

from sqlalchemy import Connection, func, insert, select
from sqlalchemy.exc import IntegrityError

from freshqa.errors import Conflict, NotFound
from freshqa.maintaining.proposal import Outcome, Proposal
from freshqa.maintaining.reported import Report, checked_by_reader, normal
from freshqa.store.checks import insert_check
from freshqa.store.database import Store
from freshqa.store.ledger_schema import check, proposal, run
from freshqa.store.proposal_status import select_proposals
from freshqa.store.runs import COMPLETED
from freshqa.store.schema import question
from freshqa.store.snapshots import questions_of, select_rows
from freshqa.store.versions import head_row

FLOW = "report"
MOST_OPEN = 500
"""Pending reports of a dataset; more would hide what a refresh found."""
MOST_OPEN_ONE = 5
"""Pending reports of one question."""


def record_report(store: Store, key: str, report: Report, *, as_of: date, now: datetime) -> int:
    """Keep a report of a question of the newest version as a pending proposal.

    It supersedes no proposal, and none supersedes it.

    Args:
        now: When it came (aware, UTC).

    Returns:
        Ledger id of the proposal.

    Raises:
        NotFound: the question is not in the newest version.
        NothingToDo: the answer is stored already.
        Conflict: it was reported before, or too many reports wait for review.
    """
    try:
        return _record(store, key, report, as_of, now)
    except IntegrityError:  # another report of the day made the same run at the same moment
        return _record(store, key, report, as_of, now)


def _record(store: Store, key: str, report: Report, as_of: date, now: datetime) -> int:
    with store.write() as connection:
        newest = head_row(connection, store.dataset_id)
        found = select_rows(newest.id).where(question.c.key == key) if newest is not None else None
        row = next(questions_of(connection, found), None) if found is not None else None
        if newest is None or row is None:
            raise NotFound(f"Question {key!r} is not in the newest version.", "See: show")
        query = (
            select(question.c.id)
            .where(question.c.dataset_id == store.dataset_id, question.c.key == key)
            .with_for_update(key_share=True)  # one report of a question after the other
        )
        question_id = int(connection.execute(query).scalar_one())
        checked = checked_by_reader(report, row, as_of=as_of)
        _refuse_repeated(connection, store, key, report, row.revision_hash)
        run_id = _run(connection, store, question_id, as_of, newest.number, now)
        made = insert_check(connection, run_id, question_id, checked, now)
        assert made is not None
        return made


def _refuse_repeated(
    connection: Connection, store: Store, key: str, report: Report, revision: str
) -> None:
    waiting = 0
    reported = proposal.c.outcome == Outcome.reported.value
    for row in connection.execute(select_proposals(store.dataset_id, key=key).where(reported)):
        waiting += row.status == "pending"
        if row.body is None:
            continue
        earlier = Proposal.from_json(row.body)
        same = normal(earlier.candidates[0].text) == normal(report.answer)
        if same and row.status == "pending":
            raise Conflict("This answer has been reported and waits for review.")
        repeated = (earlier.evidence[0].url, earlier.base_revision) == (report.link, revision)
        if same and repeated and row.status == "rejected":
            raise Conflict("A reviewer has rejected this report.", "Give another source.")
    if waiting >= MOST_OPEN_ONE:
        raise Conflict(f"{waiting} reports of this question wait for review.", "Try again later.")
    pending = select_proposals(store.dataset_id, status="pending").where(reported)
    counted = select(func.count()).select_from(pending.order_by(None).subquery())
    total = connection.execute(counted).scalar() or 0
    if total >= MOST_OPEN:
        raise Conflict(f"{total} reports wait for review.", "Try again later.")


def _run(
    connection: Connection, store: Store, question_id: int, as_of: date, base: int, now: datetime
) -> int:
    """Return the run of the day that has no report of this question yet; made when missing."""
    taken = (
        select(func.count())
        .select_from(check)
        .join(run, run.c.id == check.c.run_id)
        .where(check.c.question_id == question_id, run.c.flow == FLOW, run.c.as_of == as_of)
    )
    number = 1 + (connection.execute(taken).scalar() or 0)
    name = f"reports-{as_of}" if number == 1 else f"reports-{as_of}-{number}"
    query = select(run.c.id).where(run.c.dataset_id == store.dataset_id, run.c.key == name)
    found = connection.execute(query).scalar_one_or_none()
    if found is not None:
        return int(found)
    made = connection.execute(
        insert(run).values(
            dataset_id=store.dataset_id,
            key=name,
            flow=FLOW,
            as_of=as_of,
            base_version=base,
            settings={},
            started_at=now,
            finished_at=now,
            state=COMPLETED,
            summary={},
        )
    )
    assert made.inserted_primary_key is not None
    return int(made.inserted_primary_key[0])
