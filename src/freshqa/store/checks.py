"""What each run found out about each question; committed as soon as it is known."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from sqlalchemy import Row, Select, bindparam, func, select
from sqlalchemy.exc import IntegrityError

from freshqa.errors import NotFound
from freshqa.maintaining.proposal import CheckedQuestion, Outcome, Proposal
from freshqa.maintaining.steps import StepReport
from freshqa.store.database import Store
from freshqa.store.direct import DirectConnection, InsertInto, Statement
from freshqa.store.leases import renew_lease
from freshqa.store.ledger_schema import check, proposal
from freshqa.store.runs import run_number, run_row
from freshqa.store.schema import question

_QUESTION_ID = Statement(
    select(question.c.id).where(
        question.c.dataset_id == bindparam("dataset"), question.c.key == bindparam("wanted")
    )
)
_RESULT = Statement(
    select(check.c.id, proposal.c.id.label("proposal_id"))
    .outerjoin(proposal, proposal.c.check_id == check.c.id)
    .where(
        check.c.run_id == bindparam("run"),
        check.c.question_id == bindparam("question"),
        check.c.outcome != Outcome.failed.value,
    )
)
_NEW_CHECK, _NEW_PROPOSAL = InsertInto(check), InsertInto(proposal)


def record_check(
    store: Store, run_key: str, checked: CheckedQuestion, *, now: datetime
) -> int | None:
    """Keep a check, with the proposal it makes, in one transaction.

    A second result for the same question of the same run changes nothing and returns the proposal
    of the first. A failed check does not count as a result; it may be repeated.

    Returns:
        Ledger id of the proposal; None when nothing has to be decided.

    Raises:
        NotFound: no such run, or the question's key was never in a version.
    """
    number = run_number(store, run_key)
    try:
        with store.write_directly() as connection:
            question_id = _question_id(connection, store, checked.key)
            recorded, proposal_id = _result(connection, number, question_id)
            if not recorded:
                proposal_id = insert_check(connection, number, question_id, checked, now)
            renew_lease(connection, number, now=now)
            return proposal_id
    except IntegrityError:  # another process recorded the same question at the same moment
        with store.write_directly() as connection:
            question_id = _question_id(connection, store, checked.key)
            return _result(connection, number, question_id)[1]


def checks(store: Store, run_key: str) -> tuple[CheckedQuestion, ...]:
    """Return every question that a run looked at, in the order of their first results.

    A question whose check failed and was repeated is there once, as it came out last.

    Raises:
        NotFound: no such run.
    """
    with store.read() as connection:
        query = _last_checks(run_row(connection, store, run_key).id)
        return tuple(_checked(row) for row in connection.execute(query))


def _last_checks(number: int) -> Select[Any]:
    last = (
        select(func.max(check.c.id)).where(check.c.run_id == number).group_by(check.c.question_id)
    )
    return (
        select(check, question.c.key, proposal.c.body.label("proposal"))
        .join(question, question.c.id == check.c.question_id)
        .outerjoin(proposal, proposal.c.check_id == check.c.id)
        .where(check.c.id.in_(last))
        .order_by(check.c.id)
    )


@dataclass
class Tally:
    """Totals over the checks of a run.

    Attributes:
        keys: Keys of the questions that were looked at.
        outcomes: Outcome → number of questions.
        steps: What each step of the checks cost and changed.
    """

    keys: set[str] = field(default_factory=set)
    outcomes: Counter[str] = field(default_factory=Counter)
    searches: int = 0
    completions: int = 0
    tokens: int = 0
    steps: StepReport = field(default_factory=StepReport)

    def add(self, checked: CheckedQuestion) -> None:
        """Count one question."""
        self.keys.add(checked.key)
        self.outcomes[checked.outcome.value] += 1
        self.searches += checked.searches
        self.completions += checked.completions
        self.tokens += checked.tokens
        self.steps.add(checked.rounds)
        if not checked.rounds and checked.outcome is not Outcome.failed:
            self.steps.add_computed(changes=checked.outcome is Outcome.changed)


def tally(store: Store, run_key: str) -> Tally:
    """The checks of a run, counted one after the other: all of them need not fit into memory.

    Raises:
        NotFound: no such run.
    """
    counted = Tally()
    with store.read() as connection:
        query = _last_checks(run_row(connection, store, run_key).id)
        for row in connection.execution_options(yield_per=200).execute(query):
            counted.add(_checked(row))
    return counted


def checked_keys(store: Store, run_key: str) -> set[str]:
    """Return the keys of the questions for which a run has a result other than `failed`.

    Raises:
        NotFound: no such run.
    """
    with store.read() as connection:
        number = run_row(connection, store, run_key).id
        query = (
            select(question.c.key)
            .join(check, check.c.question_id == question.c.id)
            .where(check.c.run_id == number, check.c.outcome != Outcome.failed.value)
        )
        return set(connection.execute(query).scalars())


def _question_id(connection: DirectConnection, store: Store, key: str) -> int:
    wanted = {"dataset": store.dataset_id, "wanted": key}
    row = _QUESTION_ID.first(connection, wanted)
    if row is None:
        raise NotFound(f"Question {key!r} not found in the store.", "See: prefect-freshqa due")
    return int(row.id)


def _result(connection: DirectConnection, number: int, question_id: int) -> tuple[bool, int | None]:
    """Return whether the run has a result for the question, and the id of its proposal."""
    row = _RESULT.first(connection, {"run": number, "question": question_id})
    return row is not None, row.proposal_id if row is not None else None


def insert_check(
    connection: DirectConnection,
    number: int,
    question_id: int,
    checked: CheckedQuestion,
    now: datetime,
) -> int | None:
    """Insert a check of the run with this number, with its proposal; returns the proposal's id."""
    common = {"run_id": number, "question_id": question_id}
    check_id = _NEW_CHECK.id(
        connection,
        {
            **common,
            "risk": checked.risk,
            "outcome": checked.outcome.value,
            "cost_usd": checked.cost_usd,
            "checked_at": now,
            "body": replace(checked, proposal=None).to_json(),
        },
    )
    if checked.proposal is None:
        return None
    suggested = checked.proposal
    return _NEW_PROPOSAL.id(
        connection,
        {
            **common,
            "check_id": check_id,
            "risk": suggested.risk,
            "base_revision": bytes.fromhex(suggested.base_revision),
            "outcome": suggested.outcome.value,
            "confidence": suggested.confidence,
            "created_at": now,
            "body": suggested.to_json(),
        },
    )


def _checked(row: Row[Any]) -> CheckedQuestion:
    if row.body is None:
        outcome = Outcome(row.outcome)
        return CheckedQuestion(row.key, "", outcome, row.risk, (), error="redacted by request")
    checked = CheckedQuestion.from_json(row.body)
    return replace(checked, proposal=Proposal.from_json(row.proposal) if row.proposal else None)
