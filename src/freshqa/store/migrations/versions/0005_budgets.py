"""Budgets are reserved in the database: what a run has spent and what is in flight."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Add both tables; the row of a run is made from the ledger when a budget first needs it."""
    op.create_table(
        "fq_spending",
        sa.Column("run_id", ID, autoincrement=False, nullable=False),
        sa.Column("searches", sa.Integer(), nullable=False),
        sa.Column("completions", sa.Integer(), nullable=False),
        sa.Column("tokens", sa.BigInteger(), nullable=False),
        sa.Column("usd", sa.String(40), nullable=False),
        sa.Column("search_usd", sa.String(40), nullable=False),
        sa.Column("completion_tokens", sa.BigInteger(), nullable=False),
        sa.Column("completion_usd", sa.String(40), nullable=False),
        sa.ForeignKeyConstraint(["run_id"], ["fq_run.id"], name="fk_fq_spending_run_id"),
        sa.PrimaryKeyConstraint("run_id", name="pk_fq_spending"),
    )
    op.create_table(
        "fq_reservation",
        sa.Column("id", ID, nullable=False),
        sa.Column("run_id", ID, nullable=False),
        sa.Column("searches", sa.Integer(), nullable=False),
        sa.Column("tokens", sa.BigInteger(), nullable=False),
        sa.Column("usd", sa.String(40), nullable=False),
        sa.Column("owner", sa.String(200), nullable=False),
        sa.Column("until", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["run_id"], ["fq_run.id"], name="fk_fq_reservation_run_id"),
        sa.PrimaryKeyConstraint("id", name="pk_fq_reservation"),
    )
    op.create_index("ix_fq_reservation_run_id", "fq_reservation", ["run_id"])
