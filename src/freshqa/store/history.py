"""The past of questions: revisions, wordings, checks, and how often the fact changed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Any

from sqlalchemy import Connection, Row, Select, func, select

from freshqa.checking.change_rate import ChangeHistory
from freshqa.dataset.question import ANSWER_COLUMNS, REVISION_COLUMNS, Question, normalised_question
from freshqa.errors import NotFound
from freshqa.facts.same_fact import same_fact
from freshqa.maintaining.proposal import Outcome
from freshqa.store.database import Store
from freshqa.store.ledger_schema import check, proposal, publication, run
from freshqa.store.proposals import StoredProposal, read_proposal
from freshqa.store.schema import member, question, revision, version
from freshqa.store.snapshots import read_question


@dataclass(frozen=True)
class Revision:
    """A question as it stood in consecutive versions.

    Args:
        revision_hash: Its content hash; kept when the text was redacted.
        first, last: Numbers of the first and the last of the consecutive versions that hold it.
        as_of: The day that the first of them describes.
        published_at: When the first of them was published.
        redacted: Whether text of it was removed by request.
        proposal: The accepted proposal it came from, with its evidence; None for an import.
    """

    question: Question
    revision_hash: str
    first: int
    last: int
    as_of: date
    published_at: datetime
    redacted: bool = False
    proposal: StoredProposal | None = None


def history(store: Store, key: str) -> tuple[Revision, ...]:
    """Return every revision of a question, oldest first.

    A question that was removed and came back has two entries, even with the same text.

    Raises:
        NotFound: no such question.
    """
    with store.read() as connection:
        question_id = connection.execute(
            select(question.c.id).where(
                question.c.dataset_id == store.dataset_id, question.c.key == key
            )
        ).scalar_one_or_none()
        if question_id is None:
            raise NotFound(f"Question {key!r} not found in the store.", "See: show --questions")
        spans = _spans(connection, store, question_id)
        texts = _texts(connection, question_id)
        sources = _sources(connection, store, question_id)
    return tuple(
        replace(
            span,
            question=read_question([key, *(getattr(texts[id_], c) for c in REVISION_COLUMNS)]),
            revision_hash=texts[id_].content_hash.hex(),
            redacted=texts[id_].redacted_at is not None,
            proposal=sources.get(span.first),
        )
        for id_, span in spans
    )


def aliases(store: Store) -> Mapping[str, str]:
    """Return every wording a question ever had, normalised → its key; the latest owner counts."""
    query = (
        select(question.c.key, revision.c.question, func.max(revision.c.id))
        .join(question, question.c.id == revision.c.question_id)
        .where(question.c.dataset_id == store.dataset_id)
        .group_by(question.c.key, revision.c.question)
        .order_by(func.max(revision.c.id))
    )
    with store.read() as connection:
        rows = connection.execute(query).all()
    return {normalised_question(text): key for key, text, _ in rows if text}


def _spans(connection: Connection, store: Store, question_id: int) -> list[tuple[int, Revision]]:
    """Revision id and versions of each unbroken stretch, the texts still missing.

    One lookup by primary key for each version of the dataset: an index by question would be a
    quarter of the file.
    """
    query = (
        select(member.c.revision_id, version.c.number, version.c.as_of, version.c.published_at)
        .join(version, version.c.id == member.c.version_id)
        .where(version.c.dataset_id == store.dataset_id, member.c.question_id == question_id)
        .order_by(version.c.number)
    )
    spans: list[tuple[int, Revision]] = []
    for id_, number, as_of, published_at in connection.execute(query):
        if spans and spans[-1][0] == id_ and spans[-1][1].last == number - 1:
            spans[-1] = (id_, replace(spans[-1][1], last=number))
        else:
            spans.append((id_, Revision(Question({}), "", number, number, as_of, published_at)))
    return spans


def _texts(connection: Connection, question_id: int) -> dict[int, Row[Any]]:
    query = select(revision).where(revision.c.question_id == question_id)
    return {row.id: row for row in connection.execute(query)}


def _sources(connection: Connection, store: Store, question_id: int) -> dict[int, StoredProposal]:
    """Version number → the proposal about this question that it published."""
    query = (
        select(version.c.number, proposal.c.id)
        .select_from(publication)
        .join(proposal, proposal.c.id == publication.c.proposal_id)
        .join(version, version.c.id == publication.c.version_id)
        .where(proposal.c.question_id == question_id, func.length(proposal.c.body) > 0)
    )
    return {
        number: read_proposal(connection, store, id_) for number, id_ in connection.execute(query)
    }


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
            for key, oldest, newest in connection.execute(_watched(store))
        }


def _watched(store: Store) -> Select[Any]:
    """Key of every question with the first and the last day of its versions."""
    return (
        select(question.c.key, func.min(version.c.as_of), func.max(version.c.as_of))
        .select_from(member)
        .join(version, version.c.id == member.c.version_id)
        .join(question, question.c.id == member.c.question_id)
        .where(version.c.dataset_id == store.dataset_id)
        .group_by(question.c.key)
    )
