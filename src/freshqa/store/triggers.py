"""What the database itself refuses: changing or deleting what was published or recorded.

A version is sealed by its positions: they run from 0 to `row_count` - 1 and are unique, so nothing
can join a complete version once positions beyond the last are refused. Redaction is the one update
allowed: it can only empty a text. Triggers stop accidents and careless code; who owns the database
can drop them, and `verify` finds what was changed.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, inspect, text

from freshqa.dataset.question import REVISION_COLUMNS
from freshqa.store.ledger_schema import TABLES

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
        """What the database says."""
        return f"{self.table} is append-only ({self.name})"


def guards(columns: Mapping[str, Sequence[str]]) -> list[Guard]:
    """Return every refusal that both databases can say as a condition on one row.

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
    found = inspect(connection)
    there = set(found.get_table_names())
    columns = {
        name: [column["name"] for column in found.get_columns(name)]
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
