"""A loopback HTTP server that follows a script and logs its requests."""

from __future__ import annotations

import json
import random
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import parse_qsl, urlsplit


@dataclass(frozen=True)
class Reply:
    """One HTTP reply, well or badly behaved.

    Args:
        status: HTTP status.
        body: Sent as it is when text or bytes, else as JSON.
        headers: Extra headers; `Content-Type` replaces the default.
        delay: Seconds of silence before the status line.
        drip: Seconds between two bytes of the body.
        cut: Bytes of the body that are sent before the connection breaks.
        drop: Break the connection without any reply.
    """

    status: int = 200
    body: Any = ""
    headers: Mapping[str, str] = field(default_factory=dict)
    delay: float = 0.0
    drip: float = 0.0
    cut: int | None = None
    drop: bool = False

    @property
    def payload(self) -> bytes:
        if isinstance(self.body, bytes):
            return self.body
        text = self.body if isinstance(self.body, str) else json.dumps(self.body)
        return text.encode("utf-8")


@dataclass(frozen=True)
class Request:
    """One request as it arrived; `body` is parsed JSON, or text when it is none."""

    method: str
    path: str
    query: Mapping[str, str]
    headers: Mapping[str, str]
    body: Any
    at: float


class ScriptedServer:
    """Answers on 127.0.0.1 with `normal`, except where the script says otherwise.

    Faults come from, in this order: `script` (one each), `burst` (a range of request numbers),
    `limit_concurrency`, `at_random` (a share of requests), `always`.
    """

    def __init__(self) -> None:
        self.latency = 0.0
        self.requests: list[Request] = []
        self.peak = 0
        """Largest number of requests that were in flight at once."""
        self._lock = threading.Lock()
        self._in_flight = 0
        self._stopping = threading.Event()
        self._server: ThreadingHTTPServer | None = None
        self.clear()

    def clear(self) -> None:
        """Forget every fault and the log."""
        self._script: deque[Reply | None] = deque()
        self._bursts: list[tuple[range, Reply]] = []
        self._random: tuple[float, Reply, random.Random] | None = None
        self._concurrent: tuple[int, Reply] | None = None
        self._always: Reply | None = None
        self.requests.clear()
        self.peak = 0

    def normal(self, request: Request) -> Reply:
        """What a well-behaved server says; each kind of server has its own."""
        raise NotImplementedError

    # -- scripting -----------------------------------------------------------------------------
    def script(self, *replies: Reply | None) -> None:
        """The next requests get these replies, one each; None means the normal one."""
        self._script.extend(replies)

    def always(self, reply: Reply | None) -> None:
        """Every request gets this reply; None ends it."""
        self._always = reply

    def burst(self, first: int, count: int, reply: Reply) -> None:
        """Requests number `first` to `first + count - 1`, from 0, get this reply."""
        self._bursts.append((range(first, first + count), reply))

    def at_random(self, share: float, reply: Reply, *, seed: int = 0) -> None:
        """This share of requests gets this reply; the same seed gives the same sequence."""
        self._random = (share, reply, random.Random(seed))

    def limit_concurrency(self, at_once: int, reply: Reply) -> None:
        """Requests beyond this many in flight get this reply."""
        self._concurrent = (at_once, reply)

    # -- running -------------------------------------------------------------------------------
    @property
    def url(self) -> str:
        assert self._server is not None, "the server is not running"
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    @contextmanager
    def running(self) -> Iterator[ScriptedServer]:
        self._stopping.clear()
        self._server = _Listener(("127.0.0.1", 0), _handler(self))
        thread = threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True)
        thread.start()
        try:
            yield self
        finally:
            self._stopping.set()
            self._server.shutdown()
            self._server.server_close()
            thread.join()

    # -- one request ---------------------------------------------------------------------------
    def take(self, request: Request) -> Reply:
        with self._lock:
            number = len(self.requests)
            self.requests.append(request)
            fault = self._fault(number)
        reply = fault if fault is not None else self.normal(request)
        self._stopping.wait(reply.delay + (self.latency if fault is None else 0.0))
        return reply

    def _fault(self, number: int) -> Reply | None:
        if self._script:
            return self._script.popleft()
        for numbers, reply in self._bursts:
            if number in numbers:
                return reply
        if self._concurrent and self._in_flight > self._concurrent[0]:
            return self._concurrent[1]
        if self._random and self._random[2].random() < self._random[0]:
            return self._random[1]
        return self._always

    @contextmanager
    def flight(self) -> Iterator[None]:
        with self._lock:
            self._in_flight += 1
            self.peak = max(self.peak, self._in_flight)
        try:
            yield
        finally:
            with self._lock:
                self._in_flight -= 1


class _Listener(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 256

    def handle_error(self, request: object, client_address: object) -> None:
        """A client that hangs up is part of the tests; nothing is printed."""


def _handler(server: ScriptedServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def log_message(self, format: str, *args: object) -> None:
            """Nothing on stderr."""

        def answer(self) -> None:
            with server.flight():
                reply = server.take(self.read())
                self.send(reply)

        do_GET: Callable[..., None] = answer
        do_POST: Callable[..., None] = answer

        def read(self) -> Request:
            parts = urlsplit(self.path)
            text = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode("utf-8")
            try:
                body = json.loads(text) if text else None
            except ValueError:
                body = text
            query = dict(parse_qsl(parts.query, keep_blank_values=True))
            headers = {name.lower(): value for name, value in self.headers.items()}
            return Request(self.command, parts.path, query, headers, body, time.monotonic())

        def send(self, reply: Reply) -> None:
            if reply.drop:
                self.close_connection = True
                return
            payload = reply.payload
            headers = {"Content-Type": "application/json", **reply.headers}
            self.send_response(reply.status)
            for name, value in headers.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(payload)))
            self.end_headers()
            sent = payload if reply.cut is None else payload[: reply.cut]
            if reply.drip:
                for position in range(len(sent)):
                    self.wfile.write(sent[position : position + 1])
                    if server._stopping.wait(reply.drip):
                        break
            else:
                self.wfile.write(sent)
            if len(sent) < len(payload):
                self.close_connection = True

    return Handler
