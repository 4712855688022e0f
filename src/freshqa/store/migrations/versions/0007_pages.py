"""The ledger keeps the pages behind search results, each text once."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")


def upgrade() -> None:
    """Add both tables."""
    op.create_table(
        "fq_page",
        sa.Column("id", ID, nullable=False),
        sa.Column("run_id", ID, nullable=True),
        sa.Column("url_hash", sa.String(64), nullable=False),
        sa.Column("text_hash", sa.String(64), nullable=False),
        sa.Column("as_of", sa.Date(), nullable=False),
        sa.Column("fetched_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("recorded_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("body", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["run_id"], ["fq_run.id"], name="fk_fq_page_run_id"),
        sa.PrimaryKeyConstraint("id", name="pk_fq_page"),
    )
    op.create_index("ix_fq_page_url_hash", "fq_page", ["url_hash", "as_of"])
    op.create_index("ix_fq_page_run_id", "fq_page", ["run_id"])
    op.create_table(
        "fq_page_text",
        sa.Column("id", ID, nullable=False),
        sa.Column("text_hash", sa.String(64), nullable=False),
        sa.Column("recorded_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("body", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_fq_page_text"),
    )
    op.create_index("ix_fq_page_text_text_hash", "fq_page_text", ["text_hash"])
