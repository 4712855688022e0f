"""Revisions keep the columns of their file that a question does not have."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Add the column; rows without attributes keep their hash."""
    op.add_column(
        "fq_revision",
        sa.Column("attributes", sa.Text(), nullable=False, server_default=sa.text("''")),
    )
