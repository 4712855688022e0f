"""The few statements that every question runs, on the cursor of the database driver.

SQLAlchemy takes several times as long as the database to run a small statement. Here each is
compiled once per kind of database, with SQLAlchemy's own conversions of values, and then executed
without its connections, contexts and results. Errors are SQLAlchemy's.
"""

from __future__ import annotations

from collections import namedtuple
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from typing import Any, TypeAlias

from sqlalchemy import Connection, Delete, Engine, Insert, Select, Table, Update, bindparam, insert
from sqlalchemy.engine import Dialect
from sqlalchemy.exc import DBAPIError

from freshqa.store import connecting

Conversion = Callable[[Any], Any]
Sql: TypeAlias = Select[Any] | Insert | Update | Delete


class DirectConnection:
    """A connection of an engine's pool, in a transaction."""

    def __init__(self, dialect: Dialect, cursor: Any) -> None:
        self.dialect, self.cursor = dialect, cursor


@contextmanager
def transaction(engine: Engine, *, writes: bool) -> Iterator[DirectConnection]:
    """Commit what is executed in the block, or nothing of it.

    Args:
        writes: Without, the block executes one statement, which needs no transaction of SQLite.

    Raises:
        DBAPIError: the driver failed.
    """
    dialect = engine.dialect
    errors = dialect.loaded_dbapi.Error
    with _errors(dialect):
        pooled = engine.raw_connection()
        try:
            cursor = pooled.cursor()
            if writes:
                cursor.execute(_begin_to_write(dialect))
            yield DirectConnection(dialect, cursor)
            cursor.close()
            pooled.commit()
        except errors as failure:
            if dialect.is_disconnect(failure, pooled.dbapi_connection, None):
                pooled.invalidate(failure)
            raise
        finally:
            pooled.close()  # also rolls back


@contextmanager
def inside(connection: Connection) -> Iterator[DirectConnection]:
    """Execute statements in the transaction of a connection of SQLAlchemy; raises `DBAPIError`."""
    with _errors(connection.dialect), closing(connection.connection.cursor()) as cursor:
        yield DirectConnection(connection.dialect, cursor)


@contextmanager
def _errors(dialect: Dialect) -> Iterator[None]:
    errors = dialect.loaded_dbapi.Error
    try:
        yield
    except errors as failure:
        raise DBAPIError.instance(None, None, failure, errors, dialect=dialect) from failure


def _begin_to_write(dialect: Dialect) -> str:
    if dialect.name == "sqlite":
        return "BEGIN IMMEDIATE"
    return f"SET LOCAL lock_timeout = {round(connecting.BUSY_SECONDS * 1000)}"


class _Compiled:
    """A statement for one kind of database."""

    def __init__(self, statement: Sql, dialect: Dialect) -> None:
        compiled = statement.compile(dialect=dialect)
        self.text = str(compiled)
        self.order: tuple[str, ...] | None = None
        if compiled.positional:
            self.order = tuple(compiled.positiontup or ())
        self.fixed: dict[str, Any] = {}
        self.conversions: list[tuple[str, Conversion | None]] = []
        for part, name in compiled.bind_names.items():
            convert = part.type.dialect_impl(dialect).bind_processor(dialect)
            if part.required:
                self.conversions.append((name, convert))
            else:
                value = part.effective_value
                self.fixed[name] = convert(value) if convert else value
        columns = statement.selected_columns if isinstance(statement, Select) else ()
        self._row: Any = namedtuple("Row", [column.key for column in columns])  # type: ignore[misc]
        self._types = [column.type.dialect_impl(dialect) for column in columns]
        self._dialect = dialect
        self._results: list[Conversion | None] | None = None

    def parameters(self, values: Mapping[str, Any]) -> Any:
        ready = dict(self.fixed)
        for name, convert in self.conversions:
            ready[name] = convert(values[name]) if convert else values[name]
        return ready if self.order is None else [ready[name] for name in self.order]

    def read(self, cursor: Any) -> Iterator[Any]:
        if self._results is None:
            kinds = zip(self._types, cursor.description, strict=True)
            self._results = [kind.result_processor(self._dialect, of[1]) for kind, of in kinds]
        for row in cursor.fetchall():
            cells = zip(row, self._results, strict=True)
            yield self._row(*[convert(cell) if convert else cell for cell, convert in cells])


class Statement:
    """A statement whose values are `bindparam`s.

    Args:
        statement: What is executed.
    """

    def __init__(self, statement: Sql) -> None:
        self._statement = statement
        self._compiled: dict[str, _Compiled] = {}

    def execute(self, connection: DirectConnection, values: Mapping[str, Any]) -> None:
        """Execute it, with a value for each `bindparam`."""
        compiled = self._for(connection.dialect)
        connection.cursor.execute(compiled.text, compiled.parameters(values))

    def rows(self, connection: DirectConnection, values: Mapping[str, Any]) -> Iterator[Any]:
        """Execute it and return named tuples of its columns, converted one after the other."""
        compiled = self._for(connection.dialect)
        connection.cursor.execute(compiled.text, compiled.parameters(values))
        return compiled.read(connection.cursor)

    def first(self, connection: DirectConnection, values: Mapping[str, Any]) -> Any:
        """Execute it and return the first row; None when there is none."""
        return next(self.rows(connection, values), None)

    def _for(self, dialect: Dialect) -> _Compiled:
        if dialect.name not in self._compiled:
            self._compiled[dialect.name] = self._compile(dialect)
        return self._compiled[dialect.name]

    def _compile(self, dialect: Dialect) -> _Compiled:
        return _Compiled(self._statement, dialect)


class InsertInto(Statement):
    """A statement that inserts one row, with a value for each column but the id."""

    def __init__(self, table: Table) -> None:
        self._table = table
        columns = (column for column in table.c if column is not table.c.id)
        values = {column.name: bindparam(column.name, type_=column.type) for column in columns}
        super().__init__(insert(table).values(values))

    def id(self, connection: DirectConnection, values: Mapping[str, Any]) -> int:
        """Insert the row and return its id."""
        self.execute(connection, values)
        if connection.dialect.name == "sqlite":
            return int(connection.cursor.lastrowid)
        return int(connection.cursor.fetchone()[0])

    def _compile(self, dialect: Dialect) -> _Compiled:
        statement = self._statement
        if dialect.name != "sqlite":
            assert isinstance(statement, Insert)
            statement = statement.returning(self._table.c.id)
        return _Compiled(statement, dialect)
