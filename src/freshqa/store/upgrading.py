"""Migrate a database to the current schema, with the triggers that keep it append-only."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, Engine, inspect, select, text

from freshqa.dataset.question import REVISION_COLUMNS
from freshqa.errors import StoreError
from freshqa.store import schema
from freshqa.store.connecting import WRITES
from freshqa.store.ledger_schema import TABLES

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
            "Update prefect-freshqa to the release that created the store.",
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


RUN_IDENTITY = (
    "id",
    "dataset_id",
    "key",
    "flow",
    "as_of",
    "base_version",
    "settings",
    "started_at",
)
"""What a run was started with; its state and lease do change."""
BODY = {"body": "length(NEW.body) > 0"}
REDACTABLE = {
    "fq_artifact": BODY,
    "fq_check": BODY,
    "fq_proposal": BODY,
    "fq_search": BODY,
    "fq_page": BODY,
    "fq_page_text": BODY,
    "fq_completion": BODY,
    "fq_judgement": BODY,
    "fq_validation": {"report": "length(NEW.report) > 0"},
    "fq_decision": {"edits": "CAST(NEW.edits AS TEXT) <> '{}'", "reason": "NEW.reason <> ''"},
}
"""Table → columns that a redaction may empty → when they are not empty."""


@dataclass(frozen=True)
class Guard:
    """One refusal: an event on a table, under a condition on OLD and NEW ("" for always)."""

    name: str
    table: str
    event: str
    condition: str = ""

    @property
    def message(self) -> str:
        """The message of the database."""
        return f"{self.table} is append-only ({self.name})"


def guards(columns: Mapping[str, Sequence[str]]) -> list[Guard]:
    """Return every guard that both databases can express as a condition on one row.

    Args:
        columns: Table → its columns, as they are in the database.
    """
    kept = [Guard(f"{name}_no_delete", name, "DELETE") for name in columns]
    for name in columns:
        frozen: tuple[str, ...] = ()
        if name == "fq_run":
            frozen = RUN_IDENTITY
        elif name == "fq_revision":
            frozen = ("id", "question_id", "content_hash")
        elif name in REDACTABLE:
            emptied = REDACTABLE[name]
            frozen = tuple(c for c in columns[name] if c not in emptied)
            for column, full in emptied.items():
                guard = Guard(f"{name}_{column}_only_emptied", name, f"UPDATE OF {column}", full)
                kept.append(guard)
        of = f" OF {', '.join(frozen)}" if frozen else ""
        kept.append(Guard(f"{name}_no_update", name, f"UPDATE{of}"))
    texts = [c for c in REVISION_COLUMNS if c in columns.get("fq_revision", REVISION_COLUMNS)]
    redacted = " AND ".join(f"NEW.{c} IN (OLD.{c}, '')" for c in texts)
    redaction = f"NEW.redacted_at IS NULL OR NOT ({redacted})"
    kept.append(Guard("fq_revision_only_redacted", "fq_revision", "UPDATE", redaction))
    return kept


def create_triggers(connection: Connection) -> None:
    """Create every guard; to be called at the end of every migration.

    SQLite drops the triggers of a table that a migration rebuilds.
    """
    inspector = inspect(connection)
    there = set(inspector.get_table_names())
    columns = {
        name: [column["name"] for column in inspector.get_columns(name)]
        for name in TABLES
        if name in there
    }
    build = _sqlite if connection.dialect.name == "sqlite" else _postgresql
    for statement in build(columns):
        connection.exec_driver_sql(statement)


def drop_triggers(connection: Connection) -> None:
    """Remove every guard, so that a migration may rewrite rows."""
    for name, table in trigger_names(connection).items():
        on = "" if connection.dialect.name == "sqlite" else f" ON {table}"
        connection.exec_driver_sql(f"DROP TRIGGER {name}{on}")


def trigger_names(connection: Connection) -> dict[str, str]:
    """Return the guards that exist now: trigger → table."""
    if connection.dialect.name == "sqlite":
        query = "SELECT name, tbl_name FROM sqlite_master WHERE type = 'trigger'"
    else:
        query = (
            "SELECT tgname, relname FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid"
            " WHERE NOT tgisinternal AND relnamespace = current_schema()::regnamespace"
        )
    rows = connection.execute(text(query))
    return {name: table for name, table in rows if table in TABLES}


def _sqlite(columns: Mapping[str, Sequence[str]]) -> list[str]:
    seal = Guard(
        "fq_member_seal",
        "fq_member",
        "INSERT",
        "NEW.position NOT BETWEEN 0 AND"
        " (SELECT row_count - 1 FROM fq_version WHERE id = NEW.version_id)",
    )
    return [
        f"CREATE TRIGGER {guard.name} BEFORE {guard.event} ON {guard.table}"
        + (f" WHEN {guard.condition}" if guard.condition else "")
        + f" BEGIN SELECT RAISE(ABORT, '{guard.message}'); END"
        for guard in [*guards(columns), seal]
    ]


def _postgresql(columns: Mapping[str, Sequence[str]]) -> list[str]:
    refuse = """CREATE OR REPLACE FUNCTION fq_refuse() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN RAISE EXCEPTION '%%', TG_ARGV[0] USING ERRCODE = 'restrict_violation'; END $$"""
    seal = """CREATE OR REPLACE FUNCTION fq_seal() RETURNS trigger LANGUAGE plpgsql
        SET search_path FROM CURRENT AS $$ BEGIN
        IF EXISTS (SELECT 1 FROM inserted JOIN fq_version ON fq_version.id = inserted.version_id
                   WHERE position NOT BETWEEN 0 AND row_count - 1) THEN
            RAISE EXCEPTION 'fq_member is append-only (fq_member_seal)'
            USING ERRCODE = 'restrict_violation';
        END IF; RETURN NULL; END $$"""
    statements = [refuse, seal]
    for guard in guards(columns):
        condition = f" WHEN ({guard.condition})" if guard.condition else ""
        statements.append(
            f"CREATE TRIGGER {guard.name} BEFORE {guard.event} ON {guard.table} FOR EACH ROW"
            f"{condition} EXECUTE FUNCTION fq_refuse('{guard.message}')"
        )
    for table in columns:
        statements.append(
            f"CREATE TRIGGER {table}_no_truncate BEFORE TRUNCATE ON {table} FOR EACH STATEMENT"
            f" EXECUTE FUNCTION fq_refuse('{table} is append-only ({table}_no_truncate)')"
        )
    statements.append(
        "CREATE TRIGGER fq_member_seal AFTER INSERT ON fq_member"
        " REFERENCING NEW TABLE AS inserted FOR EACH STATEMENT EXECUTE FUNCTION fq_seal()"
    )
    return statements
