"""A history is read by primary key, version by version; an index of its own was a quarter of a file."""

from __future__ import annotations

from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Drop the index; SQLite gives the room back to later versions, or to the disk by VACUUM."""
    op.drop_index("ix_fq_member_history", table_name="fq_member")
