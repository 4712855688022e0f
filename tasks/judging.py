"""Judge a batch of responses; where no file holds them, let the model answer first."""

from __future__ import annotations

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, replace
from datetime import datetime, timezone

from prefect import get_run_logger, task
from prefect.cache_policies import NO_CACHE

from freshqa.answering.batch import ENDS_ALL
from freshqa.errors import ErrorKind, FreshQAError
from freshqa.evaluation.cases import Case, judge_case
from freshqa.evaluation.judgement import Judgement, Mode
from freshqa.store.database import Store
from freshqa.store.runs import Run, keep_alive
from prefect_freshqa.blocks.resolve import load_store
from prefect_freshqa.tasks.evaluation_providers import EvaluationProviders, evaluation_providers
from prefect_freshqa.tasks.evaluation_settings import EvaluationSettings
from prefect_freshqa.tasks.threads import in_context


@dataclass(frozen=True)
class JudgedBatch:
    """The result of a batch.

    Args:
        judgements: One per case and mode.
        left: Cases that the budget left over; they are in no figure until the run is resumed.
    """

    judgements: tuple[Judgement, ...]
    left: int


@task(cache_policy=NO_CACHE, task_run_name="judge-{number}")
def judge_batch(
    run: Run,
    cases: Sequence[Case],
    settings: EvaluationSettings,
    number: int,
) -> JudgedBatch:
    """Judge some responses; every search and completion is in the ledger as soon as it is there.

    Args:
        run: The run they belong to.
        cases: Responses with their golds.
        settings: What the evaluation was told.
        number: Number of the batch, from 1, for its name in the UI.

    Raises:
        QuotaExhausted, CredentialsError, UsageError: the next response would meet the same.
    """
    store = load_store(settings.store)
    providers = evaluation_providers(run, settings)

    def judge(case: Case) -> tuple[Judgement, ...]:
        with providers.slots:
            return judge_in_modes(case, providers, settings.modes)

    judgements: list[Judgement] = []
    left = 0
    with ThreadPoolExecutor(settings.concurrency, thread_name_prefix="judge") as pool:
        waiting = [in_context(pool, judge, case) for case in cases]
        for done in waiting:
            try:
                judgements += done.result()
            except FreshQAError as failure:
                if failure.kind is not ErrorKind.budget:
                    for other in waiting:
                        other.cancel()
                    raise
                left += 1
    report_unrated(store, run, judgements)
    return JudgedBatch(tuple(judgements), left)


def judge_in_modes(
    case: Case, providers: EvaluationProviders, modes: Sequence[Mode]
) -> tuple[Judgement, ...]:
    """Return one response in every mode, answered first where that is asked."""
    if providers.ask is not None:
        case = answered(case, providers)
    judged = [judge_case(case, providers.judge, mode=mode) for mode in modes]
    # The ledger holds the replies whole; a batch need not carry them.
    return tuple(replace(judgement, completions=()) for judgement in judged)


def answered(case: Case, providers: EvaluationProviders) -> Case:
    """Return the case with the model's response, or with the failure that prevented it."""
    assert providers.ask is not None
    try:
        return replace(case, response=providers.ask(case.gold.question).text)
    except FreshQAError as failure:
        if failure.kind in ENDS_ALL:
            raise
        return replace(case, problem=f"the model failed: {failure.message}")


def report_unrated(store: Store, run: Run, judgements: Sequence[Judgement]) -> None:
    """Name what could not be judged in the log, and keep the run from being taken over."""
    for judgement in judgements:
        if not judgement.rated:
            get_run_logger().info("unrated: %s (%s)", judgement.question, judgement.comment)
    keep_alive(store, run.key, now=datetime.now(timezone.utc))
