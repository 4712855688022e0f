"""Grade a model on a version as the paper does."""

from __future__ import annotations

import time
from datetime import datetime, timezone
from typing import Any

from prefect import flow
from prefect.futures import as_completed
from prefect.runtime import flow_run
from prefect.task_runners import ThreadPoolTaskRunner

from freshqa.evaluation.cases import marked
from freshqa.evaluation.judgement import Judgement
from freshqa.store import runs
from freshqa.store.runs import Run
from prefect_freshqa.blocks.resolve import load_store
from prefect_freshqa.tasks import evaluation_reporting as reporting
from prefect_freshqa.tasks.evaluation_plan import EvaluationPlan, plan_evaluation
from prefect_freshqa.tasks.evaluation_providers import check_providers
from prefect_freshqa.tasks.evaluation_results import (
    close_evaluation,
    open_evaluation,
    sum_up_evaluation,
    with_judgements,
)
from prefect_freshqa.tasks.evaluation_settings import EvaluationSettings
from prefect_freshqa.tasks.flow_names import untagged
from prefect_freshqa.tasks.judging import judge_batch
from prefect_freshqa.tasks.recorded_evaluations import points_of, recorded_judgements
from prefect_freshqa.tasks.refresh_settings import BATCHES_AT_ONCE


@flow(
    name="evaluate-model",
    flow_run_name="evaluate {settings.mode}",
    task_runner=ThreadPoolTaskRunner(max_workers=BATCHES_AT_ONCE),  # type: ignore[arg-type]
)
def evaluate_model(
    settings: EvaluationSettings = EvaluationSettings(), key: str | None = None
) -> dict[str, Any]:
    """Judge responses against a version, from a file or asked of the model itself.

    A run that was killed, or whose budget ended, resumes where it stopped when it is started again
    with the same settings: no search and no completion is paid twice. A finished one gives its
    figures back.

    Args:
        settings: Responses, version, mode, judge, budget; see `EvaluationSettings`.
        key: Name of the evaluation. Default: from mode, version and responses.

    Returns:
        Table, figures and judgements, in the shape of `prefect-freshqa evaluate --json`.
    """
    began = time.monotonic()
    store = load_store(settings.store)
    with untagged():
        plan = plan_evaluation(store, settings, key)
        check_providers(settings)
        run, resumed = open_evaluation(store, plan, settings, flow_run_id=str(flow_run.id or ""))
        if run.state == runs.COMPLETED:
            return with_judgements(
                dict(run.summary), recorded_judgements(store, run.key), resumed=True, seconds=0.0
            )
        try:
            judgements, left = judge_responses(run, plan, settings)
            summary = sum_up_evaluation(store, run, plan, settings, judgements, left)
            close_evaluation(store, run, settings, judgements, summary)
            reporting.show_table(summary)
            reporting.show_judgements(judgements)
            reporting.show_picture(points_of(store, plan.series, settings.modes[0]), summary)
            return with_judgements(
                summary, judgements, resumed=resumed, seconds=time.monotonic() - began
            )
        except BaseException as failure:
            runs.fail_run(store, run.key, failure, now=datetime.now(timezone.utc))
            raise


def judge_responses(
    run: Run, plan: EvaluationPlan, settings: EvaluationSettings
) -> tuple[tuple[Judgement, ...], int]:
    """Judge every case in batches and show the progress.

    Returns:
        The judgements in the order of the cases, and how many cases the budget left over.
    """
    progress = reporting.start_progress(len(plan.cases))
    size = settings.batch_size
    batches = [plan.cases[start : start + size] for start in range(0, len(plan.cases), size)]
    futures = [
        judge_batch.submit(run, batch, settings, number)
        for number, batch in enumerate(batches, start=1)
    ]
    done = 0
    for future in as_completed(futures):
        batch = future.result()
        done += len(batch.judgements) // len(settings.modes) + batch.left
        reporting.move_progress(progress, done, len(plan.cases))
    judged = [future.result() for future in futures]
    judgements = [judgement for batch in judged for judgement in batch.judgements]
    return marked(judgements, plan.golds, plan.newest), sum(batch.left for batch in judged)
