"""The past of a question: its revisions, every wording it had, and what a person calls it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime
from typing import Any

from sqlalchemy import Connection, Row, func, select

from freshqa.dataset.question import REVISION_COLUMNS, Question
from freshqa.dataset.wording import normalised_question
from freshqa.errors import NotFound, UsageError
from freshqa.store.database import Store
from freshqa.store.ledger_schema import proposal, publication
from freshqa.store.proposals import StoredProposal, read_proposal
from freshqa.store.schema import member, question, revision, version
from freshqa.store.snapshots import read_question, snapshot
from freshqa.store.versions import head

LISTED = 5
"""Questions that a message lists when several fit."""


@dataclass(frozen=True)
class Revision:
    """A question as consecutive versions hold it.

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
            raise NotFound(
                f"Question {key!r} not found in the store.", "See: prefect-freshqa show --questions"
            )
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


def named_question(store: Store, name: str) -> str:
    """The key of the question that a key, a wording it ever had, or a part of its wording names.

    Raises:
        NotFound: no question fits.
        UsageError: several fit; the message lists some.
    """
    known = aliases(store)
    if name in known.values():
        return name
    wanted = normalised_question(name)
    if wanted in known:
        return known[wanted]
    newest = head(store)
    current = snapshot(store, newest.number) if newest is not None and wanted else ()
    fitting = [q for q in current if wanted in normalised_question(q.text)]
    if not fitting:
        raise NotFound(
            f"Question not found: {name!r}.", "Use its key, its wording, or a part of its wording."
        )
    if len(fitting) > 1:
        listed = "; ".join(f"{q.key} {q.text!r}" for q in fitting[:LISTED])
        more = f"; and {len(fitting) - LISTED} more" if len(fitting) > LISTED else ""
        raise UsageError(
            f"{len(fitting)} questions match {name!r}: {listed}{more}.",
            "Use a longer part of the wording, or the key.",
        )
    return fitting[0].key


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
