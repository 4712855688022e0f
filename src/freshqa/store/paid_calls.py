"""Every paid call is kept with its request, response, time and cost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, datetime
from types import MappingProxyType
from typing import Any

from sqlalchemy import Connection, insert

from freshqa.answering.budget import Reservation, Spent
from freshqa.answering.language_model import Completion, Message, prompt_hash
from freshqa.errors import FreshQAError
from freshqa.evidence.search_engine import SearchResult
from freshqa.store.budgets import settle
from freshqa.store.calls import UNUSABLE, settings_hash, text_hash
from freshqa.store.database import Store
from freshqa.store.ledger_schema import completion as completions
from freshqa.store.ledger_schema import search as searches
from freshqa.store.runs import run_row


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
        result: The response, kept whole.
        request_hash: Identity of the request, for reuse.
        as_of: The day it was made for; the day it was fetched when not given.
        now: When it was received; `fetched_at` when not given (a recording's is long past).
        reservation: What a budget set aside for it; ends with this transaction.
    """
    with store.write() as connection:
        number = _run_number(connection, store, run_key)
        connection.execute(
            insert(searches).values(
                run_id=number,
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
        if number is not None:
            settle(connection, number, Spent(searches=1, usd=result.cost_usd), reservation)
    _settled(reservation)


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
    """Keep a completion with its prompt.

    Args:
        run_key: Key of the run that made it; None outside a run.
        completion: The reply, kept whole.
        requested: The model asked for; the one that replied when not given.
        settings: What else it was asked with: JSON, such as `max_tokens` and `temperature`.
        now: When it was received; `completed_at` when not given.
        reservation: What a budget set aside for it; ends with this transaction.
    """
    _insert_completion(
        store,
        run_key,
        messages,
        requested or completion.model,
        settings,
        reservation=reservation,
        body={"text": completion.text, "response": dict(completion.raw)},
        model=completion.model,
        prompt_hash=completion.prompt_hash,
        completed_at=completion.completed_at,
        recorded_at=now or completion.completed_at,
        prompt_tokens=completion.usage.prompt_tokens,
        completion_tokens=completion.usage.completion_tokens,
        cost_usd=completion.cost_usd,
        seconds=completion.seconds,
        finish_reason=completion.finish_reason,
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
    """Keep what replies cost that could not be used: they count as spent and are never given again.

    Args:
        run_key: Key of the run that paid; None outside a run.
        failure: Why, with the tokens and the price of all tries.
        settings: What else it was asked with.
        reservation: What a budget set aside for it; ends with this transaction.
    """
    _insert_completion(
        store,
        run_key,
        messages,
        requested,
        settings,
        reservation=reservation,
        body={UNUSABLE: str(failure)},
        model=requested,
        prompt_hash=prompt_hash(messages),
        completed_at=now,
        recorded_at=now,
        prompt_tokens=failure.tokens,  # written ones among them: a failure does not tell them apart
        completion_tokens=0,
        cost_usd=failure.cost_usd,
        seconds=0.0,
        finish_reason=UNUSABLE,
    )


def _insert_completion(
    store: Store,
    run_key: str | None,
    messages: Sequence[Message],
    requested: str,
    settings: Mapping[str, Any],
    *,
    reservation: Reservation | None,
    body: Mapping[str, Any],
    **columns: Any,
) -> None:
    asked = {
        "settings": dict(settings),
        "messages": [[message.role, message.content] for message in messages],
    }
    paid = Spent(
        completions=1,
        tokens=columns["prompt_tokens"] + columns["completion_tokens"],
        usd=columns["cost_usd"],
    )
    with store.write() as connection:
        number = _run_number(connection, store, run_key)
        connection.execute(
            insert(completions).values(
                run_id=number,
                requested_model=requested,
                settings_hash=settings_hash(settings),
                body={**asked, **body},
                **columns,
            )
        )
        if number is not None:
            settle(connection, number, paid, reservation)
    _settled(reservation)


def _settled(reservation: Reservation | None) -> None:
    if reservation is not None:
        reservation.settled = True


def _run_number(connection: Connection, store: Store, run_key: str | None) -> int | None:
    return int(run_row(connection, store, run_key).id) if run_key else None
