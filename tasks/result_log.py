"""The log of a refresh: one line per question; unchanged questions share log records."""

from __future__ import annotations

import logging
import time
from typing import TypeAlias

from freshqa.maintaining.proposal import CheckedQuestion, Outcome

Logger: TypeAlias = "logging.Logger | logging.LoggerAdapter[logging.Logger]"
MAX_LINES = 25
"""Maximum number of lines in a record of unchanged questions."""
FLUSH_AFTER = 2.0
"""Age in seconds of the first line from which the next one writes them all. Lines may wait longer
where no result follows; Prefect sends records about as often."""


class ResultLog:
    """Collects the lines of unchanged questions; every other outcome is logged at once.

    A record costs Prefect as much CPU as a result costs the store, and most questions are
    unchanged. Used by one thread, for one batch.

    Args:
        logger: Of the task run or flow run.
    """

    def __init__(self, logger: Logger) -> None:
        self._logger = logger
        self._lines: list[str] = []
        self._first = 0.0

    def add(self, checked: CheckedQuestion) -> None:
        """Log a result: at once, or, where it is unchanged, together with later ones."""
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
        if len(self._lines) >= MAX_LINES or now - self._first >= FLUSH_AFTER:
            self.flush()

    def flush(self) -> None:
        """Log the lines collected so far."""
        if self._lines:
            self._logger.info("%s", "\n".join(self._lines))
            self._lines.clear()
