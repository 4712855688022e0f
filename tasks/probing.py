"""Let the model read a batch of a testbed's items, and score what it replies."""

from __future__ import annotations

import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import date, datetime, timezone
from functools import partial

from prefect import get_run_logger, task
from prefect.cache_policies import NO_CACHE

from freshqa.answering.batch import ENDS_ALL
from freshqa.answering.language_model import LanguageModel
from freshqa.answering.settings import settings_for
from freshqa.errors import ErrorKind, FreshQAError
from freshqa.evaluation.rgb.accuracy import AccuracyJudge
from freshqa.evaluation.rgb.probe import Probe, Read, read_item
from freshqa.evaluation.rgb.reader import MethodReader, ModelReader, Reader
from freshqa.evaluation.rgb.testbed import Item, Testbed
from freshqa.store.database import Store
from freshqa.store.runs import Run, keep_alive
from prefect_freshqa.blocks.resolve import load_store
from prefect_freshqa.tasks.cached_providers import CachedProviders, OnePerRun, run_budget
from prefect_freshqa.tasks.qualification_plan import (
    instruction_of,
    judge_prompt_of,
    style_of,
)
from prefect_freshqa.tasks.qualification_settings import QualificationSettings
from prefect_freshqa.tasks.threads import in_context


@dataclass(frozen=True)
class ReadBatch:
    """The result of a batch.

    Args:
        reads: Items that were read and scored.
        failed: Items that could not be read, and why; they are in no figure.
        left: Items that the budget left over.
    """

    reads: tuple[Read, ...]
    failed: tuple[str, ...]
    left: int


@dataclass(frozen=True)
class Readers:
    """The reader, the judge of replies, and the number of calls in flight."""

    reader: Reader
    judge: LanguageModel | None
    slots: threading.Semaphore  # shared by the batches that run at the same time
    accuracy: AccuracyJudge | None = None


_readers = OnePerRun[Readers]()


@task(cache_policy=NO_CACHE, task_run_name="probe-{number}")
def probe_batch(
    run: Run,
    testbed: Testbed,
    probe: Probe,
    settings: QualificationSettings,
    number: int,
) -> ReadBatch:
    """Read some items at one mixture of documents; every completion is in the ledger at once.

    Args:
        run: The run that pays.
        testbed: A testbed with the items of this batch only.
        probe: What they are given.
        settings: What the qualification was told.
        number: Number of the batch, from 1, for its name in the UI.

    Raises:
        QuotaExhausted, CredentialsError, UsageError: the next item would meet the same.
    """
    store = load_store(settings.store)
    readers = readers_of(store, run, settings)

    def read(item: Item) -> Read | FreshQAError:
        try:
            with readers.slots:
                return read_item(
                    item,
                    testbed,
                    probe,
                    readers.reader,
                    judge=readers.judge,
                    accuracy=readers.accuracy,
                )
        except FreshQAError as failure:
            if failure.kind in ENDS_ALL and failure.kind is not ErrorKind.budget:
                raise
            return failure

    with ThreadPoolExecutor(settings.concurrency, thread_name_prefix="probe") as pool:
        waiting = [in_context(pool, read, item) for item in testbed.items]
        try:
            done = [future.result() for future in waiting]
        except FreshQAError:
            for future in waiting:
                future.cancel()
            raise
    keep_alive(store, run.key, now=datetime.now(timezone.utc))
    return sort_out(testbed.items, done)


def sort_out(items: tuple[Item, ...], done: list[Read | FreshQAError]) -> ReadBatch:
    """Return what was read, what failed (named in the log), what the budget left over."""
    failed = []
    left = 0
    for item, outcome in zip(items, done, strict=True):
        if isinstance(outcome, Read):
            continue
        if outcome.kind is ErrorKind.budget:
            left += 1
            continue
        failed.append(f"{item.id}: {outcome.message}")
        get_run_logger().info("Not read: %s", failed[-1])
    reads = tuple(outcome for outcome in done if isinstance(outcome, Read))
    return ReadBatch(reads, tuple(failed), left)


def readers_of(store: Store, run: Run, settings: QualificationSettings) -> Readers:
    """Return reader and judge of a run, made once per process."""
    make = partial(make_readers, store, run, settings)
    return _readers.get(store, run, settings.model_dump_json(), make)


def make_readers(store: Store, run: Run, settings: QualificationSettings) -> Readers:
    """The model as a refresh would ask it, or as RGB asks; replies of other runs do not count."""
    budget = run_budget(store, run, tokens=settings.budget_tokens, usd=settings.budget_usd)
    providers = CachedProviders(store, run, budget=budget, reuse_days=0)
    model = providers.model(settings.model) if settings.asks_a_model else None
    judge = providers.model(settings.judge) if settings.judge else None
    prompt = judge_prompt_of(settings)
    return Readers(
        reader_of(settings, model, as_of=run.as_of),
        judge,
        threading.Semaphore(settings.concurrency),
        AccuracyJudge(judge, prompt, as_of=run.as_of) if judge and prompt else None,
    )


def reader_of(
    settings: QualificationSettings, model: LanguageModel | None, *, as_of: date
) -> Reader:
    """Return the model in RGB's setting, or the method of the settings."""
    if settings.method == "rgb" and model is not None:
        return ModelReader(model, style=style_of(settings), instruction=instruction_of(settings))
    return MethodReader(
        settings.method,
        as_of=as_of,
        model=model,
        settings=settings_for(settings.profile, settings.premise_check),
    )
