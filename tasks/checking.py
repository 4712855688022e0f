"""Check a batch of questions: search, answer, compare, verify, and keep each result at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from datetime import datetime, timezone

from prefect import get_run_logger, task
from prefect.cache_policies import NO_CACHE
from prefect.events import emit_event

from freshqa.errors import ErrorKind, StoreError
from freshqa.maintaining.plan import PlannedQuestion
from freshqa.maintaining.proposal import CheckedQuestion
from freshqa.maintaining.recheck import CheckSettings, recheck
from freshqa.maintaining.without_search import check_without_search
from freshqa.store import checks
from freshqa.store.database import Store
from freshqa.store.runs import Run
from prefect_freshqa.blocks.resolve import load_store
from prefect_freshqa.tasks.provider_slots import MODEL_LIMIT, SEARCH_LIMIT, provider_slots
from prefect_freshqa.tasks.providers import Providers, providers_of
from prefect_freshqa.tasks.refresh_settings import RefreshSettings
from prefect_freshqa.tasks.result_log import ResultLog
from prefect_freshqa.tasks.threads import in_context

LEFT_DUE = "left-due"


@dataclass(frozen=True)
class Checked:
    """The result of a batch.

    Args:
        outcomes: Outcome → number of questions; `left-due` counts those that were not tried.
        stopped: Why nothing more is asked in this run; "" while calls are made.
        asked: Whether a provider was asked for one of the results.
    """

    outcomes: Mapping[str, int]
    stopped: str = ""
    asked: bool = True


@task(cache_policy=NO_CACHE, task_run_name="check-{number}")
def check_batch(
    run: Run, batch: Sequence[PlannedQuestion], settings: RefreshSettings, number: int
) -> Checked:
    """Check some questions of a run; each result is in the ledger before the next is waited for.

    Args:
        run: The run they belong to.
        settings: What the refresh was told.
        number: Number of the batch, from 1, for its name in the UI.

    Raises:
        StoreError: the ledger cannot be written, because it is full or locked for too long.
    """
    store = load_store(settings.store)
    providers = providers_of(run, settings)

    def check(planned: PlannedQuestion) -> CheckedQuestion:
        with providers.in_flight:
            return check_question(run, planned, providers, settings)

    outcomes: Counter[str] = Counter()
    asked = False
    log = ResultLog(get_run_logger())
    limits = (SEARCH_LIMIT,) if settings.method == "search-only" else (SEARCH_LIMIT, MODEL_LIMIT)
    with (
        provider_slots(settings.concurrency_of_a_batch, limits) as at_once,
        providers.slots.held(at_once),
        ThreadPoolExecutor(
            at_once * settings.questions_per_slot, thread_name_prefix="check"
        ) as pool,
    ):
        waiting = [in_context(pool, check, planned) for planned in batch]
        try:
            for done in as_completed(waiting):
                result = done.result()
                outcome = keep(store, run, result, providers, log)
                outcomes[outcome] += 1
                asked = asked or (outcome != LEFT_DUE and was_asked(result))
        except StoreError:
            # results that cannot be recorded must not be paid for: stop before the next questions
            pool.shutdown(wait=False, cancel_futures=True)
            raise
        finally:
            log.flush()
    return Checked(dict(outcomes), stopped_because(providers), asked)


def probe_providers(run: Run, first: PlannedQuestion, settings: RefreshSettings) -> Checked:
    """Check one question alone before the others: a wrong key costs one call, not hundreds.

    Its result is kept like any other, so the probe costs nothing extra.

    Raises:
        CredentialsError, QuotaExhausted, UsageError: every other question would fail in the same way.
    """
    providers = providers_of(run, settings)
    checked = check_question(run, first, providers, settings)
    log = ResultLog(get_run_logger())
    outcome = keep(load_store(settings.store), run, checked, providers, log)
    log.flush()
    if providers.budget.stopped is not None:
        raise providers.budget.stopped
    return Checked({outcome: 1}, asked=was_asked(checked))


def was_asked(checked: CheckedQuestion) -> bool:
    """Return whether a check asked a provider."""
    return bool(checked.rounds or checked.error)


def check_question(
    run: Run, planned: PlannedQuestion, providers: Providers, settings: RefreshSettings
) -> CheckedQuestion:
    """Check one question of a run."""
    question = planned.question
    known = check_without_search(
        question,
        as_of=run.as_of,
        what=settings.compute,
        sources=providers.beside,
        history=planned.history,
    )
    if known is not None:
        return known
    ask, helpers = providers.ask(question)
    return recheck(
        question,
        as_of=run.as_of,
        ask=ask,
        settings=CheckSettings(
            settings.max_rounds, stop_early=settings.may_stop_early, mirrors=settings.known_mirrors
        ),
        history=planned.history,
        judge=providers.judge,
        helpers=helpers,
    )


def stopped_because(providers: Providers) -> str:
    """Return why a run makes no more calls; "" while it does."""
    return str(providers.budget.stopped or "")


def keep(
    store: Store, run: Run, checked: CheckedQuestion, providers: Providers, log: ResultLog
) -> str:
    """Commit one result to the ledger, log it, and announce a proposal.

    A question left over by the budget or a stopped provider has no result: it stays due and is not in the
    ledger.
    """
    stopped = providers.budget.stopped
    left = {ErrorKind.budget} if stopped is None else {ErrorKind.budget, stopped.kind}
    if checked.error_kind in left:
        return LEFT_DUE
    proposal = checks.record_check(store, run.key, checked, now=datetime.now(timezone.utc))
    log.add(checked)
    if proposal is not None:
        emit_event(
            "freshqa.proposal.created",
            resource={
                "prefect.resource.id": f"freshqa.question.{checked.key}",
                "prefect.resource.name": checked.question,
            },
            payload={"run": run.key, "proposal": proposal, "outcome": checked.outcome.value},
        )
    return checked.outcome.value
