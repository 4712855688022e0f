"""One log line as one JSON object, for log collectors."""

from __future__ import annotations

import json
import logging
from datetime import datetime, timezone

RUN = ("flow_run_name", "flow_run_id", "task_run_name")
"""What Prefect adds to the records of a run."""


class JsonLine(logging.Formatter):
    """Time (UTC), level, logger, message, the run it belongs to, and the exception if there is one.

    Prefect's own JSON formatter writes the message before its arguments are put in.
    """

    def __init__(self, fmt: object = None, datefmt: object = None, style: object = None) -> None:
        # what Prefect's configuration gives its own JSON formatter, which is not a logging format
        super().__init__()

    def format(self, record: logging.LogRecord) -> str:
        """Return the record as JSON on one line."""
        line = {
            "time": datetime.fromtimestamp(record.created, timezone.utc).isoformat(),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
            **{name: getattr(record, name) for name in RUN if hasattr(record, name)},
        }
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False, default=str)
