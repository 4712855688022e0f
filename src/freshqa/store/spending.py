"""What a run has paid for, whichever processes paid it."""

from __future__ import annotations

from collections import defaultdict
from datetime import date, timedelta
from decimal import Decimal

from sqlalchemy import Connection, func, select

from freshqa.answering.budget import Spent
from freshqa.maintaining.timeline import Cost
from freshqa.store.database import Store
from freshqa.store.ledger_schema import completion, run, search
from freshqa.store.runs import run_row


def spent(store: Store, run_key: str) -> Spent:
    """Return what a run has paid for so far, by the ledger.

    Searches and completions that were kept, replies that could not be used among them.

    Raises:
        NotFound: no such run.
    """
    with store.read() as connection:
        return ledger_total(connection, run_row(connection, store, run_key).id)


def ledger_total(connection: Connection, number: int) -> Spent:
    """Return the recorded calls of a run, by its number, added up.

    Equal prices are counted by the database and summed here: SQLite would add them up as floats.
    """
    tokens = func.sum(completion.c.prompt_tokens + completion.c.completion_tokens)
    searched = connection.execute(
        select(search.c.cost_usd, func.count())
        .where(search.c.run_id == number)
        .group_by(search.c.cost_usd)
    ).all()
    completed = connection.execute(
        select(completion.c.cost_usd, func.count(), tokens)
        .where(completion.c.run_id == number)
        .group_by(completion.c.cost_usd)
    ).all()
    return Spent(
        searches=sum(row[1] for row in searched),
        completions=sum(row[1] for row in completed),
        tokens=sum(int(row[2]) for row in completed),
        usd=sum((row[0] * row[1] for row in (*searched, *completed)), Decimal(0)),
    )


def costs_by_week(store: Store) -> tuple[Cost, ...]:
    """Return what the runs of a dataset paid, by the week they were for and by provider."""
    sums: dict[tuple[date, str], Decimal] = defaultdict(Decimal)
    with store.read() as connection:
        for call, provider in (
            (search, search.c.engine),
            (completion, completion.c.requested_model),
        ):
            rows = connection.execute(
                select(run.c.as_of, provider, call.c.cost_usd, func.count())
                .select_from(call)
                .join(run, run.c.id == call.c.run_id)
                .where(run.c.dataset_id == store.dataset_id)
                .group_by(run.c.as_of, provider, call.c.cost_usd)
            )
            for day, name, price, calls in rows:
                sums[day - timedelta(days=day.weekday()), name] += price * calls
    return tuple(Cost(week, name, usd) for (week, name), usd in sorted(sums.items()) if usd)
