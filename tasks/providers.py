"""The providers of a check: search engine, model, judge and helpers, with ledger and budget."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import partial

from freshqa.answering.budget import Budget
from freshqa.answering.methods import answer
from freshqa.answering.response import Response
from freshqa.checking.criticism import self_critic
from freshqa.checking.equivalence import EquivalenceJudge
from freshqa.checking.loop import Ask
from freshqa.checking.policy import Policy
from freshqa.checking.source_weights import NO_WEIGHTS, SourceWeights
from freshqa.dataset.question import Question
from freshqa.errors import FreshQAError
from freshqa.evaluation.fresheval import equivalence_judge
from freshqa.evidence.search_engine import SearchEngine, SearchResult
from freshqa.evidence.web_page import WebReader
from freshqa.maintaining.recheck import Helpers
from freshqa.maintaining.without_search import Sources
from freshqa.store.cache import CachedModel, CachedSearch
from freshqa.store.database import Store
from freshqa.store.runs import Run
from prefect_freshqa.blocks.resolve import (
    load_model,
    load_page_reader,
    load_search_engine,
    load_store,
    pages_can_be_read,
)
from prefect_freshqa.tasks import acquiring
from prefect_freshqa.tasks.acquiring import way_of_asking
from prefect_freshqa.tasks.cached_providers import CachedProviders, OnePerRun, run_budget
from prefect_freshqa.tasks.call_slots import RunSlots, run_slots
from prefect_freshqa.tasks.given_results import GivenResults
from prefect_freshqa.tasks.learning import loop_policy, source_weights
from prefect_freshqa.tasks.page_search import sources_beside
from prefect_freshqa.tasks.refresh_settings import RefreshSettings
from prefect_freshqa.tasks.second_opinions import SecondProviders, check_second, second_providers


@dataclass(frozen=True)
class Providers:
    """The providers of the checks of one run.

    Args:
        settings: Method and way of asking.
        search: Engine behind the ledger.
        model: Model behind the ledger; None for `search-only`.
        judge: Decides where words do not; None for no judge.
        policy: What follows a round.
        budget: What pays for both; `budget.stopped` says why it does no more.
        sources: What earlier decisions say of sites.
        second: Provider of a second opinion; None for none.
        pages: Reads the pages behind results; None where none are read.
        beside: What checks without a search know.
        slots: Bounds the searches and the completions in flight.
        first_failure: Returns why the first call to a provider failed, if every other would as well.
        in_flight: Held by each question that is being checked, in all batches of this process.
    """

    as_of: date
    settings: RefreshSettings
    search: CachedSearch
    model: CachedModel | None
    judge: EquivalenceJudge | None
    policy: Policy
    budget: Budget
    in_flight: threading.Semaphore
    sources: SourceWeights = NO_WEIGHTS
    second: SecondProviders | None = None
    pages: WebReader | None = None
    beside: Sources = field(default_factory=Sources)
    slots: RunSlots = field(default_factory=partial(run_slots, 1))
    first_failure: Callable[[], FreshQAError | None] = lambda: None

    def ask(self, question: Question) -> tuple[Ask, Helpers]:
        """The answering method for one question; policy, tools, critic and probe beside it."""
        search = acquiring.search_of_check(self.search, self.pages, self.settings.read_pages)

        def from_evidence(feedback: str, prior: Response | None) -> Response:
            return self.answer(question, search, feedback, prior)

        def from_results(results: Sequence[SearchResult]) -> Response:
            return self.answer(question, GivenResults(results), "", None)

        second = partial(self.second_answer, question) if self.second else None
        tools = acquiring.tools_of_check(
            question, search, self.model, from_evidence, as_of=self.as_of, settings=self.settings
        )
        if self.model is None:
            return from_evidence, Helpers(
                self.policy, tools=tools, sources=self.sources, second=second
            )
        critic = self_critic(self.model, as_of=self.as_of) if self.settings.self_criticism else None
        probe = from_results if self.settings.probe else None
        return from_evidence, Helpers(self.policy, critic, probe, tools, self.sources, second)

    def second_answer(self, question: Question, first: Response) -> Response:
        """Return a second opinion on the first response."""
        assert self.second is not None
        way, method = way_of_asking(self.settings), self.settings.method
        return self.second.answer(
            question, first, as_of=self.as_of, model=self.model, method=method, way=way
        )

    def answer(
        self, question: Question, search: SearchEngine, feedback: str, prior: Response | None
    ) -> Response:
        """Return one answer by the method of the settings."""
        return answer(
            question.text,
            method=self.settings.method,
            as_of=self.as_of,
            search=search,
            model=self.model,
            settings=way_of_asking(self.settings),
            # sub-questions are searched only if the whole question gives no certain answer
            multi_hop=False,
            feedback=feedback,
            prior=prior,
        )


_providers = OnePerRun[Providers]()


def providers_of(run: Run, settings: RefreshSettings) -> Providers:
    """Return the providers of a run, made once per process."""
    store = load_store(settings.store)
    return _providers.get(store, run, settings, lambda: make_providers(store, run, settings))


def check_providers(store: Store, settings: RefreshSettings) -> None:
    """Fail before anything is written when a block, a file, a key or a policy is missing.

    Raises:
        NotFound, CredentialsError, UsageError, BadData: as `blocks.resolve` says.
        Refused: too few decisions to learn a policy from.
    """
    way_of_asking(settings)
    loop_policy(store, settings)
    load_search_engine(settings.search)
    if settings.needs_pages:
        load_page_reader(settings.page_reader, search=settings.search)
    if settings.method != "search-only":
        load_model(settings.model, budget_usd=settings.budget_usd)
    if settings.judge not in ("", "none"):
        load_model(settings.judge, budget_usd=settings.budget_usd)
    check_second(settings)


def make_providers(store: Store, run: Run, settings: RefreshSettings) -> Providers:
    """Search engine, model and judge of the settings; every call goes through ledger and budget."""
    budget = run_budget(
        store,
        run,
        searches=settings.budget_searches,
        tokens=settings.budget_tokens,
        usd=settings.budget_usd,
    )
    slots = run_slots(settings.concurrency)
    providers = CachedProviders(
        store, run, budget=budget, reuse_days=settings.reuse_days, slots=slots
    )
    model = None if settings.method == "search-only" else providers.model(settings.model)
    judge = model if settings.judges_with_its_model else None
    if settings.judge not in ("", "none"):
        judge = providers.model(settings.judge)
    pages = None
    if settings.needs_pages or (settings.reads_recipes and pages_can_be_read()):
        pages = providers.pages(settings.page_reader, search=settings.search)
    return Providers(
        run.as_of,
        settings,
        providers.search(settings.search),
        model,
        equivalence_judge(judge) if judge else None,
        loop_policy(store, settings),
        budget,
        threading.Semaphore(settings.concurrency * settings.questions_per_slot),
        source_weights(store),
        second_providers(providers, settings),
        pages if settings.read_pages else None,
        sources_beside(store, run, pages, settings),
        slots,
        lambda: providers.first_failure,
    )
