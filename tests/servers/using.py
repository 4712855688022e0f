"""Use a Prefect server in this process, and send all events before the end."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

from prefect.context import refresh_global_settings_context
from prefect.events.worker import EventsWorker
from prefect.logging.handlers import APILogWorker
from prefect.settings import (
    PREFECT_API_URL,
    PREFECT_FLOWS_HEARTBEAT_FREQUENCY,
    temporary_settings,
)

PATIENCE = 10.0
WITHOUT_HEARTBEAT = {PREFECT_FLOWS_HEARTBEAT_FREQUENCY: None}
"""The thread that sends it looks once a second whether the flow has ended, and is waited for."""


@contextmanager
def using(api_url: str) -> Iterator[None]:
    """Use the server at this API URL until the block ends. It has no UI: flows draw no pictures.

    The process' own settings say it as well: threads that Prefect starts see no temporary setting,
    and would start a server of their own. At the end, logs and events are sent: later, at the exit of the
    process, the server may be gone, and each sender tries for a minute to reach it.
    """
    try:
        there = {"PREFECT_API_URL": api_url, "PREFECT_SERVER_UI_ENABLED": "false"}
        with patch.dict(os.environ, there):
            refresh_global_settings_context()
            try:
                with temporary_settings({PREFECT_API_URL: api_url, **WITHOUT_HEARTBEAT}):
                    yield
            finally:
                APILogWorker.drain_all(timeout=PATIENCE, at_exit=False)
                EventsWorker.drain_all(timeout=PATIENCE, at_exit=False)
    finally:
        refresh_global_settings_context()
