"""Run a flow from the command line: in this process, against the configured Prefect server."""

from __future__ import annotations

import logging
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

import httpx
from prefect import tags
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from freshqa.errors import FreshQAError, NotFound
from freshqa.store.checks import checked_keys
from freshqa.store.database import Store
from prefect_freshqa.cli.output import progress_to_stderr
from prefect_freshqa.settings import STORE_VARIABLE
from prefect_freshqa.tasks.flow_names import TAG
from prefect_freshqa.tasks.threads import every


def use_store(url: str) -> None:
    """Make the flow open the store of `--store`: flow parameters never carry a URL."""
    if url:
        os.environ[STORE_VARIABLE] = url


def quiet_prefect() -> None:
    """Show only warnings on the terminal unless PREFECT_LOGGING_LEVEL is set.

    A failure of ours is printed once, as one line with its remedy, by the frame: not also here,
    three times and with tracebacks.
    """
    if "PREFECT_LOGGING_LEVEL" in os.environ:
        return
    for handler in logging.getLogger().handlers:  # where Prefect configures its console
        handler.setLevel(logging.WARNING)  # of the handler: the run's page shows every line
        handler.addFilter(not_said_by_the_frame)


def not_said_by_the_frame(record: logging.LogRecord) -> bool:
    """Filter out log records of a failure that the command reports itself."""
    failure = record.exc_info[1] if record.exc_info else None
    said = isinstance(failure, FreshQAError | httpx.HTTPError)
    return not said and "in state Failed(" not in record.getMessage()


def run_tagged(run: Callable[..., Any], **parameters: Any) -> Any:
    """Run a flow with the tag by which the automations of `init` recognise its runs."""
    with tags(TAG):
        return run(**parameters)


@contextmanager
def progress_of(store: Store, run: str, total: int) -> Iterator[None]:
    """Show on stderr how many questions of a run are in the ledger, until the block ends."""
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, TimeElapsedColumn(), console=progress_to_stderr()) as progress:
        before = 0
        with suppress(NotFound):
            before = len(checked_keys(store, run))  # when the run is resumed
        bar = progress.add_task("Checking questions", total=total + before)

        def look() -> None:
            with suppress(NotFound):  # the flow has not opened the run yet
                progress.update(bar, completed=len(checked_keys(store, run)))

        try:
            with every(1.0, look):
                yield
        finally:
            look()
