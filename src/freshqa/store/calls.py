"""Paid calls of the ledger: kept with request, response, time and cost, to be found again."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from datetime import date, datetime
from types import MappingProxyType
from typing import Any

from freshqa.answering.budget import Reservation, Spent
from freshqa.answering.language_model import Completion, Message, prompt_hash
from freshqa.errors import FreshQAError
from freshqa.evidence.search_engine import SearchResult
from freshqa.store.budgets import settle
from freshqa.store.database import Store
from freshqa.store.direct import InsertInto
from freshqa.store.ledger_schema import completion as completions
from freshqa.store.ledger_schema import search as searches
from freshqa.store.runs import run_number

UNUSABLE = "unusable"
"""Key in the body of a reply that was paid for and could not be used: the reason."""
SAME_NAME = ("model", "prompt_hash", "completed_at", "cost_usd", "seconds", "finish_reason")
"""Columns named as the attributes of a completion."""
NEW_SEARCH, NEW_COMPLETION = InsertInto(searches), InsertInto(completions)


def text_hash(text: str) -> str:
    """Return the SHA-256 of any text, broken characters from the web included, in hex."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def settings_hash(settings: Mapping[str, Any]) -> str:
    """Return the identity of the settings of a completion, in hex."""
    return text_hash(json.dumps(dict(settings), sort_keys=True))


def record_search(
    store: Store,
    run_key: str | None,
    result: SearchResult,
    request_hash: str,
    *,
    as_of: date | None = None,
    now: datetime | None = None,
    reservation: Reservation | None = None,
) -> None:
    """Keep a search.

    Args:
        run_key: Key of the run that made it; None outside a run.
        request_hash: Identity of the request, for reuse.
        as_of: The day it was made for; the day it was fetched when not given.
        now: When it was received; `fetched_at` when not given (a recording's is long past).
        reservation: What a budget set aside for it; ends with this transaction.
    """
    asked = {"query": result.query, "request": dict(result.request)}
    _insert(
        store,
        run_key,
        NEW_SEARCH,
        Spent(searches=1, usd=result.cost_usd),
        reservation,
        engine=result.engine,
        request_hash=request_hash,
        query_hash=text_hash(result.query),
        as_of=as_of or result.fetched_at.date(),
        fetched_at=result.fetched_at,
        recorded_at=now or result.fetched_at,
        cost_usd=result.cost_usd,
        seconds=result.seconds,
        body={**asked, "response": dict(result.body)},
    )


def record_completion(
    store: Store,
    run_key: str | None,
    completion: Completion,
    messages: Sequence[Message],
    *,
    requested: str = "",
    settings: Mapping[str, Any] = MappingProxyType({}),
    now: datetime | None = None,
    reservation: Reservation | None = None,
) -> None:
    """Keep a completion with its prompt; arguments as for `record_search`, and:

    Args:
        requested: The model asked for; the one that replied when not given.
        settings: What else it was asked with: JSON, such as `max_tokens` and `temperature`.
    """
    reply = {"text": completion.text, "response": dict(completion.raw)}
    _insert(
        store,
        run_key,
        NEW_COMPLETION,
        Spent(completions=1, tokens=completion.usage.total, usd=completion.cost_usd),
        reservation,
        **_request(requested or completion.model, settings, messages, reply),
        recorded_at=now or completion.completed_at,
        prompt_tokens=completion.usage.prompt_tokens,
        completion_tokens=completion.usage.completion_tokens,
        **{name: getattr(completion, name) for name in SAME_NAME},
    )


def record_unusable(
    store: Store,
    run_key: str | None,
    failure: FreshQAError,
    messages: Sequence[Message],
    *,
    requested: str,
    settings: Mapping[str, Any],
    now: datetime,
    reservation: Reservation | None = None,
) -> None:
    """Keep what unusable replies cost: they count as spent and are never reused.

    Args: as for `record_completion`, and:
        failure: The reason, with the tokens and the price of all attempts.
    """
    _insert(
        store,
        run_key,
        NEW_COMPLETION,
        Spent(completions=1, tokens=failure.tokens, usd=failure.cost_usd),
        reservation,
        **_request(requested, settings, messages, {UNUSABLE: str(failure)}),
        recorded_at=now,
        prompt_tokens=failure.tokens,  # replies included: a failure does not tell them apart
        completion_tokens=0,
        model=requested,
        prompt_hash=prompt_hash(messages),
        completed_at=now,
        cost_usd=failure.cost_usd,
        seconds=0.0,
        finish_reason=UNUSABLE,
    )


def _request(
    model: str, settings: Mapping[str, Any], messages: Sequence[Message], reply: Mapping[str, Any]
) -> dict[str, Any]:
    asked = [[message.role, message.content] for message in messages]
    body = {"settings": dict(settings), "messages": asked, **reply}
    return {"requested_model": model, "settings_hash": settings_hash(settings), "body": body}


def _insert(
    store: Store,
    run_key: str | None,
    calls: InsertInto,
    paid: Spent,
    reservation: Reservation | None,
    **columns: Any,
) -> None:
    """Keep a call and add its price to what its run has spent, in one transaction."""
    number = run_number(store, run_key) if run_key else None
    with store.write_directly() as connection:
        calls.execute(connection, {"run_id": number, **columns})
        if number is not None:
            settle(connection, number, paid, reservation)
    if reservation is not None:
        reservation.settled = True
