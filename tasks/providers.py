"""What a check asks: search engine, model and judge, each behind the ledger and the budget."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta, timezone
from typing import Any

from freshqa.answering.budget import Budget
from freshqa.answering.methods import answer
from freshqa.answering.response import Response
from freshqa.answering.settings import settings_for
from freshqa.checking.judgement import Judge
from freshqa.dataset.question import Question
from freshqa.evaluation.fresheval import agreement_judge
from freshqa.store import calls
from freshqa.store.database import Store
from freshqa.store.reuse import ReusedModel, ReusedSearch
from freshqa.store.runs import Run
from prefect_freshqa.blocks.resolve import load_model, load_search_engine, load_store
from prefect_freshqa.tasks.refresh_settings import RefreshSettings


@dataclass(frozen=True)
class Providers:
    """What a check asks: the answering method, and the judge where words do not decide."""

    ask: Callable[[Question, str, Response | None], Response]
    judge: Judge | None


_providers: dict[tuple[str, str, RefreshSettings], Providers] = {}
_providers_lock = threading.Lock()


def providers_of(run: Run, settings: RefreshSettings) -> Providers:
    """The providers of a run, once per process: its batches share one budget."""
    store = load_store(settings.store)
    identity = (store.url, run.id, settings)
    with _providers_lock:
        if identity not in _providers:
            _providers.clear()  # a process works on one run at a time
            _providers[identity] = make_providers(store, run, settings)
        return _providers[identity]


def check_providers(settings: RefreshSettings) -> None:
    """Fail before anything is written when a block, a file or a key is missing.

    Raises:
        NotFound, CredentialsError, UsageError, BadData: as `blocks.resolve` says.
    """
    settings_for(settings.profile)
    load_search_engine(settings.search)
    if settings.method != "search-only":
        load_model(settings.model)
    if settings.judge not in ("", "none"):
        load_model(settings.judge)


def make_providers(store: Store, run: Run, settings: RefreshSettings) -> Providers:
    """Search engine, model and judge of the settings; every call goes through ledger and budget."""
    budget = Budget(
        settings.budget_searches,
        settings.budget_tokens,
        settings.budget_usd,
        spent=calls.spent(store, run.id),
    )
    window = timedelta(days=settings.reuse_days)
    through_ledger: Any = {"now": clock, "window": window, "budget": budget}
    search = ReusedSearch(load_search_engine(settings.search), store, run.id, **through_ledger)
    model, judge = None, None
    if settings.method != "search-only":
        model = ReusedModel(load_model(settings.model), store, run.id, **through_ledger)
        judge = model if settings.judges_with_its_model else None
    if settings.judge not in ("", "none"):
        judge = ReusedModel(load_model(settings.judge), store, run.id, **through_ledger)
    return Providers(
        ask=asking(run, settings, search, model), judge=agreement_judge(judge) if judge else None
    )


def asking(
    run: Run, settings: RefreshSettings, search: ReusedSearch, model: ReusedModel | None
) -> Callable[[Question, str, Response | None], Response]:
    """The answering method of the settings as a function of the question alone."""
    way_of_asking = settings_for(settings.profile)
    if settings.premise_check is not None:
        way_of_asking = replace(way_of_asking, premise_check=settings.premise_check)

    def ask(question: Question, feedback: str, prior: Response | None) -> Response:
        return answer(
            question.text,
            method=settings.method,
            as_of=run.as_of,
            search=search,
            model=model,
            settings=way_of_asking,
            multi_hop=question.multi_hop,
            feedback=feedback,
            prior=prior,
        )

    return ask


def clock() -> datetime:
    """The time of day, for the age of what is reused."""
    return datetime.now(timezone.utc)
