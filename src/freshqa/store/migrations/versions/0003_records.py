"""Records kept beside the ledger: validations, judgements, certificates."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
UTC = sa.DateTime(timezone=True)


def upgrade() -> None:
    """Create the tables in order of reference."""
    create_validation()
    create_judgement()
    create_certificate()


def create_validation() -> None:
    """Create `fq_validation`."""
    op.create_table(
        "fq_validation",
        sa.Column("id", ID, nullable=False),
        sa.Column("run_id", ID, nullable=True),
        sa.Column("version_id", ID, nullable=True),
        sa.Column("dataset_id", ID, nullable=False),
        sa.Column("success", sa.Boolean(), nullable=False),
        sa.Column("validated_at", UTC, nullable=False),
        sa.Column("report", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["dataset_id"], ["fq_dataset.id"], name="fk_fq_validation_dataset_id"
        ),
        sa.ForeignKeyConstraint(["run_id"], ["fq_run.id"], name="fk_fq_validation_run_id"),
        sa.ForeignKeyConstraint(
            ["version_id"], ["fq_version.id"], name="fk_fq_validation_version_id"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_fq_validation"),
    )
    op.create_index("ix_fq_validation_version_id", "fq_validation", ["version_id"], unique=False)


def create_judgement() -> None:
    """Create `fq_judgement`."""
    op.create_table(
        "fq_judgement",
        sa.Column("id", ID, nullable=False),
        sa.Column("dataset_id", ID, nullable=False),
        sa.Column("evaluation", sa.String(length=100), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("version_id", ID, nullable=True),
        sa.Column("mode", sa.String(length=20), nullable=False),
        sa.Column("judge", sa.String(length=200), nullable=False),
        sa.Column("verdict", sa.String(length=20), nullable=False),
        sa.Column("judged_at", UTC, nullable=False),
        sa.Column("body", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(
            ["dataset_id"], ["fq_dataset.id"], name="fk_fq_judgement_dataset_id"
        ),
        sa.ForeignKeyConstraint(
            ["version_id"], ["fq_version.id"], name="fk_fq_judgement_version_id"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_fq_judgement"),
        sa.UniqueConstraint(
            "dataset_id",
            "evaluation",
            "position",
            name="uq_fq_judgement_dataset_id_evaluation_position",
        ),
    )


def create_certificate() -> None:
    """Create `fq_certificate`."""
    op.create_table(
        "fq_certificate",
        sa.Column("id", ID, nullable=False),
        sa.Column("model", sa.String(length=200), nullable=False),
        sa.Column("issued_at", UTC, nullable=False),
        sa.Column("expires_at", UTC, nullable=False),
        sa.Column("body", sa.JSON(none_as_null=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_fq_certificate"),
    )
    op.create_index(
        "ix_fq_certificate_model", "fq_certificate", ["model", "issued_at"], unique=False
    )
