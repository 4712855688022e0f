"""Calls in flight that adapt, against fixed numbers, on a server with 1, 4 and 32 slots.

    python -m benchmarks.slots --seconds 1

A loopback server processes a fixed number of chat completions at a time; others wait in its queue, and one
whose client hangs up is dropped. Each line is one series of completions through the same client as
a refresh uses. What is measured is wall time, not CPU time.
"""

from __future__ import annotations

import argparse
import os
import select
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from freshqa.answering.language_model import Message
from freshqa.errors import FreshQAError
from prefect_freshqa.blocks import in_flight
from prefect_freshqa.blocks.chat_model import ChatModel
from prefect_freshqa.blocks.in_flight import AdaptiveLimit, Flight, Gate
from prefect_freshqa.blocks.openai_client import Endpoint

SERIES = {1: 38, 4: 150, 32: 1_600}
"""Slots → completions: about forty times the seconds of one at the best."""
THREADS = 64
BODY = b'{"model": "m", "choices": [{"message": {"content": "yes"}, "finish_reason": "stop"}]}'


class Fixed(AdaptiveLimit):
    """A limit that stays as it is."""

    def __init__(self, limit: int) -> None:
        super().__init__(timeout=1.0)
        self.limit = limit

    def end(self, flight: Flight, now: float, *, answered: bool, overloaded: bool = False) -> None:
        """Nothing follows from how a call ended."""
        super().end(flight, now, answered=False)


class Slots(ThreadingHTTPServer):
    """Works on `slots` requests at a time, for `seconds` each."""

    daemon_threads = True
    request_queue_size = 256

    def __init__(self, slots: int, seconds: float) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.free, self.seconds, self.dropped = threading.Semaphore(slots), seconds, 0

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Clients that hang up are counted, not printed."""


class Handler(BaseHTTPRequestHandler):
    """One request."""

    protocol_version = "HTTP/1.1"
    server: Slots

    def log_message(self, format: str, *args: object) -> None:
        """Nothing on stderr."""

    def do_POST(self) -> None:
        """Wait for a slot, work, answer; stop when the client has gone."""
        self.rfile.read(int(self.headers["Content-Length"]))
        with self.server.free:
            gone = select.select([self.connection], [], [], 0)[0]
            if gone or select.select([self.connection], [], [], self.server.seconds)[0]:
                self.server.dropped += 1
                self.close_connection = True
                return
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(BODY)))
        self.end_headers()
        self.wfile.write(BODY)


def measure(slots: int, seconds: float, timeout: float, fixed: int) -> tuple[float, int, int]:
    """Seconds of the series, requests that the server dropped, completions that failed for good."""
    server = Slots(slots, seconds)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    url = f"http://127.0.0.1:{server.server_address[1]}/v1"
    model = ChatModel(Endpoint("m", base_url=url, timeout=timeout))
    gate = Gate(timeout=timeout)
    if fixed:
        gate.adaptive = Fixed(fixed)
    in_flight._gates[os.getpid(), (url, "m")] = gate
    failed = 0

    def ask(number: int) -> None:
        nonlocal failed
        try:
            model.complete([Message("user", str(number))])
        except FreshQAError:
            failed += 1

    began = time.monotonic()
    with ThreadPoolExecutor(THREADS) as pool:
        list(pool.map(ask, range(SERIES[slots])))
    took = time.monotonic() - began
    server.shutdown()
    return took, server.dropped, failed


def main() -> None:
    """Print one line per series, as a table in markdown."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--seconds", type=float, default=1.0, help="Of one completion.")
    parser.add_argument("--slots", type=int, choices=tuple(SERIES), nargs="*", default=[*SERIES])
    parser.add_argument("--fixed", type=int, nargs="*", default=[1, 4, 16, 32])
    asked = parser.parse_args()
    timeout = 8 * asked.seconds
    print(
        "| slots | completions | in flight | seconds | cancelled | failed after retries | % of the best fixed |"
    )
    print("|---|---|---|---|---|---|---|")
    for slots in asked.slots:
        rows = {}
        for fixed in [*(n for n in asked.fixed if n >= min(slots, 4) or slots == 1), 0]:
            rows[fixed] = measure(slots, asked.seconds, timeout, fixed)
        best = min(took for fixed, (took, _, _) in rows.items() if fixed)
        for fixed, (took, dropped, failed) in rows.items():
            print(
                f"| {slots} | {SERIES[slots]} | {fixed or 'adaptive'} | {took:.1f} | {dropped} | "
                f"{failed} | {100 * best / took:.0f} % |",
                flush=True,
            )


if __name__ == "__main__":
    main()
