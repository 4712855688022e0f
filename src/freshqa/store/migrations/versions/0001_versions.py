"""Versions: datasets, questions, revisions, versions, their members, tags, artifacts."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
UTC = sa.DateTime(timezone=True)


def upgrade() -> None:
    """Create the tables in order of reference."""
    create_dataset()
    create_question()
    create_revision()
    create_version()
    create_member()
    create_tag()
    create_artifact()


def create_dataset() -> None:
    """Create `fq_dataset`."""
    op.create_table(
        "fq_dataset",
        sa.Column("id", ID, nullable=False),
        sa.Column("slug", sa.String(length=100), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_fq_dataset"),
        sa.UniqueConstraint("slug", name="uq_fq_dataset_slug"),
    )


def create_question() -> None:
    """Create `fq_question`."""
    op.create_table(
        "fq_question",
        sa.Column("id", ID, nullable=False),
        sa.Column("dataset_id", ID, nullable=False),
        sa.Column("key", sa.String(length=100), nullable=False),
        sa.ForeignKeyConstraint(
            ["dataset_id"], ["fq_dataset.id"], name="fk_fq_question_dataset_id"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_fq_question"),
        sa.UniqueConstraint("dataset_id", "key", name="uq_fq_question_dataset_id_key"),
    )


def create_revision() -> None:
    """Create `fq_revision`."""
    op.create_table(
        "fq_revision",
        sa.Column("id", ID, nullable=False),
        sa.Column("question_id", ID, nullable=False),
        sa.Column("content_hash", sa.LargeBinary(), nullable=False),
        sa.Column("split", sa.Text(), server_default=sa.text("''"), nullable=False),
        sa.Column("question", sa.Text(), server_default=sa.text("''"), nullable=False),
        sa.Column("effective_year", sa.Text(), server_default=sa.text("''"), nullable=False),
        sa.Column("next_review", sa.Text(), server_default=sa.text("''"), nullable=False),
        sa.Column("false_premise", sa.Text(), server_default=sa.text("''"), nullable=False),
        sa.Column("num_hops", sa.Text(), server_default=sa.text("''"), nullable=False),
        sa.Column("fact_type", sa.Text(), server_default=sa.text("''"), nullable=False),
        sa.Column("source", sa.Text(), server_default=sa.text("''"), nullable=False),
        sa.Column("answer_0", sa.Text(), server_default=sa.text("''"), nullable=False),
        sa.Column("answer_1", sa.Text(), server_default=sa.text("''"), nullable=False),
        sa.Column("answer_2", sa.Text(), server_default=sa.text("''"), nullable=False),
        sa.Column("answer_3", sa.Text(), server_default=sa.text("''"), nullable=False),
        sa.Column("answer_4", sa.Text(), server_default=sa.text("''"), nullable=False),
        sa.Column("answer_5", sa.Text(), server_default=sa.text("''"), nullable=False),
        sa.Column("answer_6", sa.Text(), server_default=sa.text("''"), nullable=False),
        sa.Column("answer_7", sa.Text(), server_default=sa.text("''"), nullable=False),
        sa.Column("answer_8", sa.Text(), server_default=sa.text("''"), nullable=False),
        sa.Column("answer_9", sa.Text(), server_default=sa.text("''"), nullable=False),
        sa.Column("note", sa.Text(), server_default=sa.text("''"), nullable=False),
        sa.Column("redacted_at", UTC, nullable=True),
        sa.Column("redaction_reason", sa.Text(), server_default=sa.text("''"), nullable=False),
        sa.CheckConstraint("length(content_hash) = 32", name="ck_fq_revision_hash_is_sha256"),
        sa.ForeignKeyConstraint(
            ["question_id"], ["fq_question.id"], name="fk_fq_revision_question_id"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_fq_revision"),
        sa.UniqueConstraint(
            "question_id", "content_hash", name="uq_fq_revision_question_id_content_hash"
        ),
        sa.UniqueConstraint("question_id", "id", name="uq_fq_revision_question_id_id"),
    )


def create_version() -> None:
    """Create `fq_version`."""
    op.create_table(
        "fq_version",
        sa.Column("id", ID, nullable=False),
        sa.Column("dataset_id", ID, nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("parent_id", ID, nullable=True),
        sa.Column("as_of", sa.Date(), nullable=False),
        sa.Column("published_at", UTC, nullable=False),
        sa.Column("kind", sa.String(length=20), nullable=False),
        sa.Column("message", sa.Text(), server_default=sa.text("''"), nullable=False),
        sa.Column("run", sa.String(length=200), server_default=sa.text("''"), nullable=False),
        sa.Column("row_count", sa.Integer(), nullable=False),
        sa.Column("hash_algorithm", sa.String(length=20), nullable=False),
        sa.Column("content_hash", sa.String(length=64), nullable=False),
        sa.Column("chain_hash", sa.String(length=64), nullable=False),
        sa.Column("dialect", sa.JSON(none_as_null=True), nullable=True),
        sa.CheckConstraint(
            "kind IN ('publish', 'import', 'rollback')", name="ck_fq_version_kind_is_known"
        ),
        sa.CheckConstraint(
            "(number = 1) = (parent_id IS NULL)", name="ck_fq_version_only_first_has_no_parent"
        ),
        sa.ForeignKeyConstraint(
            ["dataset_id", "parent_id"],
            ["fq_version.dataset_id", "fq_version.id"],
            name="fk_fq_version_dataset_id_parent_id",
        ),
        sa.ForeignKeyConstraint(["dataset_id"], ["fq_dataset.id"], name="fk_fq_version_dataset_id"),
        sa.PrimaryKeyConstraint("id", name="pk_fq_version"),
        sa.UniqueConstraint("dataset_id", "id", name="uq_fq_version_dataset_id_id"),
        sa.UniqueConstraint("dataset_id", "number", name="uq_fq_version_dataset_id_number"),
        sa.UniqueConstraint("parent_id", name="uq_fq_version_parent_id"),
    )
    op.create_index(
        "ix_fq_version_dataset_id_as_of_number",
        "fq_version",
        ["dataset_id", "as_of", "number"],
        unique=False,
    )


def create_member() -> None:
    """Create `fq_member`."""
    op.create_table(
        "fq_member",
        sa.Column("version_id", ID, autoincrement=False, nullable=False),
        sa.Column("question_id", ID, autoincrement=False, nullable=False),
        sa.Column("revision_id", ID, nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["question_id", "revision_id"],
            ["fq_revision.question_id", "fq_revision.id"],
            name="fk_fq_member_question_id_revision_id",
        ),
        sa.ForeignKeyConstraint(["version_id"], ["fq_version.id"], name="fk_fq_member_version_id"),
        sa.PrimaryKeyConstraint("version_id", "question_id", name="pk_fq_member"),
        sa.UniqueConstraint("version_id", "position", name="uq_fq_member_version_id_position"),
        sqlite_with_rowid=False,
    )
    op.create_index(
        "ix_fq_member_history",
        "fq_member",
        ["question_id", "version_id", "revision_id"],
        unique=False,
    )


def create_tag() -> None:
    """Create `fq_tag`."""
    op.create_table(
        "fq_tag",
        sa.Column("id", ID, nullable=False),
        sa.Column("dataset_id", ID, nullable=False),
        sa.Column("name", sa.String(length=100), nullable=False),
        sa.Column("move", sa.Integer(), nullable=False),
        sa.Column("version_id", ID, nullable=False),
        sa.Column("tagged_at", UTC, nullable=False),
        sa.ForeignKeyConstraint(
            ["dataset_id", "version_id"],
            ["fq_version.dataset_id", "fq_version.id"],
            name="fk_fq_tag_dataset_id_version_id",
        ),
        sa.PrimaryKeyConstraint("id", name="pk_fq_tag"),
        sa.UniqueConstraint("dataset_id", "name", "move", name="uq_fq_tag_dataset_id_name_move"),
    )


def create_artifact() -> None:
    """Create `fq_artifact`."""
    op.create_table(
        "fq_artifact",
        sa.Column("version_id", ID, autoincrement=False, nullable=False),
        sa.Column("kind", sa.String(length=40), nullable=False),
        sa.Column("sha256", sa.String(length=64), nullable=False),
        sa.Column("size", sa.BigInteger(), nullable=False),
        sa.Column("body", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["version_id"], ["fq_version.id"], name="fk_fq_artifact_version_id"
        ),
        sa.PrimaryKeyConstraint("version_id", "kind", name="pk_fq_artifact"),
    )
