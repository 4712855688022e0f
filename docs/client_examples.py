"""The transcript that `docs/versions.md` prints: made by a server and a client on loopback."""

from __future__ import annotations

import io
import os
import shlex
import tempfile
import threading
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from pathlib import Path
from unittest.mock import patch

import uvicorn

from freshqa import sample
from freshqa.errors import FreshQAError
from freshqa.store.database import Store
from prefect_freshqa.cli.lazy_group import load_command
from prefect_freshqa.client import fetch
from prefect_freshqa.desk.application import create_application
from prefect_freshqa.desk.serving import listen
from prefect_freshqa.desk.settings import DeskSettings

SHOWN = "https://freshqa.example.org"
PULL = f"prefect-freshqa pull --from {SHOWN} --tag paper-v2 -o freshqa.csv"


def client_transcript() -> str:
    """Pull a version from a server, pull it again when the server is gone, ask for a wrong hash."""
    with tempfile.TemporaryDirectory() as folder, in_folder(Path(folder)):
        store = made_store(Path(folder))
        with served(store) as url:
            lines = [f"$ {PULL}", *said(PULL, url)]
            lines += [f'>>> load("{SHOWN}", version=1, content_hash="0" * 64)', refused(url)]
        lines += ["", "# the server is stopped", f"$ {PULL}", *said(PULL, url)]
        store.close()
    return "\n".join(lines).replace(url, SHOWN)


def made_store(folder: Path) -> Store:
    """A store with the sample release as version 1, tagged."""
    url = f"sqlite:///{folder / 'store.db'}"
    store = Store.open(url, create=True)
    said(f"prefect-freshqa import {sample.path('release.csv')} --as-of 2026-03-02 --store {url}")
    said(f"prefect-freshqa tag paper-v2 1 --store {url}")
    return store


@contextmanager
def served(store: Store) -> Iterator[str]:
    """The URL of a read-only server while it runs."""
    application = create_application(store, DeskSettings(read_only=True))
    with listen("127.0.0.1", 0) as listening:
        config = uvicorn.Config(application, log_level="error", lifespan="off")
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join()


@contextmanager
def in_folder(folder: Path) -> Iterator[None]:
    """Work and cache in a folder of its own."""
    before = Path.cwd()
    os.chdir(folder)
    try:
        with patch.dict(os.environ, {"XDG_CACHE_HOME": str(folder / "cache"), "COLUMNS": "200"}):
            yield
    finally:
        os.chdir(before)


def said(command: str, url: str = SHOWN) -> list[str]:
    """What a command prints, to both streams."""
    _, name, *arguments = shlex.split(command.replace(SHOWN, url))
    printed = io.StringIO()
    with redirect_stdout(printed), redirect_stderr(printed):
        load_command(name).main(arguments, standalone_mode=False)
    return printed.getvalue().splitlines()


def refused(url: str) -> str:
    """The failure of a version that does not have the hash that was asked for."""
    try:
        fetch(url, 1, content_hash="0" * 64)
    except FreshQAError as failure:
        return f"{type(failure).__name__}: {failure}"
    raise AssertionError("A wrong hash was accepted.")
