"""What a run has paid for, whichever processes paid it."""

from __future__ import annotations

from decimal import Decimal

from sqlalchemy import Connection, func, select

from freshqa.answering.budget import Spent
from freshqa.store.database import Store
from freshqa.store.ledger_schema import completion, search
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
