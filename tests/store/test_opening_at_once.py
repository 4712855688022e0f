"""Several connections open a new SQLite file at the same time."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

from sqlalchemy import make_url

from freshqa.store.connecting import connect_engine

FILES = 60
AT_ONCE = 6


def test_simultaneous_openings_never_report_a_locked_store(tmp_path: Path) -> None:
    """Without a retry about one opening in forty failed, so some of these 360 would."""
    together = Barrier(AT_ONCE)

    def journal_mode(url: str) -> str:
        engine = connect_engine(make_url(url))
        together.wait()
        try:
            with engine.connect() as connection:
                return str(connection.exec_driver_sql("PRAGMA journal_mode").scalar())
        finally:
            engine.dispose()

    with ThreadPoolExecutor(AT_ONCE) as pool:
        for number in range(FILES):
            url = f"sqlite:///{tmp_path / f'{number}.db'}"
            assert list(pool.map(journal_mode, [url] * AT_ONCE)) == ["wal"] * AT_ONCE
