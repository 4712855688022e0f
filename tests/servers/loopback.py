"""A port for a server on this machine, and requests to one whose database is locked for a moment."""

from __future__ import annotations

import socket
import time

import httpx


class AskAgainWhenBusy(httpx.HTTPTransport):
    """Sends a request again on 503, Prefect's word for a locked database, as its own client does."""

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        for _ in range(40):
            answer = super().handle_request(request)
            if answer.status_code != httpx.codes.SERVICE_UNAVAILABLE:
                return answer
            answer.close()
            time.sleep(0.5)
        return super().handle_request(request)


def free_port() -> int:
    """A port that nothing listens on."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])
