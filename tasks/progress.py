"""How far a refresh is, on its page in the Prefect UI, however long its batches are."""

from __future__ import annotations

import contextvars
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from prefect import get_run_logger

from freshqa.store.checks import checked_keys
from freshqa.store.database import Store
from freshqa.store.runs import Run
from prefect_freshqa.tasks.reporting import move_progress, start_progress

SECONDS = 10.0
"""Between two looks at the ledger."""


@contextmanager
def progress_shown(store: Store, run: Run, total: int, *, before: int) -> Iterator[None]:
    """Move the run's progress bar by what is in the ledger, until the block ends.

    Args:
        store: Where the ledger is.
        run: The run.
        total: How many questions are checked.
        before: How many it had checked before, when it is taken up again.
    """
    progress = start_progress(total)
    finished = threading.Event()
    logger = get_run_logger()

    def move(done: Callable[[], int]) -> None:
        try:
            move_progress(progress, done(), total)
        except Exception as problem:  # noqa: BLE001 - a bar that stands still stops no run
            logger.warning("Progress could not be shown: %s", type(problem).__name__)

    def watch() -> None:
        while not finished.wait(SECONDS):
            move(lambda: len(checked_keys(store, run.id)) - before)

    watcher = threading.Thread(target=contextvars.copy_context().run, args=(watch,), daemon=True)
    watcher.start()
    try:
        yield
    finally:
        finished.set()
        watcher.join()
    if total:
        move(lambda: total)
