"""Run `serve` on loopback in a thread of the test."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import uvicorn

from freshqa.store.database import Store
from prefect_freshqa.desk.application import create_application
from prefect_freshqa.desk.serving import listen
from prefect_freshqa.desk.settings import DeskSettings


@contextmanager
def serving(store: Store, **settings: Any) -> Iterator[str]:
    """The URL of a server of this store while it runs."""
    application = create_application(store, DeskSettings(**settings))
    listening: socket.socket = listen("127.0.0.1", 0)
    config = uvicorn.Config(
        application, log_level="error", proxy_headers=False, lifespan="off", access_log=False
    )
    server = uvicorn.Server(config)
    server.install_signal_handlers = lambda: None  # type: ignore[attr-defined]
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(timeout=60)
        listening.close()
