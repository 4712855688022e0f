"""The progress of a refresh on its page in the Prefect UI."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from prefect import get_run_logger

from freshqa.store.checks import checked_keys
from freshqa.store.database import Store
from freshqa.store.runs import Run
from prefect_freshqa.tasks.reporting import move_progress, start_progress
from prefect_freshqa.tasks.threads import every

SECONDS = 10.0
"""Between two looks at the ledger."""


@contextmanager
def progress_shown(store: Store, run: Run, total: int, *, before: int) -> Iterator[None]:
    """Move the run's progress bar by what is in the ledger, until the block ends.

    The bar is that of the whole run, however often it was resumed. A failed check does not count: a
    bar that is not full at the end says how many questions stay due.

    Args:
        total: How many questions are checked now.
        before: How many it had checked before it was resumed.
    """
    whole = before + total
    progress = start_progress(whole, done=before)
    logger = get_run_logger()

    def move(*, ended: bool = False) -> None:
        try:
            move_progress(progress, len(checked_keys(store, run.key)), whole, ended=ended)
        except Exception as problem:  # noqa: BLE001 - a bar that is not updated does not stop the run
            logger.warning("Progress could not be shown: %s", type(problem).__name__)

    with every(SECONDS, move):
        yield
    if total:
        move(ended=True)
