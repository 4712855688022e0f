"""Settings of an evaluation: small JSON that names blocks and files; never secrets or data."""

from __future__ import annotations

from datetime import date
from decimal import Decimal

from pydantic import BaseModel, ConfigDict, Field

from freshqa.answering.method_options import Way
from freshqa.answering.settings import DEFAULT_PROFILE, SETTINGS
from freshqa.choices import AnyMethod, GradingMode
from freshqa.defaults import MAX_AT_ONCE, REUSE_DAYS
from freshqa.evaluation.judgement import Mode
from prefect_freshqa.tasks.parameters import NoSecret, grouped


class EvaluationSettings(BaseModel, extra="forbid", frozen=True):
    """Settings of one evaluation, shown as a form in the Prefect UI."""

    model_config = ConfigDict(
        json_schema_extra=grouped(
            measure="version tag as_of by_response_date since compare split",
            budget="budget_usd budget_searches budget_tokens",
            running="concurrency reuse_days batch_size",
            research="profile premise_check instruction demonstrations judge_prompts",
        )
    )

    store: NoSecret = Field(
        default="",
        examples=["production"],
        description="Name of a FreshQAStore block. Empty: PREFECT_FRESHQA_STORE, else a file in the user's data directory.",
    )
    responses: str = Field(
        default="",
        examples=["responses.jsonl"],
        description="File of responses, where the worker can read it. Empty: the model itself is asked.",
    )
    method: AnyMethod = Field(
        default="freshprompt", description="How the model is asked; unused with a file."
    )
    instruction: str = Field(
        default="",
        description="File in the layout of RGB's instruction.yaml: its wording instead of ours, for "
        "method rgb.",
    )
    demonstrations: str = Field(
        default="",
        description="File of demonstrations: JSON lines, or a release with DEMO or DEV rows.",
    )
    search: NoSecret = Field(
        default="serpapi",
        examples=["serpapi", "google", "searxng:http://127.0.0.1:8888"],
        description="Search engine: a block name, `recorded:FILE`, or `replay`; unused with a file.",
    )
    model: NoSecret = Field(
        default="openai:gpt-4o",
        examples=["openai:gpt-4o", "local"],
        description="The model that is evaluated: a block name, `recorded:FILE`, or `replay`.",
    )
    profile: str = Field(
        default=DEFAULT_PROFILE,
        examples=list(SETTINGS),
        description="Which evidence the model is shown; unused with a file.",
    )
    premise_check: bool | None = Field(
        default=None,
        description="Ask the model to check the question's premise first; empty: as the profile says.",
    )
    mode: GradingMode = Field(default="relaxed", description="How FreshEval credits a response.")
    judge: NoSecret = Field(
        default="openai:gpt-4o",
        examples=["openai:gpt-4o", "lexical"],
        description="Who judges: a model's block, `recorded:FILE` (verdicts or replies), or `lexical`.",
    )
    judge_prompts: tuple[str, ...] = Field(
        default=(),
        description="Files with FreshEval's own prompt, one for each mode; empty: our wording.",
    )
    version: int | None = Field(default=None, ge=1, description="Version to grade against.")
    tag: str | None = Field(default=None, description="Version to grade against, by tag.")
    as_of: date | None = Field(
        default=None,
        description="Date of the responses: grade against the version in force then.",
    )
    by_response_date: bool = Field(
        default=False,
        description="Judge each response by the version in force on its own date.",
    )
    since: int | None = Field(
        default=None,
        ge=1,
        description="Version to look back to, for memorisation; empty: the oldest.",
    )
    compare: str = Field(default="", description="Earlier evaluation to compare with, by name.")
    split: str = Field(default="TEST", description="Questions of this split only; empty: all.")
    budget_searches: int | None = Field(
        default=None, ge=0, description="Maximum number of searches to pay for in this evaluation."
    )
    budget_tokens: int | None = Field(
        default=None, ge=0, description="Maximum number of tokens to pay for in this evaluation."
    )
    budget_usd: Decimal | None = Field(
        default=None, ge=0, description="Maximum amount to spend in this evaluation, in US dollars."
    )
    reuse_days: int = Field(
        default=REUSE_DAYS,
        ge=0,
        description="Reuse a search or completion of the ledger that is at most this many days old.",
    )
    batch_size: int = Field(default=50, ge=1, description="Responses per task run.")
    concurrency: int = Field(
        default=8,
        ge=1,
        le=MAX_AT_ONCE,
        description="Responses in flight at the same time in one process.",
    )

    @property
    def way(self) -> Way:
        """How the model is asked where no file holds the responses."""
        return Way(
            self.method, self.profile, self.premise_check, self.instruction, self.demonstrations
        )

    @property
    def modes(self) -> tuple[Mode, ...]:
        """The modes to judge in."""
        return tuple(Mode) if self.mode == "both" else (Mode(self.mode),)
