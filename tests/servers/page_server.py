"""Loopback servers of well-behaved and misbehaving web pages."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from ipaddress import ip_network

from servers.scripted_server import Reply, Request, ScriptedServer

from freshqa.evidence.address_rule import AddressRule

LOOPBACK = AddressRule(also_allowed=(ip_network("127.0.0.0/8"),), ports=None)
"""Addresses that only tests may reach."""
HTML = {"Content-Type": "text/html; charset=utf-8"}


def page(text: str, *, head: str = "") -> Reply:
    """An honest page with a paragraph."""
    body = f"<html><head>{head}</head><body><article><p>{text}</p></article></body></html>"
    return Reply(body=body, headers=HTML)


def redirect(to: str) -> Reply:
    """A redirect."""
    return Reply(302, "", {"Location": to, "Content-Type": "text/html"})


class PageServer(ScriptedServer):
    """Serves `pages` by path; anything else is 404, `robots.txt` unless it is among them too."""

    def __init__(self) -> None:
        super().__init__()
        self.pages: dict[str, Reply] = {}

    def normal(self, request: Request) -> Reply:
        return self.pages.get(request.path, Reply(404, "", HTML))

    def paths(self) -> list[str]:
        """What was asked, in order, without robots.txt."""
        return [r.path for r in self.requests if r.path != "/robots.txt"]


@contextmanager
def raw_server(*, start: bytes, then: bytes = b"", pause: float = 0.05) -> Iterator[str]:
    """A server without manners: sends `start`, then `then` again and again until nobody listens.

    Its robots.txt is a proper 404.
    """
    listener = socket.create_server(("127.0.0.1", 0))
    stopping = threading.Event()

    def serve(connection: socket.socket) -> None:
        with connection, suppress(OSError):
            asked = connection.recv(65_536)
            if b"/robots.txt" in asked:
                connection.sendall(b"HTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n")
                return
            connection.sendall(start)
            while then and not stopping.wait(pause):
                connection.sendall(then)

    def accept() -> None:
        with suppress(OSError):
            while True:
                connection, _ = listener.accept()
                threading.Thread(target=serve, args=(connection,), daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}/page"
    finally:
        stopping.set()
        listener.close()
