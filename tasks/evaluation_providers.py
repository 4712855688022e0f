"""The model and the judge of an evaluation."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from freshqa.answering.methods import answer, searches
from freshqa.answering.response import Response
from freshqa.dataset.question import Question
from freshqa.errors import UsageError
from freshqa.evaluation.fresheval import ModelJudge
from freshqa.evaluation.fresheval_prompt import messages
from freshqa.evaluation.judge_prompt import judge_prompts, published
from freshqa.evaluation.judgement import Judge
from freshqa.evaluation.lexical import LexicalJudge
from freshqa.evaluation.recorded import RecordedJudge, holds_verdicts, read_verdicts
from freshqa.evaluation.texts import Texts, judge_texts, method_texts
from freshqa.store.database import Store
from freshqa.store.runs import Run
from prefect_freshqa.blocks.resolve import load_model, load_search_engine, load_store
from prefect_freshqa.tasks.cached_providers import CachedProviders, OnePerRun, run_budget
from prefect_freshqa.tasks.evaluation_settings import EvaluationSettings


@dataclass(frozen=True)
class EvaluationProviders:
    """The judge, the model that answers without a file, and the number of calls in flight."""

    judge: Judge
    ask: Callable[[Question], Response] | None
    slots: threading.Semaphore  # shared by the batches that run at the same time


_providers = OnePerRun[EvaluationProviders]()


def evaluation_providers(run: Run, settings: EvaluationSettings) -> EvaluationProviders:
    """Return the providers of a run, made once per process."""
    store = load_store(settings.store)
    return _providers.get(store, run, settings, lambda: make_providers(store, run, settings))


def check_providers(settings: EvaluationSettings) -> None:
    """Raise what loading the providers would raise, before a run is opened for them.

    Raises:
        NotFound, BadData, CredentialsError, UsageError: a name, file or key is wrong.
    """
    if asks_a_judge(settings):
        load_model(settings.judge, budget_usd=settings.budget_usd)
    if not settings.responses:
        if searches(settings.method):
            load_search_engine(settings.search)
        if settings.method != "search-only":
            load_model(settings.model, budget_usd=settings.budget_usd)


def make_providers(store: Store, run: Run, settings: EvaluationSettings) -> EvaluationProviders:
    """Judge and answering method of the settings, behind ledger and budget."""
    budget = run_budget(
        store,
        run,
        searches=settings.budget_searches,
        tokens=settings.budget_tokens,
        usd=settings.budget_usd,
    )
    providers = CachedProviders(store, run, budget=budget, reuse_days=settings.reuse_days)
    ask = None if settings.responses else asking(providers, run, settings)
    return EvaluationProviders(
        judge=load_judge(settings, providers, run),
        ask=ask,
        slots=threading.Semaphore(settings.concurrency),
    )


def load_judge(settings: EvaluationSettings, providers: CachedProviders, run: Run) -> Judge:
    """Return the judge that the settings name: by words, from a recording, or a model.

    `recorded:FILE` holds verdicts (a column `verdict`, `evaluation`, `rating` or `accuracy`), or
    replies of a judging model (`question`, `response`).

    Raises:
        NotFound, BadData: no such file, or it holds neither.
    """
    if settings.judge == LexicalJudge.name:
        return LexicalJudge()
    path = recorded_verdicts(settings.judge)
    if path:
        return RecordedJudge(read_verdicts(path, name=Path(path).name, mode=settings.modes[0]))
    prompts = judge_prompts(settings.judge_prompts, settings.modes)
    words = published(prompts, as_of=run.as_of) if prompts else messages
    return ModelJudge(providers.model(settings.judge), words=words)


def asks_a_judge(settings: EvaluationSettings) -> bool:
    """Return True when a model judges, and not words or recorded verdicts."""
    return settings.judge != LexicalJudge.name and not recorded_verdicts(settings.judge)


def texts_of(settings: EvaluationSettings, day: date) -> Texts:
    """Name and hash of every text the evaluation depends on: FreshEval's prompt, and the method's.

    Raises:
        UsageError: a file of the settings is missing or malformed, or nothing uses it.
    """
    texts: Texts = {}
    prompts = judge_prompts(settings.judge_prompts, settings.modes)
    if asks_a_judge(settings):
        texts |= judge_texts(settings.modes, prompts)
    elif prompts:
        raise UsageError(
            f"Judge {settings.judge!r} does not use a prompt.", "Leave out --judge-prompt."
        )
    if not settings.responses:
        way = settings.way.settings(as_of=day)
        texts |= method_texts(settings.method, settings.profile, way)
    return texts


def recorded_verdicts(judge: str) -> str:
    """Return the file of verdicts that a judge's name names, or ""."""
    scheme, _, path = judge.partition(":")
    return path if scheme == "recorded" and holds_verdicts(path) else ""


def asking(
    providers: CachedProviders, run: Run, settings: EvaluationSettings
) -> Callable[[Question], Response]:
    """Return the answering method of the settings as a function of the question."""
    model = None if settings.method == "search-only" else providers.model(settings.model)
    search = providers.search(settings.search) if searches(settings.method) else None
    way_of_asking = settings.way.settings(as_of=run.as_of, search=search)

    def ask(question: Question) -> Response:
        return answer(
            question.text,
            method=settings.method,
            as_of=run.as_of,
            search=search,
            model=model,
            settings=way_of_asking,
            multi_hop=question.multi_hop,
        )

    return ask
