"""Run by alembic: migrate over the connection that `freshqa.store.upgrading` passes."""

from __future__ import annotations

from typing import Any

from alembic import context

from freshqa.store.ledger_schema import TABLES
from freshqa.store.schema import VERSION_TABLE, metadata


def ours(name: str | None, kind: str, parents: Any) -> bool:
    """Only our tables: the database may belong to others too."""
    return kind != "table" or name in TABLES


def migrate() -> None:
    """Migrate inside the transaction of the connection that was handed in."""
    context.configure(
        connection=context.config.attributes["connection"],
        target_metadata=metadata,
        version_table=VERSION_TABLE,
        include_name=ours,
        render_as_batch=True,
        compare_type=True,
        compare_server_default=True,
    )
    with context.begin_transaction():
        context.run_migrations()


if hasattr(context, "config"):  # only while alembic runs this file, not when it is imported
    migrate()
