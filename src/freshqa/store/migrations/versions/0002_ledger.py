"""The ledger: runs, checks, proposals, decisions and paid calls."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
UTC = sa.DateTime(timezone=True)


def upgrade() -> None:
    """Create the tables in order of reference."""
    create_run()
    create_check()
    create_proposal()
    create_decision()
    create_publication()
    create_search()
    create_completion()


def create_run() -> None:
    """Create `fq_run`."""
    op.create_table(
        "fq_run",
        sa.Column("id", ID, nullable=False),
        sa.Column("dataset_id", ID, nullable=False),
        sa.Column("key", sa.String(length=200), nullable=False),
        sa.Column("flow", sa.String(length=100), nullable=False),
        sa.Column(
            "flow_run_id", sa.String(length=100), server_default=sa.text("''"), nullable=False
        ),
        sa.Column("as_of", sa.Date(), nullable=False),
        sa.Column("base_version", sa.Integer(), nullable=False),
        sa.Column("settings", sa.JSON(none_as_null=True), nullable=False),
        sa.Column("started_at", UTC, nullable=False),
        sa.Column("state", sa.String(length=20), nullable=False),
        sa.Column("finished_at", UTC, nullable=True),
        sa.Column("summary", sa.JSON(none_as_null=True), nullable=True),
        sa.Column(
            "lease_owner", sa.String(length=200), server_default=sa.text("''"), nullable=False
        ),
        sa.Column("lease_until", UTC, nullable=True),
        sa.ForeignKeyConstraint(["dataset_id"], ["fq_dataset.id"], name="fk_fq_run_dataset_id"),
        sa.PrimaryKeyConstraint("id", name="pk_fq_run"),
        sa.UniqueConstraint("dataset_id", "key", name="uq_fq_run_dataset_id_key"),
    )


def create_check() -> None:
    """Create `fq_check`."""
    op.create_table(
        "fq_check",
        sa.Column("id", ID, nullable=False),
        sa.Column("run_id", ID, nullable=False),
        sa.Column("question_id", ID, nullable=False),
        sa.Column("outcome", sa.String(length=30), nullable=False),
        sa.Column("risk", sa.Float(), nullable=False),
        sa.Column("cost_usd", sa.String(length=40), nullable=False),
        sa.Column("checked_at", UTC, nullable=False),
        sa.Column("body", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["question_id"], ["fq_question.id"], name="fk_fq_check_question_id"
        ),
        sa.ForeignKeyConstraint(["run_id"], ["fq_run.id"], name="fk_fq_check_run_id"),
        sa.PrimaryKeyConstraint("id", name="pk_fq_check"),
    )
    op.create_index("ix_fq_check_question_id", "fq_check", ["question_id", "run_id"], unique=False)
    op.create_index(
        "uq_fq_check_result",
        "fq_check",
        ["run_id", "question_id"],
        unique=True,
        sqlite_where=sa.text("outcome <> 'failed'"),
        postgresql_where=sa.text("outcome <> 'failed'"),
    )


def create_proposal() -> None:
    """Create `fq_proposal`."""
    op.create_table(
        "fq_proposal",
        sa.Column("id", ID, nullable=False),
        sa.Column("check_id", ID, nullable=False),
        sa.Column("run_id", ID, nullable=False),
        sa.Column("question_id", ID, nullable=False),
        sa.Column("base_revision", sa.LargeBinary(), nullable=False),
        sa.Column("outcome", sa.String(length=30), nullable=False),
        sa.Column("risk", sa.Float(), nullable=False),
        sa.Column("confidence", sa.Float(), nullable=False),
        sa.Column("created_at", UTC, nullable=False),
        sa.Column("body", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["check_id"], ["fq_check.id"], name="fk_fq_proposal_check_id"),
        sa.ForeignKeyConstraint(
            ["question_id"], ["fq_question.id"], name="fk_fq_proposal_question_id"
        ),
        sa.ForeignKeyConstraint(["run_id"], ["fq_run.id"], name="fk_fq_proposal_run_id"),
        sa.PrimaryKeyConstraint("id", name="pk_fq_proposal"),
        sa.UniqueConstraint("check_id", name="uq_fq_proposal_check_id"),
    )
    op.create_index("ix_fq_proposal_question_id", "fq_proposal", ["question_id"], unique=False)
    op.create_index("ix_fq_proposal_run_id", "fq_proposal", ["run_id"], unique=False)


def create_decision() -> None:
    """Create `fq_decision`."""
    op.create_table(
        "fq_decision",
        sa.Column("id", ID, nullable=False),
        sa.Column("proposal_id", ID, nullable=False),
        sa.Column("action", sa.String(length=20), nullable=False),
        sa.Column("decided_by", sa.String(length=200), nullable=False),
        sa.Column("decided_at", UTC, nullable=False),
        sa.Column("reason", sa.Text(), server_default=sa.text("''"), nullable=False),
        sa.Column("edits", sa.JSON(none_as_null=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["proposal_id"], ["fq_proposal.id"], name="fk_fq_decision_proposal_id"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_fq_decision"),
        sa.UniqueConstraint("proposal_id", name="uq_fq_decision_proposal_id"),
    )


def create_publication() -> None:
    """Create `fq_publication`."""
    op.create_table(
        "fq_publication",
        sa.Column("proposal_id", ID, autoincrement=False, nullable=False),
        sa.Column("version_id", ID, nullable=False),
        sa.ForeignKeyConstraint(
            ["proposal_id"], ["fq_proposal.id"], name="fk_fq_publication_proposal_id"
        ),
        sa.ForeignKeyConstraint(
            ["version_id"], ["fq_version.id"], name="fk_fq_publication_version_id"
        ),
        sa.PrimaryKeyConstraint("proposal_id", name="pk_fq_publication"),
    )
    op.create_index("ix_fq_publication_version_id", "fq_publication", ["version_id"], unique=False)


def create_search() -> None:
    """Create `fq_search`."""
    op.create_table(
        "fq_search",
        sa.Column("id", ID, nullable=False),
        sa.Column("run_id", ID, nullable=True),
        sa.Column("engine", sa.String(length=60), nullable=False),
        sa.Column("request_hash", sa.String(length=64), nullable=False),
        sa.Column("query_hash", sa.String(length=64), nullable=False),
        sa.Column("as_of", sa.Date(), nullable=True),
        sa.Column("fetched_at", UTC, nullable=False),
        sa.Column("recorded_at", UTC, nullable=False),
        sa.Column("cost_usd", sa.String(length=40), nullable=False),
        sa.Column("seconds", sa.Float(), nullable=False),
        sa.Column("body", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["run_id"], ["fq_run.id"], name="fk_fq_search_run_id"),
        sa.PrimaryKeyConstraint("id", name="pk_fq_search"),
    )
    op.create_index("ix_fq_search_query_hash", "fq_search", ["query_hash", "as_of"], unique=False)
    op.create_index(
        "ix_fq_search_request_hash", "fq_search", ["request_hash", "recorded_at"], unique=False
    )
    op.create_index("ix_fq_search_run_id", "fq_search", ["run_id"], unique=False)


def create_completion() -> None:
    """Create `fq_completion`."""
    op.create_table(
        "fq_completion",
        sa.Column("id", ID, nullable=False),
        sa.Column("run_id", ID, nullable=True),
        sa.Column("requested_model", sa.String(length=200), nullable=False),
        sa.Column("model", sa.String(length=200), nullable=False),
        sa.Column("prompt_hash", sa.String(length=64), nullable=False),
        sa.Column("settings_hash", sa.String(length=64), nullable=False),
        sa.Column("completed_at", UTC, nullable=False),
        sa.Column("recorded_at", UTC, nullable=False),
        sa.Column("prompt_tokens", sa.Integer(), nullable=False),
        sa.Column("completion_tokens", sa.Integer(), nullable=False),
        sa.Column("cost_usd", sa.String(length=40), nullable=False),
        sa.Column("seconds", sa.Float(), nullable=False),
        sa.Column("finish_reason", sa.String(length=60), nullable=False),
        sa.Column("body", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["run_id"], ["fq_run.id"], name="fk_fq_completion_run_id"),
        sa.PrimaryKeyConstraint("id", name="pk_fq_completion"),
    )
    op.create_index(
        "ix_fq_completion_prompt_hash",
        "fq_completion",
        ["prompt_hash", "recorded_at"],
        unique=False,
    )
    op.create_index("ix_fq_completion_run_id", "fq_completion", ["run_id"], unique=False)
