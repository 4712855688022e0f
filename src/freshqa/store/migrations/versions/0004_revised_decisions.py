"""Decisions may be replaced: numbered per proposal, the newest counts."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Number the decisions of a proposal; those there are become number 1."""
    with op.batch_alter_table("fq_decision") as table:
        table.add_column(
            sa.Column("sequence", sa.Integer(), server_default=sa.text("1"), nullable=False)
        )
        table.drop_constraint("uq_fq_decision_proposal_id", type_="unique")
        table.create_unique_constraint(
            "uq_fq_decision_proposal_id_sequence", ["proposal_id", "sequence"]
        )
