"""Listen on an address and serve an application there."""

from __future__ import annotations

import signal
import socket
import sys

import uvicorn
from starlette.types import ASGIApp

from freshqa.errors import StoreError

BACKLOG = 2048


def listen(host: str, port: int) -> socket.socket:
    """Return a listening socket; port 0 for any free one.

    Raises:
        StoreError: the address cannot be used.
    """
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        opened = socket.socket(family, kind, protocol)
        opened.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        opened.bind(address)
        opened.listen(BACKLOG)
    except OSError as failed:
        raise StoreError(
            f"Cannot listen on {host} port {port}: {failed.strerror or failed}.",
            "Choose another with --host and --port.",
        ) from None
    return opened


def end_on_sigterm() -> None:
    """End this process in order on SIGTERM, which otherwise kills it without any cleanup.

    Uvicorn sends itself the signal again when it has stopped.
    """
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))


def serve_on(application: ASGIApp, listening: socket.socket) -> None:
    """Serve until the process is stopped; requests in progress are finished."""
    sys.stdout.flush()
    config = uvicorn.Config(
        application,
        log_level="warning",
        access_log=False,
        proxy_headers=False,  # the desk checks proxies itself and needs the address of the client
        server_header=False,
        lifespan="off",
        timeout_keep_alive=20,
        timeout_graceful_shutdown=10,
    )
    uvicorn.Server(config).run(sockets=[listening])
