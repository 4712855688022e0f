"""Paid calls found again by what was asked, so that none is paid twice."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import date, datetime
from decimal import Decimal
from functools import cache
from typing import Any

from sqlalchemy import ColumnElement, Table, bindparam, or_, select

from freshqa.answering.language_model import Completion, Usage
from freshqa.evidence.search_engine import SearchResult
from freshqa.store.calls import SAME_NAME, UNUSABLE, settings_hash, text_hash
from freshqa.store.database import Store
from freshqa.store.direct import Statement
from freshqa.store.ledger_schema import completion as completions
from freshqa.store.ledger_schema import run
from freshqa.store.ledger_schema import search as searches


def find_search(
    store: Store, request_hash: str, *, since: datetime, run_key: str | None = None
) -> SearchResult | None:
    """Return the newest search with this identity; reusing it costs nothing.

    Args:
        since: Ignore what was recorded earlier, except by the run `run_key`.
    """
    wanted = {"request": request_hash, "since": since, "run": run_key}
    return _first_search(store, _SEARCH, {**wanted, "dataset": store.dataset_id})


def find_search_as_of(store: Store, query: str, *, as_of: date) -> SearchResult | None:
    """Return the newest search for a query, by any engine, as of that day or an earlier one."""
    return _first_search(store, _SEARCH_AS_OF, {"query": text_hash(query), "day": as_of})


def find_completion(
    store: Store,
    digest: str,
    model: str | None,
    *,
    since: datetime,
    settings: Mapping[str, Any] | None = None,
    run_key: str | None = None,
) -> Completion | None:
    """Return the newest completion of a prompt; arguments as for `find_search`, and:

    Args:
        digest: `freshqa.answering.language_model.prompt_hash` of the messages.
        model: The model that was asked; None for any.
        settings: Only a completion asked with exactly these; None for any.
    """
    query = _completions(of_model=model is not None, with_settings=settings is not None)
    wanted = {"prompt": digest, "since": since, "run": run_key, "dataset": store.dataset_id}
    if model is not None:
        wanted["model"] = model
    if settings is not None:
        wanted["settings"] = settings_hash(settings)
    with store.read_directly() as connection:
        for row in query.rows(connection, wanted):
            if row.body is not None and UNUSABLE not in row.body:  # None: redacted
                return replace(_completion(row), cost_usd=Decimal(0), reused=True)
    return None


def _usable(calls: Table) -> ColumnElement[bool]:
    """What was recorded after `since`, or by the run `run` (None for no run) of `dataset`."""
    own = select(run.c.id).where(
        run.c.dataset_id == bindparam("dataset"), run.c.key == bindparam("run")
    )
    return or_(calls.c.recorded_at >= bindparam("since"), calls.c.run_id == own.scalar_subquery())


_SEARCH = Statement(
    select(searches)
    .where(searches.c.request_hash == bindparam("request"), _usable(searches))
    .order_by(searches.c.recorded_at.desc(), searches.c.id.desc())
)
_SEARCH_AS_OF = Statement(
    select(searches)
    .where(searches.c.query_hash == bindparam("query"), searches.c.as_of <= bindparam("day"))
    .order_by(searches.c.as_of.desc(), searches.c.id.desc())
)


@cache
def _completions(*, of_model: bool, with_settings: bool) -> Statement:
    query = select(completions).where(
        completions.c.prompt_hash == bindparam("prompt"), _usable(completions)
    )
    if of_model:
        query = query.where(completions.c.requested_model == bindparam("model"))
    if with_settings:
        query = query.where(completions.c.settings_hash == bindparam("settings"))
    return Statement(query.order_by(completions.c.recorded_at.desc(), completions.c.id.desc()))


def _first_search(store: Store, query: Statement, wanted: Mapping[str, Any]) -> SearchResult | None:
    with store.read_directly() as connection:
        for row in query.rows(connection, wanted):
            if row.body is not None:  # redacted otherwise
                asked = {name: row.body[name] for name in ("query", "request")}
                kept = {name: getattr(row, name) for name in ("engine", "fetched_at", "seconds")}
                return SearchResult(body=row.body["response"], reused=True, **asked, **kept)
    return None


def _completion(row: Any) -> Completion:
    return Completion(
        text=row.body["text"],
        raw=row.body["response"],
        usage=Usage(row.prompt_tokens, row.completion_tokens),
        **{name: getattr(row, name) for name in SAME_NAME},
    )
