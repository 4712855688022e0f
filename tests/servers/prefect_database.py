"""The database of a Prefect server that has just started, kept for the servers of other tests."""

from __future__ import annotations

import os
import shutil
import sqlite3
from contextlib import closing
from importlib.metadata import version
from pathlib import Path

CACHE = Path(__file__).parent.parent.parent / ".pytest_cache"


def kept_database(name: str) -> Path:
    """Where tests keep a new server's database: to make one takes four seconds of CPU."""
    return CACHE / f"{name}-{version('prefect')}.db"


def give_database(home: Path, name: str = "prefect") -> None:
    """Give a server that has never run the database of one that had just started."""
    kept, wanted = kept_database(name), home / "prefect.db"
    if kept.exists() and not wanted.exists():
        home.mkdir(exist_ok=True)
        shutil.copy(kept, wanted)


def keep_database(home: Path, name: str) -> None:
    """Keep the database of a server that has just started, unless there is one."""
    kept, database = kept_database(name), home / "prefect.db"
    if kept.exists() or not database.exists():
        return
    kept.parent.mkdir(exist_ok=True)
    unfinished = kept.with_suffix(f".{os.getpid()}")
    with (
        closing(sqlite3.connect(database)) as source,
        closing(sqlite3.connect(unfinished)) as target,
    ):
        source.backup(target)
    unfinished.replace(kept)
