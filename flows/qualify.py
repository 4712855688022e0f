"""Decide whether a model may change answers without a person."""

from __future__ import annotations

import time
from dataclasses import replace
from datetime import date, datetime, timezone
from typing import Any

from prefect import flow
from prefect.futures import PrefectFuture, as_completed
from prefect.runtime import flow_run
from prefect.task_runners import ThreadPoolTaskRunner

from freshqa.store import runs
from freshqa.store.runs import Run
from prefect_freshqa.blocks.resolve import load_store
from prefect_freshqa.tasks import evaluation_reporting as reporting
from prefect_freshqa.tasks.flow_names import untagged
from prefect_freshqa.tasks.probing import ReadBatch, probe_batch
from prefect_freshqa.tasks.qualification_plan import QualificationPlan, plan_qualification
from prefect_freshqa.tasks.qualification_results import (
    close_qualification,
    open_qualification,
    sum_up_qualification,
)
from prefect_freshqa.tasks.qualification_settings import QualificationSettings
from prefect_freshqa.tasks.refresh_settings import BATCHES_AT_ONCE


@flow(
    name="qualify-model",
    flow_run_name="qualify {settings.model}",
    task_runner=ThreadPoolTaskRunner(max_workers=BATCHES_AT_ONCE),  # type: ignore[arg-type]
)
def qualify_model(
    settings: QualificationSettings = QualificationSettings(),
    as_of: date | None = None,
    key: str | None = None,
) -> dict[str, Any]:
    """Probe a model with RGB's testbeds and issue a certificate, passed or not.

    A run that was killed, or whose budget ended, resumes where it stopped when it is started again
    on the same day or with the same key: no completion is paid twice.

    Args:
        settings: Testbeds, model, way of asking, bounds, budget; see `QualificationSettings`.
        as_of: Date of the certificate. Default: today (UTC).
        key: Name of the run. Default: from model, day and settings.

    Returns:
        The certificate and its figures, in the shape of `prefect-freshqa qualify --json`.
    """
    began = time.monotonic()
    store = load_store(settings.store)
    with untagged():
        plan = plan_qualification(settings, as_of, key)
        run, resumed = open_qualification(store, plan, settings, flow_run_id=str(flow_run.id or ""))
        if run.state == runs.COMPLETED:
            return {**run.summary, "resumed": True}
        try:
            batches = read_testbeds(run, plan, settings)
            summary = sum_up_qualification(store, run, plan, settings, batches)
            close_qualification(store, run, summary)
            reporting.show_certificate(summary)
            seconds = round(time.monotonic() - began, 2)
            return {**summary, "seconds": seconds, "resumed": resumed}
        except BaseException as failure:
            runs.fail_run(store, run.key, failure, now=datetime.now(timezone.utc))
            raise


def read_testbeds(
    run: Run, plan: QualificationPlan, settings: QualificationSettings
) -> dict[int, list[ReadBatch]]:
    """Read every item of every probe in batches, and show the progress."""
    progress = reporting.start_progress(plan.total)
    futures: dict[int, list[PrefectFuture[ReadBatch]]] = {}
    for count, (number, (start, end)) in enumerate(plan.batches(settings.batch_size), start=1):
        bed, probe = plan.probes[number]
        batch = replace(bed, items=bed.items[start:end])
        submitted = probe_batch.submit(run, batch, probe, settings, count)
        futures.setdefault(number, []).append(submitted)
    done = 0
    for future in as_completed([future for probed in futures.values() for future in probed]):
        read = future.result()
        done += len(read.reads) + len(read.failed) + read.left
        reporting.move_progress(progress, done, plan.total)
    return {number: [f.result() for f in probed] for number, probed in futures.items()}
