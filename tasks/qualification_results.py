"""The result of a qualification: a certificate for the ledger, and why replies were wrong."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, datetime, time, timezone
from typing import Any

from prefect import get_run_logger, task
from prefect.cache_policies import NO_CACHE

from freshqa.evaluation.certificate import ModelCertificate
from freshqa.evaluation.rgb.closed_book import closed_book_gate
from freshqa.evaluation.rgb.probe import summarise
from freshqa.evaluation.rgb.qualification import certify
from freshqa.store import records, runs, versions
from freshqa.store.budgets import spent
from freshqa.store.database import Store
from freshqa.store.runs import Run
from prefect_freshqa.tasks.probing import ReadBatch
from prefect_freshqa.tasks.qualification_plan import QualificationPlan
from prefect_freshqa.tasks.qualification_settings import QualificationSettings

FLOW = "qualify-model"
OFFICIAL_NOTE = "Official scoring is for comparison with published figures; it licenses nothing."
MAX_MISTAKES = 200


@task(cache_policy=NO_CACHE)
def open_qualification(
    store: Store, plan: QualificationPlan, settings: QualificationSettings, *, flow_run_id: str
) -> tuple[Run, bool]:
    """Start the qualification, or resume it where it stopped.

    Raises:
        Conflict: another process is working on it.
    """
    head = versions.head(store)
    run, resumed = runs.start_run(
        store,
        key=plan.key,
        flow=FLOW,
        as_of=plan.day,
        base_version=head.number if head else 0,  # a probe needs no dataset
        settings=settings.model_dump(mode="json"),
        now=datetime.now(timezone.utc),
        flow_run_id=flow_run_id,
    )
    get_run_logger().info("%s qualification %s", "Resumed" if resumed else "Started", run.key)
    return run, resumed


@task(cache_policy=NO_CACHE)
def sum_up_qualification(
    store: Store,
    run: Run,
    plan: QualificationPlan,
    settings: QualificationSettings,
    batches: Mapping[int, Sequence[ReadBatch]],
) -> dict[str, Any]:
    """Return the certificate and the figures, in the shape of `prefect-freshqa qualify --json`.

    Args:
        batches: Number of each probe of the plan → its batches, in order.
    """
    results = []
    wrong: list[dict[str, Any]] = []
    for number, (bed, probe) in enumerate(plan.probes):
        reads = [read for batch in batches[number] for read in batch.reads]
        failed = [line for batch in batches[number] for line in batch.failed]
        results.append(summarise(reads, bed, probe, failed=failed))
        where = {"testbed": bed.name, "noise": probe.mixture.noise}
        wrong += [{**where, **read.to_json()} for read in reads if read.mistake]
    certificate = certify(
        results,
        plan.testbeds,
        model=plan.model,
        method=settings.method,
        recipe=plan.recipe,
        issued_on=plan.day,
        valid_days=settings.valid_days,
        bounds=plan.bounds,
    )
    left = sum(batch.left for probed in batches.values() for batch in probed)
    paid = spent(store, run.key)
    return {
        "run": run.key,
        **without_licence(certificate, settings, left),
        "scoring": settings.scoring,
        "closed_book": closed_book_gate(results, plan.testbeds),
        "texts": plan.texts,
        "left": left,
        "wrong": wrong[:MAX_MISTAKES],
        "unusable": {bed.name: list(bed.unusable) for bed in plan.testbeds if bed.unusable},
        "completions": paid.completions,
        "tokens": paid.tokens,
        "cost_usd": str(paid.usd),
    }


def without_licence(
    certificate: ModelCertificate, settings: QualificationSettings, left: int
) -> dict[str, Any]:
    """Return the certificate as JSON; an official or unfinished probe passes nothing."""
    record = {**certificate.to_json(), "recorded": settings.scoring == "fixed" and not left}
    if settings.scoring == "official":
        return {**record, "passed": False, "failed_bounds": [OFFICIAL_NOTE]}
    if left:
        note = f"the budget left {left} items over: run again to finish"
        return {**record, "passed": False, "failed_bounds": [note, *record["failed_bounds"]]}
    return record


@task(cache_policy=NO_CACHE)
def close_qualification(store: Store, run: Run, summary: dict[str, Any]) -> None:
    """Keep the certificate, passed or not, and end the run."""
    if summary["recorded"]:
        names = set(ModelCertificate.__dataclass_fields__) | {"passed", "failed_bounds"}
        records.record_certificate(
            store,
            summary["model"],
            {name: summary[name] for name in summary if name in names},
            issued_at=midnight(summary["issued_on"]),
            expires_at=midnight(summary["expires_on"]),
        )
    runs.finish_run(
        store,
        run.key,
        state=runs.INCOMPLETE if summary["left"] else runs.COMPLETED,
        summary=summary,
        now=datetime.now(timezone.utc),
    )


def midnight(day: str) -> datetime:
    """Return the beginning of a day, UTC."""
    return datetime.combine(date.fromisoformat(day), time(), timezone.utc)
