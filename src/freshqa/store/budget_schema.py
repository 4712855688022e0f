"""Tables of budgets: what a run has spent, and what its calls in flight have set aside.

Unlike the ledger they are updated, and so they are not among its tables: the ledger is the record,
these rows are what a call is started against in one short transaction.
"""

from __future__ import annotations

from sqlalchemy import BigInteger, Column, ForeignKey, Index, Integer, MetaData, String, Table

from freshqa.store.column_types import Money, Utc
from freshqa.store.ledger_schema import run
from freshqa.store.schema import Id
from freshqa.store.schema import metadata as ledger

metadata = MetaData(naming_convention=ledger.naming_convention)

spending = Table(
    "fq_spending",
    metadata,
    Column("run_id", Id, ForeignKey(run.c.id), primary_key=True, autoincrement=False),
    Column("searches", Integer, nullable=False),
    Column("completions", Integer, nullable=False),
    Column("tokens", BigInteger, nullable=False),
    Column("usd", Money, nullable=False),
    Column("search_usd", Money, nullable=False),  # of the dearest call so far, as are these
    Column("completion_tokens", BigInteger, nullable=False),
    Column("completion_usd", Money, nullable=False),
)

reservation = Table(
    "fq_reservation",
    metadata,
    Column("id", Id, primary_key=True),
    Column("run_id", Id, ForeignKey(run.c.id), nullable=False),
    Column("searches", Integer, nullable=False),
    Column("tokens", BigInteger, nullable=False),
    Column("usd", Money, nullable=False),
    Column("owner", String(200), nullable=False),
    Column("until", Utc, nullable=False),
    Index("ix_fq_reservation_run_id", "run_id"),
)
