"""Back up a store, restore the copy and verify it."""

from __future__ import annotations

import tempfile
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

from sqlalchemy import create_engine, make_url, text

from freshqa.errors import StoreError
from freshqa.store import verifying
from freshqa.store.backup import copy_database, datasets, restore_database, suffix_of
from freshqa.store.connecting import parse_url
from freshqa.store.database import Store
from prefect_freshqa.settings import configured_dataset


def back_up(
    url: str,
    folder: Path,
    *,
    now: datetime,
    prefect_database: str = "",
    keep: int | None = None,
) -> dict[str, Any]:
    """Copy the store, restore the copy to a scratch database, and verify every version there.

    Args:
        url: SQLAlchemy URL of the store.
        now: For their names.
        prefect_database: SQLAlchemy URL of the Prefect server's database; "" to leave it out.
        keep: How many copies of each database stay; None for all.

    Returns:
        The files that were written, and how many versions the restored store holds.

    Raises:
        StoreError: the copy cannot be made, or it does not verify; then it is deleted.
    """
    stamp = now.strftime("%Y%m%dT%H%M%SZ")
    copy = folder / f"freshqa-{stamp}{suffix_of(url)}"
    copy_database(url, copy)
    try:
        with scratch_database(url) as scratch:
            restore_database(copy, scratch)
            verified = verify_all(scratch)
    except BaseException:
        copy.unlink(missing_ok=True)
        raise
    files = [copy]
    if prefect_database:
        files.append(folder / f"prefect-{stamp}{suffix_of(prefect_database)}")
        copy_database(prefect_database, files[-1])
    for file in files:
        _forget_old(folder, file, keep)
    return {"files": [str(file) for file in files], "versions": verified}


def verify_all(url: str) -> int:
    """Verify every version of every dataset in a store, and return their number.

    Raises:
        StoreError: a version does not verify.
    """
    store = Store.open(url, dataset=configured_dataset())
    results: list[verifying.Verification] = []
    try:
        for dataset in datasets(store):
            named = Store.open(url, dataset=dataset.name)
            try:
                results += verifying.verify(named)
            finally:
                named.close()
    finally:
        store.close()
    corrupt = [str(result.number) for result in results if result.status == "corrupt"]
    if corrupt:
        raise StoreError(
            f"Versions {', '.join(corrupt)} failed verification.",
            "Run: prefect-freshqa verify --all, and keep the last copy that does.",
        )
    return len(results)


@contextmanager
def scratch_database(url: str) -> Iterator[str]:
    """URL of an empty database of the same kind, deleted at the end."""
    address = make_url(url)
    if address.get_backend_name() == "sqlite":
        with tempfile.TemporaryDirectory(prefix="freshqa-") as folder:
            yield f"sqlite:///{Path(folder) / 'restored.db'}"
        return
    name = f"freshqa_restored_{uuid.uuid4().hex[:8]}"
    engine = create_engine(parse_url(url), isolation_level="AUTOCOMMIT")
    try:
        with engine.connect() as connection:
            connection.execute(text(f"CREATE DATABASE {name}"))
        try:
            yield address.set(database=name).render_as_string(hide_password=False)
        finally:
            with engine.connect() as connection:
                connection.execute(text(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)"))
    finally:
        engine.dispose()


def _forget_old(folder: Path, file: Path, keep: int | None) -> None:
    kind = file.name.split("-")[0]
    copies = sorted(folder.glob(f"{kind}-*{file.suffix}"), reverse=True)
    for old in copies[keep:] if keep else ():
        old.unlink()
