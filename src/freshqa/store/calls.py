"""Searches and completions of the ledger, found by what was asked."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import replace
from datetime import date, datetime
from decimal import Decimal
from typing import Any

from sqlalchemy import ColumnElement, Table, or_, select

from freshqa.answering.language_model import Completion, Usage
from freshqa.evidence.search_engine import SearchResult
from freshqa.store.database import Store
from freshqa.store.ledger_schema import completion as completions
from freshqa.store.ledger_schema import run
from freshqa.store.ledger_schema import search as searches

UNUSABLE = "unusable"
"""In the body of a reply that was paid for and could not be used: why."""


def find_search(
    store: Store, request_hash: str, *, since: datetime, run_key: str | None = None
) -> SearchResult | None:
    """Return the newest search with this identity; it costs nothing now.

    Args:
        since: Nothing recorded earlier, except what the run itself has asked.
        run_key: Key of that run: whatever the clock said when it asked.
    """
    query = (
        select(searches)
        .where(searches.c.request_hash == request_hash, _usable(store, searches, since, run_key))
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


def find_completion(
    store: Store,
    prompt_hash: str,
    model: str | None,
    *,
    since: datetime,
    settings: Mapping[str, Any] | None = None,
    run_key: str | None = None,
) -> Completion | None:
    """Return the newest completion of a prompt; it costs nothing now.

    Args:
        prompt_hash: `freshqa.answering.language_model.prompt_hash` of the messages.
        model: The model that was asked; None for any.
        since: Nothing recorded earlier, except what the run itself has asked.
        settings: Only a completion asked with exactly these; None for any.
        run_key: Key of that run: whatever the clock said when it asked.
    """
    query = (
        select(completions)
        .where(
            completions.c.prompt_hash == prompt_hash, _usable(store, completions, since, run_key)
        )
        .order_by(completions.c.recorded_at.desc(), completions.c.id.desc())
    )
    if model is not None:
        query = query.where(completions.c.requested_model == model)
    if settings is not None:
        query = query.where(completions.c.settings_hash == settings_hash(settings))
    with store.read() as connection:
        for row in connection.execute(query):
            if row.body is not None and UNUSABLE not in row.body:  # None: redacted
                return replace(_completion(row), cost_usd=Decimal(0), reused=True)
    return None


def text_hash(text: str) -> str:
    """SHA-256 of any text, broken characters from the web included, in hex."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def settings_hash(settings: Mapping[str, Any]) -> str:
    """Return the identity of what a model was asked with beside the prompt, in hex."""
    return text_hash(json.dumps(dict(settings), sort_keys=True))


def _usable(
    store: Store, calls: Table, since: datetime, run_key: str | None
) -> ColumnElement[bool]:
    fresh = calls.c.recorded_at >= since
    if run_key is None:
        return fresh
    own = select(run.c.id).where(run.c.dataset_id == store.dataset_id, run.c.key == run_key)
    return or_(fresh, calls.c.run_id == own.scalar_subquery())


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
