"""Tables of versions: content-addressed revisions, and which of them each version holds."""

from __future__ import annotations

import json
import zlib
from datetime import datetime, timezone
from decimal import Decimal
from typing import Any

from sqlalchemy import (
    JSON,
    BigInteger,
    CheckConstraint,
    Column,
    Date,
    DateTime,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
    text,
)
from sqlalchemy.engine import Dialect
from sqlalchemy.types import TypeDecorator

from freshqa.dataset.question import REVISION_COLUMNS


class Utc(TypeDecorator[datetime]):
    """An aware time, kept in UTC: SQLite would drop the offset and keep the wall clock."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """To UTC; a naive time is a programming error."""
        if value is not None and value.tzinfo is None:
            raise ValueError(f"naive time {value!r}: give it a time zone")
        return value.astimezone(timezone.utc) if value is not None else None

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        """Aware again."""
        if value is None:
            return None
        return (
            value.replace(tzinfo=timezone.utc)
            if value.tzinfo is None
            else value.astimezone(timezone.utc)
        )


class Money(TypeDecorator[Decimal]):
    """US dollars as a decimal string: SQLite's NUMERIC would go through a float."""

    impl = String(40)
    cache_ok = True

    def process_bind_param(self, value: Decimal | None, dialect: Dialect) -> str | None:
        """Plain notation, so that `SUM(CAST(... AS REAL))` works in SQL."""
        return format(value, "f") if value is not None else None

    def process_result_value(self, value: str | None, dialect: Dialect) -> Decimal | None:
        """Return the same number of decimals as written."""
        return Decimal(value) if value is not None else None


class Packed(TypeDecorator[Any]):
    """JSON, compressed: for raw bodies, which are large and rarely read.

    ASCII escapes carry what a text column would refuse: NUL and lone surrogates from the web.
    """

    impl = LargeBinary
    cache_ok = True

    def process_bind_param(self, value: Any, dialect: Dialect) -> bytes | None:
        """Compact ASCII JSON through zlib."""
        if value is None:
            return None
        return zlib.compress(json.dumps(value, separators=(",", ":"), default=str).encode("ascii"))

    def process_result_value(self, value: bytes | None, dialect: Dialect) -> Any:
        """Return the JSON value; None for a redacted one."""
        return json.loads(zlib.decompress(value)) if value else None


class Compressed(TypeDecorator[bytes]):
    """Bytes, compressed: for the original of an imported file."""

    impl = LargeBinary
    cache_ok = True

    def process_bind_param(self, value: bytes | None, dialect: Dialect) -> bytes | None:
        """Through zlib, so that only a redacted body is empty."""
        return zlib.compress(value) if value is not None else None

    def process_result_value(self, value: bytes | None, dialect: Dialect) -> bytes | None:
        """Return the bytes as they were given; None for redacted ones."""
        return zlib.decompress(value) if value else None


Json = JSON(none_as_null=True)
"""Small JSON that people read with SQL; escapes keep NUL and lone surrogates, as in `Packed`."""


VERSION_TABLE = "fq_alembic_version"
"""Own table for the schema's revision, so that the store may share a database."""
SCHEMA_REVISION = "0008"
"""The migration that this code needs."""
HASH_ALGORITHM = "fq1-sha256"

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)

Id = BigInteger().with_variant(Integer, "sqlite")
"""SQLite gives numbers by itself only to a column declared INTEGER."""

dataset = Table(
    "fq_dataset",
    metadata,
    Column("id", Id, primary_key=True),
    Column("slug", String(100), nullable=False, unique=True),
)

question = Table(
    "fq_question",
    metadata,
    Column("id", Id, primary_key=True),
    Column("dataset_id", Id, ForeignKey("fq_dataset.id"), nullable=False),
    Column("key", String(100), nullable=False),
    UniqueConstraint("dataset_id", "key"),
)

revision = Table(
    "fq_revision",
    metadata,
    Column("id", Id, primary_key=True),
    Column("question_id", Id, ForeignKey("fq_question.id"), nullable=False),
    Column("content_hash", LargeBinary, nullable=False),
    *(Column(name, Text, nullable=False, server_default=text("''")) for name in REVISION_COLUMNS),
    Column("redacted_at", Utc, nullable=True),  # its text is gone by request, its hash stays
    Column("redaction_reason", Text, nullable=False, server_default=text("''")),
    UniqueConstraint("question_id", "content_hash"),
    UniqueConstraint("question_id", "id"),  # what a member refers to
    CheckConstraint("length(content_hash) = 32", name="hash_is_sha256"),
)

version = Table(
    "fq_version",
    metadata,
    Column("id", Id, primary_key=True),
    Column("dataset_id", Id, ForeignKey("fq_dataset.id"), nullable=False),
    Column("number", Integer, nullable=False),
    Column("parent_id", Id, nullable=True),
    Column("as_of", Date, nullable=False),
    Column("published_at", Utc, nullable=False),
    Column("kind", String(20), nullable=False),
    Column("message", Text, nullable=False, server_default=text("''")),
    Column("run", String(200), nullable=False, server_default=text("''")),
    Column("row_count", Integer, nullable=False),
    Column("hash_algorithm", String(20), nullable=False),
    Column("content_hash", String(64), nullable=False),
    Column("chain_hash", String(64), nullable=False),
    Column("dialect", Json, nullable=True),
    UniqueConstraint("dataset_id", "number"),
    UniqueConstraint("parent_id"),  # the lock of two publishers: one child per version
    UniqueConstraint("dataset_id", "id"),
    ForeignKeyConstraint(["dataset_id", "parent_id"], ["fq_version.dataset_id", "fq_version.id"]),
    CheckConstraint("(number = 1) = (parent_id IS NULL)", name="only_first_has_no_parent"),
    CheckConstraint("kind IN ('publish', 'import', 'rollback')", name="kind_is_known"),
    Index("ix_fq_version_dataset_id_as_of_number", "dataset_id", "as_of", "number"),
)

member = Table(
    "fq_member",
    metadata,
    Column("version_id", Id, ForeignKey("fq_version.id"), primary_key=True, autoincrement=False),
    Column("question_id", Id, primary_key=True, autoincrement=False),
    Column("revision_id", Id, nullable=False),
    Column("position", Integer, nullable=False),
    UniqueConstraint("version_id", "position"),
    ForeignKeyConstraint(
        ["question_id", "revision_id"], ["fq_revision.question_id", "fq_revision.id"]
    ),
    sqlite_with_rowid=False,
)

tag = Table(
    "fq_tag",
    metadata,
    Column("id", Id, primary_key=True),
    Column("dataset_id", Id, nullable=False),
    Column("name", String(100), nullable=False),
    Column("move", Integer, nullable=False),  # 1 when created, then one more for each move
    Column("version_id", Id, nullable=False),
    Column("tagged_at", Utc, nullable=False),
    UniqueConstraint("dataset_id", "name", "move"),
    ForeignKeyConstraint(["dataset_id", "version_id"], ["fq_version.dataset_id", "fq_version.id"]),
)

artifact = Table(
    "fq_artifact",
    metadata,
    Column("version_id", Id, ForeignKey("fq_version.id"), primary_key=True, autoincrement=False),
    Column("kind", String(40), primary_key=True),
    Column("sha256", String(64), nullable=False),
    Column("size", BigInteger, nullable=False),
    Column("body", Compressed, nullable=False),
)
