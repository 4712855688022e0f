"""The log of a refresh: one line per question, those that stay as they are in one record for many."""

from __future__ import annotations

import logging
import time
from typing import TypeAlias

from freshqa.maintaining.proposal import CheckedQuestion, Outcome

Logger: TypeAlias = "logging.Logger | logging.LoggerAdapter[logging.Logger]"
MOST_LINES = 25
MOST_SECONDS = 2.0
"""How long a line waits for others; Prefect sends records as seldom."""


class ResultLog:
    """Lines of one batch, written by one thread.

    Prefect spends as much CPU on a record as the store on a result, and most questions stay as they
    are. Every other outcome is a record of its own, written at once.

    Args:
        logger: Of the task run or flow run.
    """

    def __init__(self, logger: Logger) -> None:
        self._logger = logger
        self._lines: list[str] = []
        self._first = 0.0

    def add(self, checked: CheckedQuestion) -> None:
        """Log a result, now or with those that follow."""
        error = f": {checked.error}" if checked.error else ""
        line = f"{checked.question}: {checked.outcome.value} (risk {checked.risk:.2f}){error}"
        if checked.outcome is not Outcome.unchanged:
            level = logging.WARNING if checked.outcome is Outcome.failed else logging.INFO
            self._logger.log(level, "%s", line)
            return
        now = time.monotonic()
        if not self._lines:
            self._first = now
        self._lines.append(line)
        if len(self._lines) >= MOST_LINES or now - self._first >= MOST_SECONDS:
            self.flush()

    def flush(self) -> None:
        """Write the lines that wait."""
        if self._lines:
            self._logger.info("%s", "\n".join(self._lines))
            self._lines.clear()
