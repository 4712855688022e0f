"""Settings of a refresh: small JSON that names blocks; never secrets or data."""

from __future__ import annotations

from decimal import Decimal

from pydantic import BaseModel, ConfigDict, Field

from freshqa.answering.settings import DEFAULT_PROFILE, DEFAULT_ROUNDS, MAX_SEARCHES, SETTINGS
from freshqa.choices import AcceptancePolicy, Computing, LoopPolicy, Method
from freshqa.defaults import MAX_AT_ONCE, MAX_PAGES, MAX_ROUNDS, REUSE_DAYS
from prefect_freshqa.tasks.parameters import NoSecret, grouped

BATCHES_AT_ONCE = 2
"""Two batches, so that the last questions of one batch do not leave the providers idle."""


class RefreshSettings(BaseModel, extra="forbid", frozen=True):
    """Settings of one refresh, shown as a form in the Prefect UI."""

    model_config = ConfigDict(
        json_schema_extra=grouped(
            budget="budget_usd budget_searches budget_tokens",
            running="concurrency reuse_days batch_size",
            research="profile premise_check alpha max_rounds extra_searches stop_early second_model second_search loop_policy loop_weights "
            "self_criticism read_pages page_reader compute mirrors probe kf1_threshold",
        )
    )

    search: NoSecret = Field(
        default="serpapi",
        examples=["serpapi", "google", "searxng:http://127.0.0.1:8888"],
        description="Search engine: `serpapi`, `serper`, `searxng:URL`, the name of a block, `recorded:FILE`, "
        "or `replay` (the ledger alone).",
    )
    model: NoSecret = Field(
        default="openai:gpt-4o",
        examples=["openai:gpt-4o", "local"],
        description="Language model: `openai:MODEL`, the name of a block, `recorded:FILE`, or `replay`; "
        "unused by search-only.",
    )
    method: Method = Field(
        default="freshprompt", description="How a question is answered from search evidence."
    )
    policy: AcceptancePolicy = Field(
        default="hold",
        description="What is accepted without a person: nothing, what changes no fact, or what a certificate covers.",
    )
    limit: int | None = Field(
        default=None, ge=1, description="Maximum number of questions to check; the rest stay due."
    )
    budget_usd: Decimal | None = Field(
        default=None, ge=0, description="Maximum amount to spend in this run, in US dollars."
    )
    budget_searches: int | None = Field(
        default=None, ge=0, description="Maximum number of searches to pay for in this run."
    )
    budget_tokens: int | None = Field(
        default=None, ge=0, description="Maximum number of tokens to pay for in this run."
    )
    every_question: bool = Field(default=False, description="Check all questions, due or not.")
    days: int | None = Field(
        default=None,
        ge=0,
        description="Days until the next refresh: what falls due up to that day is checked now. "
        "Empty: until the deployment's next scheduled run; 7 without a schedule.",
    )
    store: NoSecret = Field(
        default="",
        examples=["production"],
        description="Name of a FreshQAStore block. Empty: PREFECT_FRESHQA_STORE, else a file in the user's data directory.",
    )
    judge: NoSecret = Field(
        default="",
        examples=["openai:gpt-4o-mini", "none"],
        description="Who decides whether other words mean the same fact: a model, or `none`. "
        "Empty: the answering model, unless it is a recording.",
    )
    profile: str = Field(
        default=DEFAULT_PROFILE,
        examples=list(SETTINGS),
        description="Which evidence is kept, and how the question is asked.",
    )
    premise_check: bool | None = Field(
        default=None,
        description="Ask the model to check the question's premise first; empty: as the profile says.",
    )
    concurrency: int = Field(
        default=16,
        ge=1,
        le=MAX_AT_ONCE,
        description="Total number of searches in flight, and of completions beside them.",
    )
    reuse_days: int = Field(
        default=REUSE_DAYS,
        ge=0,
        description="Reuse a search or completion of the ledger that is at most this many days old.",
    )
    batch_size: int = Field(
        default=150,
        ge=1,
        description="Maximum number of questions per task run: each costs the server 40 ms, and the last "
        "questions of each wait for one another.",
    )
    alpha: float = Field(
        default=0.05,
        gt=0,
        lt=1,
        description="Policy certified: highest error rate of automatic answer changes.",
    )
    max_rounds: int = Field(
        default=DEFAULT_ROUNDS,
        ge=1,
        le=MAX_ROUNDS,
        description="Maximum number of rounds of verification and revision per question; more than one may pay with a "
        "large model.",
    )
    extra_searches: int = Field(
        default=MAX_SEARCHES,
        ge=0,
        le=MAX_SEARCHES,
        description="Maximum number of further searches for a question whose answer is uncertain and whose risk is "
        "not low: recent pages, sub-questions, a statement. For profiles with follow-ups.",
    )
    second_model: NoSecret = Field(
        default="",
        examples=["openai:gpt-4o-mini"],
        description="Another model, asked if it can change the outcome of a check; empty: none.",
    )
    second_search: NoSecret = Field(
        default="",
        examples=["searxng:http://127.0.0.1:8888"],
        description="Another search engine, asked if it can change the outcome; empty: none.",
    )
    stop_early: bool = Field(
        default=False,
        description="Do not ask the model if the risk after the search is so low that its answer is "
        "not worth its cost and the row would stay unchanged.",
    )
    loop_policy: LoopPolicy = Field(
        default="rule",
        description="What decides the next step: our rule, an ablation of LLM-Augmenter, or a learned policy.",
    )
    loop_weights: str = Field(
        default="",
        examples=["weights.json"],
        description="File with the weights of a learned loop policy.",
    )
    self_criticism: bool = Field(
        default=False, description="Feedback in the model's own words instead of templates."
    )
    read_pages: int = Field(
        default=0,
        ge=0,
        le=MAX_PAGES,
        description="Read the pages behind this many of the first results of a search, where the risk is "
        "at least 2 % (extra `pages`).",
    )
    compute: Computing = Field(
        default="recipes",
        description="What is answered without a search: nothing, what the calendar alone gives, also what "
        "the source recipe of a row gives (extra `pages`), or also ages.",
    )
    page_reader: NoSecret = Field(
        default="",
        examples=["page-reader/slow"],
        description="Name of a PageReader block. Empty: one with its defaults.",
    )
    mirrors: tuple[str, ...] = Field(
        default=(),
        examples=[["wiki.example/qa-sheet"]],
        description="Parts of addresses of pages that copy the benchmark, in addition to the known "
        "ones; such pages are not used as evidence.",
    )
    probe: bool = Field(
        default=False,
        description="Ask again with a forged answer in the evidence, to see whether the model reads a change or remembers it.",
    )

    kf1_threshold: float | None = Field(
        default=None,
        ge=0,
        le=1,
        description="KF1 below which an ablation of LLM-Augmenter asks for a revision. Empty: 0.5.",
    )

    @property
    def known_mirrors(self) -> tuple[str, ...]:
        """The mirrors in the form in which addresses are compared."""
        return tuple(part.strip().lower() for part in self.mirrors if part.strip())

    @property
    def may_stop_early(self) -> bool:
        """Whether a check may end without an answer; a search alone is read in any case."""
        return self.stop_early and self.method != "search-only"

    @property
    def needs_pages(self) -> bool:
        """Whether pages were asked for, so that without the extra `pages` nothing starts."""
        return bool(self.read_pages or self.page_reader)

    @property
    def reads_recipes(self) -> bool:
        """Whether the source recipe of a row is read."""
        return self.compute in ("recipes", "all")

    @property
    def judges_with_its_model(self) -> bool:
        """A recording holds answers, not verdicts."""
        return self.judge == "" and not self.model.startswith("recorded:")

    @property
    def concurrency_of_a_batch(self) -> int:
        """Searches in flight in one of the batches that are checked at the same time."""
        return -(-self.concurrency // BATCHES_AT_ONCE)

    @property
    def limited(self) -> bool:
        """Whether the run has a budget."""
        budgets = (self.budget_usd, self.budget_searches, self.budget_tokens)
        return any(budget is not None for budget in budgets)

    @property
    def questions_per_slot(self) -> int:
        """Questions in flight for each call that may be in flight.

        Two, so that the next questions are searched while the model answers. Under a budget one:
        fewer searches are paid for questions that it does not reach.
        """
        return 2 if self.pays and not self.limited and self.method != "search-only" else 1

    @property
    def pays(self) -> bool:
        """Whether any provider is real; recordings and `replay` cost nothing."""
        asked = [self.search] if self.method == "search-only" else [self.search, self.model]
        asked += [spec for spec in (self.second_search, self.second_model) if spec]
        return any(spec != "replay" and not spec.startswith("recorded:") for spec in asked)
