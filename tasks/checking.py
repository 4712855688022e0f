"""Check a batch of questions: search, answer, compare, verify, and keep each result at once."""

from __future__ import annotations

import contextvars
import threading
from collections import Counter
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from dataclasses import replace
from datetime import datetime, timedelta, timezone
from typing import Any

from prefect import get_run_logger, task
from prefect.cache_policies import NO_CACHE
from prefect.events import emit_event

from freshqa.answering.budget import Budget
from freshqa.answering.methods import answer
from freshqa.answering.response import Response
from freshqa.answering.settings import settings_for
from freshqa.dataset.question import Question
from freshqa.errors import ErrorKind
from freshqa.maintaining.proposal import CheckedQuestion
from freshqa.maintaining.recheck import CheckSettings, recheck
from freshqa.store import calls, checks, versions
from freshqa.store.database import Store
from freshqa.store.reuse import ReusedModel, ReusedSearch
from freshqa.store.runs import Run
from prefect_freshqa.blocks.resolve import load_model, load_search_engine, load_store
from prefect_freshqa.tasks.refresh_settings import RefreshSettings

LEFT_DUE = "left-due"


@task(cache_policy=NO_CACHE, task_run_name="check-{number}")
def check_batch(
    run: Run, keys: Sequence[str], settings: RefreshSettings, number: int
) -> dict[str, int]:
    """Check some questions of a run; each result is in the ledger before the next is waited for.

    Args:
        run: The run they belong to.
        keys: Keys of the questions.
        settings: What the refresh was told.
        number: Number of the batch, from 1, for its name in the UI.

    Returns:
        Outcome → number of questions; `left-due` counts those that the budget left over.
    """
    store = load_store(settings.store)
    ask = answering_method(run, settings)
    history = checks.change_history(store)
    snapshot = {q.key: q for q in versions.snapshot(store, run.base_version)}

    def check(question: Question) -> CheckedQuestion:
        return recheck(
            question,
            as_of=run.as_of,
            ask=lambda feedback, prior: ask(question, feedback, prior),
            settings=CheckSettings(max_rounds=settings.max_rounds),
            history=history.get(question.key),
        )

    outcomes: Counter[str] = Counter()
    with ThreadPoolExecutor(settings.concurrency, thread_name_prefix="check") as pool:
        waiting = [in_context(pool, check, snapshot[key]) for key in keys]
        for done in as_completed(waiting):
            outcomes[keep(store, run, done.result())] += 1
    return dict(outcomes)


def in_context(
    pool: ThreadPoolExecutor, check: Callable[[Question], CheckedQuestion], question: Question
) -> Future[CheckedQuestion]:
    """Submit with the task run's context, without which a thread has no run logger."""
    return pool.submit(contextvars.copy_context().run, check, question)


def keep(store: Store, run: Run, checked: CheckedQuestion) -> str:
    """Commit one result to the ledger, log it, and announce a proposal.

    What the budget left over is no result: it stays due and is not in the ledger.
    """
    if checked.error.startswith(ErrorKind.budget.value):
        return LEFT_DUE
    proposal = checks.record_check(store, run.id, checked, now=datetime.now(timezone.utc))
    get_run_logger().info(
        "%s: %s (risk %.2f)%s",
        checked.question,
        checked.outcome.value,
        checked.risk,
        f": {checked.error}" if checked.error else "",
    )
    if proposal is not None:
        emit_event(
            "freshqa.proposal.created",
            resource={
                "prefect.resource.id": f"freshqa.question.{checked.key}",
                "prefect.resource.name": checked.question,
            },
            payload={"run": run.id, "proposal": proposal, "outcome": checked.outcome.value},
        )
    return checked.outcome.value


Ask = Callable[[Question, str, Response | None], Response]
_methods: dict[tuple[str, str, RefreshSettings], Ask] = {}
_methods_lock = threading.Lock()


def answering_method(run: Run, settings: RefreshSettings) -> Ask:
    """The method of the settings, one per run and process: its batches share one budget."""
    store = load_store(settings.store)
    identity = (store.url, run.id, settings)
    with _methods_lock:
        if identity not in _methods:
            _methods.clear()  # a process works on one run at a time
            _methods[identity] = make_method(store, run, settings)
        return _methods[identity]


def clock() -> datetime:
    """The time of day, for the age of what is reused."""
    return datetime.now(timezone.utc)


def make_method(store: Store, run: Run, settings: RefreshSettings) -> Ask:
    """The method with its providers; every call goes through the ledger and the budget."""
    budget = Budget(
        settings.budget_searches,
        settings.budget_tokens,
        settings.budget_usd,
        spent=calls.spent(store, run.id),
    )
    window = timedelta(days=settings.reuse_days)
    through_ledger: Any = {"now": clock, "window": window, "budget": budget}
    search = ReusedSearch(load_search_engine(settings.search), store, run.id, **through_ledger)
    model = None
    if settings.method != "search-only":
        model = ReusedModel(load_model(settings.model), store, run.id, **through_ledger)
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
