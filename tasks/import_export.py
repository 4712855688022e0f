"""Import releases and export snapshots as assets with their provenance."""

from __future__ import annotations

import hashlib
import re
from datetime import date, datetime, timezone
from typing import Any

from freshqa.dataset.citation import Citation
from freshqa.dataset.importing import Import
from freshqa.dataset.whole_file import write_whole
from freshqa.dataset.writing import write_release
from freshqa.errors import UsageError
from freshqa.store import snapshots
from freshqa.store.database import Store
from freshqa.store.publishing import publish_import
from freshqa.store.versions import VersionInfo
from prefect_freshqa.settings import snapshots_folder
from prefect_freshqa.tasks import provenance

FILE_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,199}")
FORMATS = {"csv": "official", "jsonl": "jsonl", "parquet": "parquet", "xlsx": "xlsx"}
"""Ending of a snapshot's file → the format it is written in."""


def publish_release(
    store: Store, prepared: Import, newest: VersionInfo | None, *, as_of: date, message: str
) -> VersionInfo:
    """The version that holds a release, as an asset derived from the release and the version before.

    Raises:
        NothingToDo: the newest version holds the same rows under the same keys.
        Conflict: another process published in the meantime.
    """
    asset = provenance.version_asset(store, newest.number + 1 if newest else 1)
    sources = [provenance.release_asset(store, prepared.release.name)]
    if newest:
        sources.append(provenance.version_asset(store, newest.number))

    def step() -> VersionInfo:
        now = datetime.now(timezone.utc)
        version = publish_import(store, prepared, newest, as_of=as_of, message=message, now=now)
        provenance.describe_version(store, asset, version, release=prepared.release.name)
        return version

    return provenance.with_provenance(asset, step, name="publish_release", of=sources)()


def check_file_name(name: str) -> str:
    """Return the format that a snapshot's name asks for.

    Raises:
        UsageError: it has a folder or an unknown extension.
    """
    ending = name.rpartition(".")[2].lower()
    if not FILE_NAME.fullmatch(name) or ending not in FORMATS:
        raise UsageError(
            f"{name[:80]!r} is not a valid snapshot file name.",
            f"Use letters, digits, . _ and -, and one of the extensions: {', '.join(FORMATS)}.",
        )
    return FORMATS[ending]


def write_snapshot(store: Store, version: VersionInfo, name: str) -> dict[str, Any]:
    """Return a version as a file in the folder of snapshots, as an asset derived from the version.

    Raises:
        UsageError: the name has a folder or an unknown extension.
        StoreError: the file cannot be written.
    """
    format = check_file_name(name)
    asset = provenance.snapshot_asset(store, name)

    def step() -> dict[str, Any]:
        questions = snapshots.snapshot(store, version.number)
        metadata = Citation.of(version.to_json(), dataset=store.dataset).metadata()
        body = write_release(questions, format, dialect=version.dialect, metadata=metadata)
        target = snapshots_folder() / name
        target.parent.mkdir(parents=True, exist_ok=True)
        write_whole(body, target)
        sha256 = hashlib.sha256(body).hexdigest()
        provenance.describe_version(store, asset, version, sha256=sha256)
        return {"file": str(target), "bytes": len(body), "sha256": sha256}

    source = provenance.version_asset(store, version.number)
    return provenance.with_provenance(asset, step, name="write_snapshot", of=[source])()
