"""Releases are downloaded from a loopback server with every known fault."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from freshqa.dataset.release import read_release
from freshqa.errors import BadData, FreshQAError, NotARelease, NotFound, ProviderError, UsageError
from prefect_freshqa.cli import download as module
from prefect_freshqa.cli.download import download, export_address

SHEET = "https://docs.google.com/spreadsheets/d/1BxiMVs0XRA5nFMdKvBdBZjgmUUqptlbs74OgvE2upms"
EXPORT = f"{SHEET}/export?format=csv"


class Handler(BaseHTTPRequestHandler):
    """One path, one behaviour."""

    files: dict[str, bytes]

    def do_GET(self) -> None:
        path = self.path.split("?")[0]
        if path in ("/403", "/404", "/500"):
            self.send_error(int(path[1:]))
        elif path == "/loop":
            self.answer(302, b"", Location="/loop")
        elif path == "/moved":
            self.answer(302, b"", Location="/release.csv")
        elif path == "/escape":
            self.answer(302, b"", Location="file:///etc/passwd")
        elif path == "/silent":
            time.sleep(3)
        elif path == "/drip":
            self.drip()
        elif path == "/cut":
            self.answer(200, self.files["official"], **{"Content-Length": "999999"})
        elif path == "/large":
            self.answer(200, b"x" * 5_000)
        elif path == "/sheet":
            disposition = (
                "attachment; filename=\"FreshQAv112425-x.csv\"; filename*=UTF-8''a%20v112425"
            )
            self.answer(200, self.files["official"], **{"Content-Disposition": disposition})
        elif path == "/login":
            self.answer(200, b"<!DOCTYPE html><html>Sign in</html>")
        else:
            self.answer(200, self.files["official"])

    def answer(self, status: int, body: bytes, **headers: str) -> None:
        self.send_response(status)
        for name, value in {"Content-Length": str(len(body)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def drip(self) -> None:
        self.send_response(200)
        self.end_headers()
        try:
            for _ in range(400):
                self.wfile.write(b"x" * 70_000)
                time.sleep(0.1)
        except OSError:
            pass  # the client gave up, which is the point

    def log_message(self, *_: Any) -> None:
        pass


@pytest.fixture
def server(files: dict[str, bytes]) -> Iterator[str]:
    handler = type("FilesHandler", (Handler,), {"files": files})
    running = ThreadingHTTPServer(("127.0.0.1", 0), handler)
    threading.Thread(target=running.serve_forever, daemon=True).start()
    yield f"http://127.0.0.1:{running.server_port}"
    running.shutdown()
    running.server_close()


def test_a_file_is_served_unchanged(server: str, files: dict[str, bytes]) -> None:
    assert download(f"{server}/release.csv?token=secret")[0] == files["official"]
    assert download(f"{server}/moved")[0] == files["official"]


@pytest.mark.parametrize(
    ("path", "kind", "message"),
    [
        (
            "/403",
            NotFound,
            "returned HTTP status 403. Check the address; a Google sheet must be shared",
        ),
        ("/404", NotFound, "returned HTTP status 404"),
        ("/500", ProviderError, "returned HTTP status 500. Try again later"),
        ("/loop", ProviderError, "cannot be read .TooManyRedirects."),
        ("/escape", ProviderError, "cannot be read .InvalidSchema."),
        ("/cut", ProviderError, "cannot be read"),
        ("/silent", ProviderError, "did not answer within 0.5 seconds"),
    ],
)
def test_a_failing_server_is_reported(
    server: str, path: str, kind: type[FreshQAError], message: str
) -> None:
    with pytest.raises(kind, match=message) as caught:
        download(f"{server}{path}?token=secret", read_seconds=0.5 if path == "/silent" else 60)
    assert "secret" not in str(caught.value) and path in str(caught.value)


def test_a_server_that_sends_slowly_is_abandoned(server: str) -> None:
    started = time.monotonic()
    with pytest.raises(ProviderError, match="was not complete after"):
        download(f"{server}/drip", total_seconds=0.5)
    assert time.monotonic() - started < 20


def test_a_large_file_is_refused_while_it_downloads(
    server: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MAX_BYTES", 1_000)
    with pytest.raises(BadData, match="/large: larger than"):
        download(f"{server}/large")


def test_an_unreachable_server_is_reported() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
    with pytest.raises(ProviderError, match=r"cannot be read \(ConnectionError"):
        download(f"http://user:hidden@127.0.0.1:{port}/x")


@pytest.mark.parametrize("url", ["ftp://example.org/x.csv", "file:///etc/passwd"])
def test_other_schemes_are_refused(url: str) -> None:
    with pytest.raises(UsageError, match=r"is not a valid HTTP\(S\) URL"):
        download(url)


def test_a_login_page_is_not_a_release(server: str) -> None:
    with pytest.raises(NotARelease, match="share the sheet with anyone who has the link"):
        read_release(download(f"{server}/login")[0], name="sheet")


@pytest.mark.parametrize(
    ("link", "export"),
    [
        (f"{SHEET}/edit#gid=334049794", f"{EXPORT}&gid=334049794"),
        (f"{SHEET}/edit?gid=12#gid=12", f"{EXPORT}&gid=12"),
        (f"{SHEET}/edit?usp=sharing", EXPORT),
        (SHEET, EXPORT),
        (f"{SHEET}/htmlview", EXPORT),
        (SHEET.replace("/d/", "/u/0/d/") + "/edit", EXPORT),
        (f"{EXPORT}&gid=5", f"{EXPORT}&gid=5"),
        (f"{SHEET}/export?format=xlsx", f"{SHEET}/export?format=xlsx"),
        ("https://example.org/docs.google.com/x.csv", "https://example.org/docs.google.com/x.csv"),
    ],
)
def test_a_sheet_link_becomes_its_csv_export(link: str, export: str) -> None:
    assert export_address(link) == export


@pytest.mark.parametrize(
    ("path", "name"),
    [("/sheet?format=csv", "a v112425"), ("/FreshQA_v042126.csv?raw=1", "FreshQA_v042126.csv")],
)
def test_the_file_takes_its_name_from_the_server(server: str, path: str, name: str) -> None:
    assert module.download(server + path)[1] == name


@pytest.mark.parametrize(
    ("disposition", "name"),
    [
        ('attachment; filename="FreshQA_v112425.csv"', "FreshQA_v112425.csv"),
        ("attachment; filename=FreshQA_v112425.csv", "FreshQA_v112425.csv"),
        ("inline", ""),
        ("", ""),
        ('attachment; filename="../../v112425.csv"', "v112425.csv"),
        ("attachment; FileName*=utf-8'en'Fresh%C3%A9.csv", "Freshé.csv"),
    ],
)
def test_a_content_disposition_names_the_file(disposition: str, name: str) -> None:
    assert module._file_name(disposition) == name
