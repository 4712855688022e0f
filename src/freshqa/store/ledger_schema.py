"""Tables of the ledger: what every run did, paid, suggested, and what was decided.

A run's row alone is ever updated (its state and lease); everything else is only appended.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Date,
    Float,
    ForeignKey,
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

from freshqa.store.schema import Id, Json, Money, Packed, Utc, metadata

run = Table(
    "fq_run",
    metadata,
    Column("id", Id, primary_key=True),
    Column("dataset_id", Id, ForeignKey("fq_dataset.id"), nullable=False),
    Column("key", String(200), nullable=False),
    Column("flow", String(100), nullable=False),
    Column("flow_run_id", String(100), nullable=False, server_default=text("''")),
    Column("as_of", Date, nullable=False),
    Column("base_version", Integer, nullable=False),
    Column("settings", Json, nullable=False),
    Column("started_at", Utc, nullable=False),
    Column("state", String(20), nullable=False),
    Column("finished_at", Utc, nullable=True),
    Column("summary", Json, nullable=True),
    Column("lease_owner", String(200), nullable=False, server_default=text("''")),
    Column("lease_until", Utc, nullable=True),
    UniqueConstraint("dataset_id", "key"),
)

check = Table(
    "fq_check",
    metadata,
    Column("id", Id, primary_key=True),
    Column("run_id", Id, ForeignKey("fq_run.id"), nullable=False),
    Column("question_id", Id, ForeignKey("fq_question.id"), nullable=False),
    Column("outcome", String(30), nullable=False),
    Column("risk", Float, nullable=False),
    Column("cost_usd", Money, nullable=False),
    Column("checked_at", Utc, nullable=False),
    Column("body", Packed, nullable=False),
    # a failed check may be repeated, one with a result is never doubled
    Index(
        "uq_fq_check_result",
        "run_id",
        "question_id",
        unique=True,
        sqlite_where=text("outcome <> 'failed'"),
        postgresql_where=text("outcome <> 'failed'"),
    ),
    Index("ix_fq_check_question_id", "question_id", "run_id"),
)

proposal = Table(
    "fq_proposal",
    metadata,
    Column("id", Id, primary_key=True),
    Column("check_id", Id, ForeignKey("fq_check.id"), nullable=False, unique=True),
    Column("run_id", Id, ForeignKey("fq_run.id"), nullable=False),
    Column("question_id", Id, ForeignKey("fq_question.id"), nullable=False),
    Column("base_revision", LargeBinary, nullable=False),
    Column("outcome", String(30), nullable=False),
    Column("risk", Float, nullable=False),
    Column("confidence", Float, nullable=False),
    Column("created_at", Utc, nullable=False),
    Column("body", Packed, nullable=False),
    Index("ix_fq_proposal_question_id", "question_id"),
    Index("ix_fq_proposal_run_id", "run_id"),
)

decision = Table(
    "fq_decision",
    metadata,
    Column("id", Id, primary_key=True),
    Column("proposal_id", Id, ForeignKey("fq_proposal.id"), nullable=False),
    # 1, and one more for each decision that replaces it: the lock of two reviewers
    Column("sequence", Integer, nullable=False, server_default=text("1")),
    Column("action", String(20), nullable=False),
    Column("decided_by", String(200), nullable=False),
    Column("decided_at", Utc, nullable=False),
    Column("reason", Text, nullable=False, server_default=text("''")),
    Column("edits", Json, nullable=False),
    UniqueConstraint("proposal_id", "sequence"),
)

publication = Table(
    "fq_publication",
    metadata,
    Column("proposal_id", Id, ForeignKey("fq_proposal.id"), primary_key=True, autoincrement=False),
    Column("version_id", Id, ForeignKey("fq_version.id"), nullable=False),
    Index("ix_fq_publication_version_id", "version_id"),
)

search = Table(
    "fq_search",
    metadata,
    Column("id", Id, primary_key=True),
    Column("run_id", Id, ForeignKey("fq_run.id"), nullable=True),
    Column("engine", String(60), nullable=False),
    Column("request_hash", String(64), nullable=False),
    Column("query_hash", String(64), nullable=False),
    Column("as_of", Date, nullable=True),
    Column("fetched_at", Utc, nullable=False),
    Column("recorded_at", Utc, nullable=False),
    Column("cost_usd", Money, nullable=False),
    Column("seconds", Float, nullable=False),
    Column("body", Packed, nullable=False),
    Index("ix_fq_search_request_hash", "request_hash", "recorded_at"),
    Index("ix_fq_search_query_hash", "query_hash", "as_of"),
    Index("ix_fq_search_run_id", "run_id"),
)

page = Table(
    "fq_page",
    metadata,
    Column("id", Id, primary_key=True),
    Column("run_id", Id, ForeignKey("fq_run.id"), nullable=True),
    Column("url_hash", String(64), nullable=False),
    Column("text_hash", String(64), nullable=False),  # "" for a page that was not read
    Column("as_of", Date, nullable=False),
    Column("fetched_at", Utc, nullable=False),
    Column("recorded_at", Utc, nullable=False),
    Column("body", Packed, nullable=False),
    Index("ix_fq_page_url_hash", "url_hash", "as_of"),
    Index("ix_fq_page_run_id", "run_id"),
)

page_text = Table(
    "fq_page_text",
    metadata,
    Column("id", Id, primary_key=True),
    Column("text_hash", String(64), nullable=False),
    Column("recorded_at", Utc, nullable=False),
    Column("body", Packed, nullable=False),
    # not unique: a text that was emptied and is read again gets another row
    Index("ix_fq_page_text_text_hash", "text_hash"),
)

completion = Table(
    "fq_completion",
    metadata,
    Column("id", Id, primary_key=True),
    Column("run_id", Id, ForeignKey("fq_run.id"), nullable=True),
    Column("requested_model", String(200), nullable=False),
    Column("model", String(200), nullable=False),
    Column("prompt_hash", String(64), nullable=False),
    Column("settings_hash", String(64), nullable=False),
    Column("completed_at", Utc, nullable=False),
    Column("recorded_at", Utc, nullable=False),
    Column("prompt_tokens", Integer, nullable=False),
    Column("completion_tokens", Integer, nullable=False),
    Column("cost_usd", Money, nullable=False),
    Column("seconds", Float, nullable=False),
    Column("finish_reason", String(60), nullable=False),
    Column("body", Packed, nullable=False),
    Index("ix_fq_completion_prompt_hash", "prompt_hash", "recorded_at"),
    Index("ix_fq_completion_run_id", "run_id"),
)

validation = Table(
    "fq_validation",
    metadata,
    Column("id", Id, primary_key=True),
    Column("run_id", Id, ForeignKey("fq_run.id"), nullable=True),
    Column("version_id", Id, ForeignKey("fq_version.id"), nullable=True),
    Column("dataset_id", Id, ForeignKey("fq_dataset.id"), nullable=False),
    Column("success", Boolean, nullable=False),
    Column("validated_at", Utc, nullable=False),
    Column("report", Packed, nullable=False),
    Index("ix_fq_validation_version_id", "version_id"),
)

judgement = Table(
    "fq_judgement",
    metadata,
    Column("id", Id, primary_key=True),
    Column("dataset_id", Id, ForeignKey("fq_dataset.id"), nullable=False),
    Column("evaluation", String(100), nullable=False),
    Column("position", Integer, nullable=False),
    Column("version_id", Id, ForeignKey("fq_version.id"), nullable=True),
    Column("mode", String(20), nullable=False),
    Column("judge", String(200), nullable=False),
    Column("verdict", String(20), nullable=False),
    Column("judged_at", Utc, nullable=False),
    Column("body", Packed, nullable=False),
    UniqueConstraint("dataset_id", "evaluation", "position"),
)

certificate = Table(
    "fq_certificate",
    metadata,
    Column("id", Id, primary_key=True),
    Column("model", String(200), nullable=False),
    Column("issued_at", Utc, nullable=False),
    Column("expires_at", Utc, nullable=False),
    Column("body", Json, nullable=False),
    Index("ix_fq_certificate_model", "model", "issued_at"),
)

TABLES = metadata.tables
"""Every table of the store by name, versions and ledger."""

# What a run has spent, and what its calls in flight have set aside, is updated: the ledger is the
# record, and these tables are not among it, so that no trigger guards them.
budgets = MetaData(naming_convention=metadata.naming_convention)

spending = Table(
    "fq_spending",
    budgets,
    Column("run_id", Id, ForeignKey(run.c.id), primary_key=True, autoincrement=False),
    Column("searches", Integer, nullable=False),
    Column("completions", Integer, nullable=False),
    Column("tokens", BigInteger, nullable=False),
    Column("usd", Money, nullable=False),
    Column("search_usd", Money, nullable=False),  # of the dearest call so far, as are these
    Column("completion_tokens", BigInteger, nullable=False),
    Column("completion_usd", Money, nullable=False),
)

reservation = Table(
    "fq_reservation",
    budgets,
    Column("id", Id, primary_key=True),
    Column("run_id", Id, ForeignKey(run.c.id), nullable=False),
    Column("searches", Integer, nullable=False),
    Column("tokens", BigInteger, nullable=False),
    Column("usd", Money, nullable=False),
    Column("owner", String(200), nullable=False),
    Column("until", Utc, nullable=False),
    Index("ix_fq_reservation_run_id", "run_id"),
)
