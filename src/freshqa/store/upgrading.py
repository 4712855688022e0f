"""Bring a database to the schema this code needs, whatever it holds and whoever else tries."""

from __future__ import annotations

from sqlalchemy import Connection, Engine, inspect, select, text

from freshqa.errors import StoreError
from freshqa.store import schema
from freshqa.store.connecting import WRITES
from freshqa.store.triggers import create_triggers, drop_triggers

MIGRATION_LOCK = 0x66726573687161  # "freshqa": one migration at a time on PostgreSQL


def current_revision(connection: Connection) -> str | None:
    """Return the schema's revision; None when there is none."""
    if not inspect(connection).has_table(schema.VERSION_TABLE):
        return None
    query = text(f"SELECT version_num FROM {schema.VERSION_TABLE}")
    return connection.execute(query).scalar_one_or_none()


def upgrade(engine: Engine, *, dataset: str, revision: str = "head") -> None:
    """Migrate in one transaction, and add the dataset when it is new.

    Args:
        engine: From `connect_engine`.
        dataset: Name of the dataset to have.
        revision: Where to stop; tests stop at earlier schemas.

    Raises:
        StoreError: the schema was made by a newer release, or the data breaks a foreign key.
    """
    with engine.connect() as connection:
        sqlite = connection.dialect.name == "sqlite"
        if sqlite:
            # no effect inside a transaction, and rebuilding a referenced table needs it off
            _foreign_keys(connection, "OFF")
        try:
            connection = connection.execution_options(**{WRITES: True})
            with connection.begin():
                if not sqlite:
                    connection.execute(text(f"SELECT pg_advisory_xact_lock({MIGRATION_LOCK})"))
                _migrate(connection, revision)
                _add_dataset(connection, dataset)
        finally:
            if sqlite:
                _foreign_keys(connection, "ON")


def _foreign_keys(connection: Connection, state: str) -> None:
    raw = connection.connection.cursor()  # below SQLAlchemy, which would begin a transaction
    raw.execute(f"PRAGMA foreign_keys = {state}")
    raw.close()


def _migrate(connection: Connection, revision: str) -> None:
    # Deferred: opening a store that is up to date, the everyday case, needs no alembic.
    from alembic import command
    from alembic.config import Config
    from alembic.util import CommandError

    if current_revision(connection) == schema.SCHEMA_REVISION:
        return
    config = Config()
    config.set_main_option("script_location", "freshqa.store:migrations")
    config.attributes["connection"] = connection
    drop_triggers(connection)
    try:
        command.upgrade(config, revision)
    except CommandError:
        raise StoreError(
            f"The store's schema {current_revision(connection)!r} is unknown to this release.",
            "Update prefect-freshqa to the release that made the store.",
        ) from None
    create_triggers(connection)
    if connection.dialect.name == "sqlite":
        broken = connection.exec_driver_sql("PRAGMA foreign_key_check").first()
        if broken is not None:
            raise StoreError(
                f"Row {broken[1]} of {broken[0]} refers to a missing row of {broken[2]}.",
                "Restore the store from a backup; nothing was migrated.",
            )


def _add_dataset(connection: Connection, slug: str) -> None:
    table = schema.dataset
    if connection.execute(select(table.c.id).where(table.c.slug == slug)).first() is None:
        connection.execute(table.insert().values(slug=slug))
