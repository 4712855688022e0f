"""What is known of each question's past: when it was checked, how often its fact changed."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date

from sqlalchemy import func, select

from freshqa.checking.history import ChangeHistory
from freshqa.dataset.question import ANSWER_COLUMNS, normalised_question
from freshqa.facts.same_fact import same_fact
from freshqa.maintaining.proposal import Outcome
from freshqa.store.database import Store
from freshqa.store.ledger_schema import check, run
from freshqa.store.schema import member, question, revision, version

DAYS_A_YEAR = 365.25
NO_CHECK = (Outcome.failed.value, Outcome.reported.value)
"""Outcomes after which a question is as due as before."""


def last_checked(store: Store) -> Mapping[str, date]:
    """Key → the latest day that a run with a result checked the question for."""
    query = (
        select(question.c.key, func.max(run.c.as_of))
        .select_from(check)
        .join(run, run.c.id == check.c.run_id)
        .join(question, question.c.id == check.c.question_id)
        .where(run.c.dataset_id == store.dataset_id, check.c.outcome.not_in(NO_CHECK))
        .group_by(question.c.key)
    )
    with store.read() as connection:
        return dict(connection.execute(query).all())


def days_checked(store: Store) -> Mapping[str, tuple[date, ...]]:
    """Key → every day that a run with a result checked the question for, oldest first."""
    query = (
        select(question.c.key, run.c.as_of)
        .distinct()
        .select_from(check)
        .join(run, run.c.id == check.c.run_id)
        .join(question, question.c.id == check.c.question_id)
        .where(run.c.dataset_id == store.dataset_id, check.c.outcome.not_in(NO_CHECK))
        .order_by(run.c.as_of)
    )
    days: dict[str, tuple[date, ...]] = {}
    with store.read() as connection:
        for key, day in connection.execute(query):
            days[key] = (*days.get(key, ()), day)
    return days


def change_history(store: Store) -> Mapping[str, ChangeHistory]:
    """How often the fact behind each question changed between versions.

    A change is another fact (`freshqa.facts.same_fact`) under the same wording.
    """
    previous = func.lag(member.c.revision_id).over(
        partition_by=member.c.question_id, order_by=version.c.number
    )
    steps = (
        select(member.c.question_id, member.c.revision_id, previous.label("previous_id"))
        .join(version, version.c.id == member.c.version_id)
        .where(version.c.dataset_id == store.dataset_id)
        .subquery()
    )
    before, after = revision.alias("before"), revision.alias("after")
    changed = (
        select(
            question.c.key,
            *(
                side.c[column]
                for column in ("question", *ANSWER_COLUMNS)
                for side in (before, after)
            ),
        )
        .select_from(steps)
        .join(before, before.c.id == steps.c.previous_id)
        .join(after, after.c.id == steps.c.revision_id)
        .join(question, question.c.id == steps.c.question_id)
        .where(steps.c.previous_id != steps.c.revision_id)
    )
    watched = (
        select(question.c.key, func.min(version.c.as_of), func.max(version.c.as_of))
        .select_from(member)
        .join(version, version.c.id == member.c.version_id)
        .join(question, question.c.id == member.c.question_id)
        .where(version.c.dataset_id == store.dataset_id)
        .group_by(question.c.key)
    )
    checked = last_checked(store)
    counts: dict[str, int] = {}
    with store.read() as connection:
        for key, *cells in connection.execute(changed):
            old, new = cells[::2], cells[1::2]
            same_question = normalised_question(old[0]) == normalised_question(new[0])
            if same_question and not same_fact(
                *(list(filter(None, row[1:])) for row in (old, new))
            ):
                counts[key] = counts.get(key, 0) + 1
        return {
            key: ChangeHistory(
                changes=counts.get(key, 0),
                years=(newest - oldest).days / DAYS_A_YEAR,
                last_checked=checked.get(key),
            )
            for key, oldest, newest in connection.execute(watched)
        }
