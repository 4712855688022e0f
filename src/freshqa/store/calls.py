"""Searches and completions: every paid call with its request, response, time and cost."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime
from decimal import Decimal
from types import MappingProxyType
from typing import Any

from sqlalchemy import ColumnElement, Connection, Table, insert, or_, select

from freshqa.answering.budget import Spent
from freshqa.answering.language_model import Completion, Message, Usage
from freshqa.evidence.search_engine import SearchResult
from freshqa.maintaining.proposal import Outcome
from freshqa.store.database import Store
from freshqa.store.ledger_schema import check, run
from freshqa.store.ledger_schema import completion as completions
from freshqa.store.ledger_schema import search as searches
from freshqa.store.runs import run_row


def find_search(
    store: Store, request_hash: str, *, since: datetime, run_id: str | None = None
) -> SearchResult | None:
    """The newest search with this identity; it costs nothing now.

    Args:
        request_hash: Identity of the request.
        since: Nothing recorded earlier, except what the run itself has asked.
        run_id: Key of that run: whatever the clock said when it asked.
    """
    query = (
        select(searches)
        .where(searches.c.request_hash == request_hash, _usable(store, searches, since, run_id))
        .order_by(searches.c.recorded_at.desc(), searches.c.id.desc())
    )
    return _first_search(store, query)


def find_search_as_of(store: Store, query: str, *, as_of: date) -> SearchResult | None:
    """The newest search for a query that was made for that day or an earlier one, by any engine."""
    statement = (
        select(searches)
        .where(searches.c.query_hash == text_hash(query), searches.c.as_of <= as_of)
        .order_by(searches.c.as_of.desc(), searches.c.id.desc())
    )
    return _first_search(store, statement)


def record_search(
    store: Store,
    run_id: str | None,
    result: SearchResult,
    request_hash: str,
    *,
    as_of: date | None = None,
    now: datetime | None = None,
) -> None:
    """Keep a search.

    Args:
        run_id: Key of the run that made it; None outside a run.
        result: The response, kept whole.
        request_hash: Identity of the request, for reuse.
        as_of: The day it was made for; the day it was fetched when not given.
        now: When it was received; `fetched_at` when not given (a recording's is long past).
    """
    with store.write() as connection:
        connection.execute(
            insert(searches).values(
                run_id=_run_number(connection, store, run_id),
                engine=result.engine,
                request_hash=request_hash,
                query_hash=text_hash(result.query),
                as_of=as_of or result.fetched_at.date(),
                fetched_at=result.fetched_at,
                recorded_at=now or result.fetched_at,
                cost_usd=result.cost_usd,
                seconds=result.seconds,
                body={
                    "query": result.query,
                    "request": dict(result.request),
                    "response": dict(result.body),
                },
            )
        )


def find_completion(
    store: Store,
    prompt_hash: str,
    model: str | None,
    *,
    since: datetime,
    settings: Mapping[str, Any] | None = None,
    run_id: str | None = None,
) -> Completion | None:
    """The newest completion of a prompt; it costs nothing now.

    Args:
        prompt_hash: `freshqa.answering.language_model.prompt_hash` of the messages.
        model: The model that was asked; None for any.
        since: Nothing recorded earlier, except what the run itself has asked.
        settings: Only a completion asked with exactly these; None for any.
        run_id: Key of that run: whatever the clock said when it asked.
    """
    query = (
        select(completions)
        .where(completions.c.prompt_hash == prompt_hash, _usable(store, completions, since, run_id))
        .order_by(completions.c.recorded_at.desc(), completions.c.id.desc())
    )
    if model is not None:
        query = query.where(completions.c.requested_model == model)
    if settings is not None:
        query = query.where(completions.c.settings_hash == settings_hash(settings))
    with store.read() as connection:
        for row in connection.execute(query):
            if row.body is not None:  # redacted otherwise
                return replace(_completion(row), cost_usd=Decimal(0), reused=True)
    return None


def record_completion(
    store: Store,
    run_id: str | None,
    completion: Completion,
    messages: Sequence[Message],
    *,
    requested: str = "",
    settings: Mapping[str, Any] = MappingProxyType({}),
    now: datetime | None = None,
) -> None:
    """Keep a completion with its prompt.

    Args:
        run_id: Key of the run that made it; None outside a run.
        completion: The reply, kept whole.
        messages: What was sent.
        requested: The model asked for; the one that replied when not given.
        settings: What else it was asked with: JSON, such as `max_tokens` and `temperature`.
        now: When it was received; `completed_at` when not given.
    """
    with store.write() as connection:
        connection.execute(
            insert(completions).values(
                run_id=_run_number(connection, store, run_id),
                requested_model=requested or completion.model,
                model=completion.model,
                prompt_hash=completion.prompt_hash,
                settings_hash=settings_hash(settings),
                completed_at=completion.completed_at,
                recorded_at=now or completion.completed_at,
                prompt_tokens=completion.usage.prompt_tokens,
                completion_tokens=completion.usage.completion_tokens,
                cost_usd=completion.cost_usd,
                seconds=completion.seconds,
                finish_reason=completion.finish_reason,
                body={
                    "settings": dict(settings),
                    "messages": [[message.role, message.content] for message in messages],
                    "text": completion.text,
                    "response": dict(completion.raw),
                },
            )
        )


def spent(store: Store, run_id: str) -> Spent:
    """What a run has paid for so far, so that a resumed run keeps to its budget.

    Searches and completions that were kept, and the price of replies that could not be used, which
    failed checks carry.

    Raises:
        NotFound: no such run.
    """
    with store.read() as connection:
        number = run_row(connection, store, run_id).id
        searched = connection.execute(
            select(searches.c.cost_usd).where(searches.c.run_id == number)
        ).all()
        completed = connection.execute(
            select(
                completions.c.cost_usd, completions.c.prompt_tokens, completions.c.completion_tokens
            ).where(completions.c.run_id == number)
        ).all()
        wasted = connection.execute(
            select(check.c.cost_usd).where(
                check.c.run_id == number, check.c.outcome == Outcome.failed.value
            )
        ).all()
    return Spent(
        searches=len(searched),
        completions=len(completed),
        tokens=sum(row.prompt_tokens + row.completion_tokens for row in completed),
        usd=sum((row.cost_usd for row in (*searched, *completed, *wasted)), Decimal(0)),
    )


def text_hash(text: str) -> str:
    """SHA-256 of any text, broken characters from the web included, in hex."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def settings_hash(settings: Mapping[str, Any]) -> str:
    """Identity of what a model was asked with beside the prompt, in hex."""
    return text_hash(json.dumps(dict(settings), sort_keys=True))


def _usable(store: Store, calls: Table, since: datetime, run_id: str | None) -> ColumnElement[bool]:
    fresh = calls.c.recorded_at >= since
    if run_id is None:
        return fresh
    own = select(run.c.id).where(run.c.dataset_id == store.dataset_id, run.c.key == run_id)
    return or_(fresh, calls.c.run_id == own.scalar_subquery())


def _run_number(connection: Connection, store: Store, run_id: str | None) -> int | None:
    return int(run_row(connection, store, run_id).id) if run_id else None


def _first_search(store: Store, query: Any) -> SearchResult | None:
    with store.read() as connection:
        for row in connection.execute(query):
            if row.body is not None:  # redacted otherwise
                return SearchResult(
                    engine=row.engine,
                    query=row.body["query"],
                    body=row.body["response"],
                    fetched_at=row.fetched_at,
                    request=row.body["request"],
                    seconds=row.seconds,
                    reused=True,
                )
    return None


def _completion(row: Any) -> Completion:
    body: Mapping[str, Any] = row.body
    return Completion(
        text=body["text"],
        model=row.model,
        prompt_hash=row.prompt_hash,
        completed_at=row.completed_at,
        usage=Usage(row.prompt_tokens, row.completion_tokens),
        cost_usd=row.cost_usd,
        seconds=row.seconds,
        finish_reason=row.finish_reason,
        raw=body["response"],
    )
