"""Reviewers' independent opinions and readers' reports; no policy decides on them.

An opinion is a row of the ledger of decisions that leaves its proposal pending: two that agree decide
it, two that differ are a conflict. A report is a pending proposal that replaces no other one.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Any

from sqlalchemy import Connection, Row, func, insert, select
from sqlalchemy.exc import IntegrityError

from freshqa.errors import Conflict, NotFound
from freshqa.maintaining.proposal import Action, Decision, Outcome, Proposal
from freshqa.maintaining.reported import Report, checked_by_reader, normal
from freshqa.store.checks import insert_check
from freshqa.store.database import Store
from freshqa.store.direct import inside
from freshqa.store.ledger_schema import check, proposal, run
from freshqa.store.ledger_schema import decision as decisions
from freshqa.store.proposal_decisions import (
    append_decision,
    decide_in,
    refuse_closed,
    wait_for_others,
)
from freshqa.store.proposal_status import OPINION, newest_decisions, select_proposals
from freshqa.store.proposals import StoredProposal, read_proposal
from freshqa.store.runs import COMPLETED
from freshqa.store.schema import question
from freshqa.store.snapshots import questions_of, select_rows
from freshqa.store.versions import head_row

FLOW = "report"
MAX_OPEN, MAX_OPEN_ONE = 500, 5
"""Pending reports of a dataset and of one question; more would hide what a refresh found."""


@dataclass(frozen=True)
class Opinion:
    """The opinion of one reviewer, given before the other one is asked.

    Args:
        proposal: Ledger id of the proposal.
        edits: Official column → text; empty once redacted.
    """

    proposal: int
    by: str
    at: datetime
    action: str
    edits: Mapping[str, str]
    reason: str

    def agrees(self, other: Opinion) -> bool:
        """Return whether both mean the same decision."""
        return (self.action, dict(self.edits)) == (other.action, dict(other.edits))


def give_opinion(store: Store, decision: Decision) -> StoredProposal:
    """Record a reviewer's opinion; the second one that agrees with the first decides.

    Returns:
        The proposal: decided under both names, or still pending because one opinion is missing or
        they differ. A second opinion of the same reviewer replaces their first.

    Raises:
        Conflict, NotFound, Refused: as for `freshqa.store.proposal_decisions.decide`.
    """
    with store.write() as connection:
        wait_for_others(connection, [decision.proposal])
        stored = read_proposal(connection, store, decision.proposal)
        refuse_closed(connection, stored, False)
        given = _given(connection, decision.proposal)
        earlier = [other for other in given if other.by != decision.by]
        kept = {"action": decision.action.value, "edits": dict(decision.edits)}
        values = {"action": OPINION, "edits": kept, "reason": decision.reason}
        append_decision(connection, stored.id, values, by=decision.by, at=decision.at)
        opinion = _opinion(decision)
        if len(earlier) != 1 or not earlier[0].agrees(opinion):
            return read_proposal(connection, store, stored.id)
        both = replace(
            decision,
            by=f"{earlier[0].by[:98]}, {decision.by[:98]}",
            reason="; ".join(filter(None, (earlier[0].reason, decision.reason))),
        )
        return decide_in(connection, store, both, False)


def open_opinions(store: Store) -> dict[int, tuple[Opinion, ...]]:
    """Number of each proposal with opinions and without a decision → those opinions, oldest first."""
    query = newest_decisions(store.dataset_id, decisions.c.proposal_id)
    query = query.where(decisions.c.action == OPINION)
    with store.read() as connection:
        return {id: _given(connection, id) for id in connection.execute(query).scalars()}


def pairs(store: Store) -> list[tuple[Opinion, Opinion]]:
    """The first two opinions of different reviewers on each proposal, whatever was decided."""
    query = (
        select(decisions)
        .join(proposal, proposal.c.id == decisions.c.proposal_id)
        .join(run, run.c.id == proposal.c.run_id)
        .where(run.c.dataset_id == store.dataset_id, decisions.c.action == OPINION)
        .order_by(decisions.c.proposal_id, decisions.c.sequence)
    )
    given: dict[int, dict[str, Opinion]] = defaultdict(dict)
    with store.read() as connection:
        for row in connection.execute(query):
            given[row.proposal_id].setdefault(row.decided_by, _of_row(row))
    by_proposal = [list(by_name.values()) for by_name in given.values()]
    return [(opinions[0], opinions[1]) for opinions in by_proposal if len(opinions) > 1]


def _given(connection: Connection, id: int) -> tuple[Opinion, ...]:
    """Return the newest opinion of each reviewer since the last decision or undo, oldest first."""
    query = select(decisions).where(decisions.c.proposal_id == id).order_by(decisions.c.sequence)
    newest: dict[str, Opinion] = {}
    for row in connection.execute(query):
        if row.action != OPINION:
            newest.clear()
            continue
        newest.pop(row.decided_by, None)
        newest[row.decided_by] = _of_row(row)
    return tuple(newest.values())


def _of_row(row: Row[Any]) -> Opinion:
    kept = row.edits or {}
    return Opinion(
        proposal=row.proposal_id,
        by=row.decided_by,
        at=row.decided_at,
        action=kept.get("action", Action.reject.value),
        edits=kept.get("edits", {}),
        reason=row.reason,
    )


def _opinion(decision: Decision) -> Opinion:
    action, edits = decision.action.value, dict(decision.edits)
    return Opinion(decision.proposal, decision.by, decision.at, action, edits, decision.reason)


def record_report(store: Store, key: str, report: Report, *, as_of: date, now: datetime) -> int:
    """Keep a report as a pending proposal, which supersedes no other and is never superseded.

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
        rows = select_rows(newest.id).where(question.c.key == key) if newest is not None else None
        row = next(questions_of(connection, rows), None) if rows is not None else None
        if newest is None or row is None:
            raise NotFound(
                f"Question {key!r} is not in the newest version.",
                "See: prefect-freshqa show --questions",
            )
        query = (
            select(question.c.id)
            .where(question.c.dataset_id == store.dataset_id, question.c.key == key)
            .with_for_update(key_share=True)  # one report of a question after the other
        )
        question_id = int(connection.execute(query).scalar_one())
        checked = checked_by_reader(report, row, as_of=as_of)
        _refuse_repeated(connection, store, key, report, row.revision_hash)
        run_id = _run(connection, store, question_id, as_of, newest.number, now)
        with inside(connection) as cursor:
            proposal_id = insert_check(cursor, run_id, question_id, checked, now)
        assert proposal_id is not None
        return proposal_id


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
            raise Conflict("This answer has already been reported and is pending review.")
        repeated = (earlier.evidence[0].url, earlier.base_revision) == (report.link, revision)
        if same and repeated and row.status == "rejected":
            raise Conflict("A reviewer has rejected this report.", "Give another source.")
    if waiting >= MAX_OPEN_ONE:
        raise Conflict(f"{waiting} reports of this question are pending.", "Try again later.")
    pending = select_proposals(store.dataset_id, status="pending").where(reported)
    counted = select(func.count()).select_from(pending.order_by(None).subquery())
    if (total := connection.execute(counted).scalar_one()) >= MAX_OPEN:
        raise Conflict(f"{total} reports are pending review.", "Try again later.")


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
    run_id = connection.execute(query).scalar_one_or_none()
    if run_id is not None:
        return int(run_id)
    inserted = connection.execute(
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
    assert inserted.inserted_primary_key is not None
    return int(inserted.inserted_primary_key[0])
