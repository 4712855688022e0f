"""Import a release and write a snapshot: the commands `import` and `pull` on a worker."""

from __future__ import annotations

from datetime import date, datetime, timezone
from pathlib import Path
from typing import Any

from prefect import flow
from prefect.logging import get_run_logger

from freshqa.dataset.release import read_release
from freshqa.dates.file_name import date_in_name
from freshqa.store import versions
from freshqa.store.publishing import prepare
from prefect_freshqa.blocks.resolve import load_store
from prefect_freshqa.tasks.import_export import check_file_name, publish_release, write_snapshot
from prefect_freshqa.tasks.parameters import NoSecret


@flow(name="import-release", flow_run_name="import {file}")
def import_release(
    file: str,
    as_of: date | None = None,
    message: str = "",
    store: NoSecret = "",
    encoding: str = "",
    mapping: dict[str, str] | None = None,
    allow_every_time: bool = False,
) -> dict[str, Any]:
    """Import a release file that the worker can read.

    Args:
        file: Its path. Releases from the web are imported on the command line.
        as_of: The day its content describes. Default: the date in its name, else today (UTC).
        message: Note kept with the version.
        store: Name of a FreshQAStore block. Empty: PREFECT_FRESHQA_STORE, else the user's own file.
        encoding: Encoding of a text file, such as cp1250. Default: detected; a guess is a warning.
        mapping: Field → column, for a file with columns of its own; the rest is recognised.
        allow_every_time: Accept new questions that change more than once a week, as in a release that
            others published.

    Returns:
        The version and its report, in the shape of `prefect-freshqa import --json`.

    Raises:
        NotFound, NotARelease, BadData: the file cannot be read.
        NothingToDo: the newest version holds the same rows under the same keys.
        Refused: a new question changes more than once a week.
    """
    opened = load_store(store)
    release = read_release(Path(file), encoding=encoding, mapping=mapping or {})
    day = as_of or date_in_name(release.name) or datetime.now(timezone.utc).date()
    if as_of is None and date_in_name(release.name) is None:
        get_run_logger().warning("no date in the name %r: dated today, %s", release.name, day)
    prepared, newest = prepare(opened, release, allow_every_time=allow_every_time)
    version = publish_release(opened, prepared, newest, as_of=day, message=message)
    return {"version": version.number, "as_of": day.isoformat(), **prepared.to_json()}


@flow(name="pull-snapshot", flow_run_name="pull {name}")
def pull_snapshot(
    name: str,
    version: int | None = None,
    tag: str | None = None,
    as_of: date | None = None,
    store: NoSecret = "",
) -> dict[str, Any]:
    """Write a version to the folder of snapshots (PREFECT_FRESHQA_SNAPSHOTS) of the worker.

    Args:
        name: Of the file, without a folder; its ending says how it is written: csv (the official
            layout), jsonl, parquet, xlsx.
        version: Number of the version. Default: the newest.
        tag: Or a tag.
        as_of: Or a day: the last version up to it.
        store: Name of a FreshQAStore block. Empty: PREFECT_FRESHQA_STORE, else the user's own file.

    Returns:
        Version and file, in the shape of `prefect-freshqa pull --json`.

    Raises:
        UsageError: the name leads to another folder, or has no known ending.
        NotFound: no such version.
    """
    format = check_file_name(name)
    opened = load_store(store)
    info = versions.find(opened, number=version, tag=tag, as_of=as_of)
    return {
        "version": info.number,
        "as_of": info.as_of.isoformat(),
        "questions": info.rows,
        "content_hash": info.content_hash,
        "format": format,
        **write_snapshot(opened, info, name),
    }
