"""The result of an evaluation: figures for the caller, judgements and summary for the ledger."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timezone
from typing import Any

from prefect import get_run_logger, task
from prefect.cache_policies import NO_CACHE

from freshqa.evaluation.comparison import compare_runs, golds_differ
from freshqa.evaluation.judgement import Judgement
from freshqa.evaluation.lexical import LexicalJudge
from freshqa.evaluation.report import LEXICAL_NOTE, figures
from freshqa.store import records, runs
from freshqa.store.budgets import spent
from freshqa.store.database import Store
from freshqa.store.runs import Run
from prefect_freshqa.tasks.evaluation_plan import EvaluationPlan
from prefect_freshqa.tasks.evaluation_settings import EvaluationSettings
from prefect_freshqa.tasks.recorded_evaluations import FLOW, record_name, recorded_judgements


@task(cache_policy=NO_CACHE)
def open_evaluation(
    store: Store, plan: EvaluationPlan, settings: EvaluationSettings, *, flow_run_id: str
) -> tuple[Run, bool]:
    """Start the evaluation, or resume it where it stopped.

    Raises:
        Conflict: another process is working on it.
    """
    now = datetime.now(timezone.utc)
    run, resumed = runs.start_run(
        store,
        key=plan.key,
        flow=FLOW,
        as_of=plan.day or now.date(),
        base_version=plan.version.number,
        settings={**settings.model_dump(mode="json"), "series": plan.series},
        now=now,
        flow_run_id=flow_run_id,
    )
    get_run_logger().info("%s evaluation %s", "Resumed" if resumed else "Started", run.key)
    return run, resumed


@task(cache_policy=NO_CACHE)
def sum_up_evaluation(
    store: Store,
    run: Run,
    plan: EvaluationPlan,
    settings: EvaluationSettings,
    judgements: Sequence[Judgement],
    left: int,
) -> dict[str, Any]:
    """Return the figures of an evaluation, in the shape of `prefect-freshqa evaluate --json`.

    `judgements` are not among them; `with_judgements` adds them.
    """
    judges = sorted({judged.judge for judged in judgements})
    compared: list[dict[str, Any]] = []
    differing = 0
    if settings.compare:
        earlier = recorded_judgements(store, settings.compare)
        compared = [c.to_json() for c in compare_runs(judgements, earlier, plan.golds)]
        differing = golds_differ(judgements, earlier)
    paid = spent(store, run.key)
    return {
        "evaluation": run.key,
        "mode": settings.mode,
        "judge": ", ".join(judges) or settings.judge,
        "version": None if settings.by_response_date else plan.version.number,
        "as_of": None if settings.by_response_date else plan.version.as_of.isoformat(),
        "split": settings.split,
        "responses": plan.responses,
        "texts": plan.texts,
        **figures(judgements, plan.golds, modes=settings.modes, since=plan.since),
        "compared_with": settings.compare or None,
        "compared": compared,
        "golds_differ": differing,
        "left": left,
        "notes": _notes(plan, settings),
        "searches": paid.searches,
        "completions": paid.completions,
        "tokens": paid.tokens,
        "cost_usd": str(paid.usd),
    }


def _notes(plan: EvaluationPlan, settings: EvaluationSettings) -> list[str]:
    lexical = LEXICAL_NOTE if settings.judge == LexicalJudge.name else ""
    return [note for note in (lexical, plan.responses.get("note", "")) if note]


@task(cache_policy=NO_CACHE)
def close_evaluation(
    store: Store,
    run: Run,
    settings: EvaluationSettings,
    judgements: Sequence[Judgement],
    summary: dict[str, Any],
) -> None:
    """Record the judgements and end the run; it stays open if the budget left cases over."""
    now = datetime.now(timezone.utc)
    if not summary["left"]:
        for mode in settings.modes:
            name = record_name(run.key, mode)
            if records.judgements(store, name):
                continue  # kept before the process was killed
            records.record_judgements(
                store,
                name,
                [judged.to_json() for judged in judgements if judged.mode is mode],
                version=summary["version"],
                mode=mode.value,
                judge=summary["judge"][:200],
                now=now,
            )
    state = runs.INCOMPLETE if summary["left"] else runs.COMPLETED
    runs.finish_run(store, run.key, state=state, summary=summary, now=now)


def with_judgements(
    summary: dict[str, Any], judgements: Sequence[Judgement], *, resumed: bool, seconds: float
) -> dict[str, Any]:
    """Return the whole result: figures, every judgement, and whether it was there before."""
    return {
        **summary,
        "judgements": [judged.to_json() for judged in judgements],
        "seconds": round(seconds, 2),
        "resumed": resumed,
    }
