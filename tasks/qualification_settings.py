"""Settings of a qualification: small JSON that names blocks and files."""

from __future__ import annotations

from decimal import Decimal

from pydantic import BaseModel, ConfigDict, Field

from freshqa.answering.settings import SETTINGS
from freshqa.choices import ProbedMethod, Scoring
from freshqa.defaults import CERTIFICATE_DAYS, MAX_AT_ONCE, TESTBED_QUESTIONS
from prefect_freshqa.tasks.parameters import NoSecret, grouped
from prefect_freshqa.tasks.refresh_settings import RefreshSettings


class QualificationSettings(BaseModel, extra="forbid", frozen=True):
    """Settings of one qualification, shown as a form in the Prefect UI."""

    model_config = ConfigDict(
        json_schema_extra=grouped(
            budget="budget_usd budget_tokens",
            running="concurrency batch_size",
            research="profile premise_check instruction judge_prompt scoring full sample seed bounds valid_days",
        )
    )

    store: NoSecret = Field(
        default="",
        examples=["production"],
        description="Name of a FreshQAStore block. Empty: PREFECT_FRESHQA_STORE, else a file in the user's data directory.",
    )
    testbeds: tuple[str, ...] = Field(
        default=(),
        examples=[["testbeds/base.jsonl"]],
        description="Files in RGB's format, where the worker can read them.",
    )
    model: NoSecret = Field(
        default="openai:gpt-4o",
        examples=["openai:gpt-4o", "local"],
        description="The model: a block name, or `recorded:FILE`; unused by search-only.",
    )
    method: ProbedMethod = Field(
        default="freshprompt",
        description="How the model is asked: as a refresh would, or in RGB's setting (our wording).",
    )
    instruction: str = Field(
        default="",
        description="File in the layout of RGB's instruction.yaml: its wording instead of ours, for "
        "method rgb.",
    )
    profile: str = Field(
        default=RefreshSettings().profile,
        examples=list(SETTINGS),
        description="Which evidence the model is shown, as a refresh would.",
    )
    premise_check: bool | None = Field(
        default=None,
        description="Ask the model to check the question's premise first; empty: as the profile says.",
    )
    judge: NoSecret = Field(
        default="",
        examples=["openai:gpt-4o-mini"],
        description="Model that judges by meaning whether a reply declines (Rej* in the RGB paper) or says "
        "that the documents are wrong (ED*). Empty: the status line of the reply.",
    )
    judge_prompt: str = Field(
        default="",
        description="File with a FreshEval prompt: the judge also decides with it whether replies are "
        "right (ACC* beside ACC; not used for any bound).",
    )
    scoring: Scoring = Field(
        default="fixed",
        description="official: sampled and counted by RGB's own code, for comparison; no certificate.",
    )
    full: bool = Field(default=False, description="Every probe of the RGB paper's tables.")
    sample: int = Field(
        default=TESTBED_QUESTIONS, ge=1, description="Maximum number of questions per testbed."
    )
    seed: int = Field(default=0, description="Random seed for sampling questions and documents.")
    bounds: dict[str, float] = Field(
        default={}, description="Other limits: name of a bound to least lower bound, 0 to 1."
    )
    valid_days: int = Field(
        default=CERTIFICATE_DAYS, ge=1, description="Days until the certificate expires."
    )
    budget_tokens: int | None = Field(
        default=None, ge=0, description="Maximum number of tokens to pay for in this qualification."
    )
    budget_usd: Decimal | None = Field(
        default=None,
        ge=0,
        description="Maximum amount to spend in this qualification, in US dollars.",
    )
    batch_size: int = Field(default=50, ge=1, description="Questions per task run.")
    concurrency: int = Field(
        default=8,
        ge=1,
        le=MAX_AT_ONCE,
        description="Questions in flight at the same time in one process.",
    )

    @property
    def asks_a_model(self) -> bool:
        """False where only documents are read."""
        return self.method != "search-only"
