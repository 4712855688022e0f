"""From a release to a version: matched with the newest one, then published."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime

from freshqa.dataset.importing import Import, prepare_import
from freshqa.dataset.release import Release
from freshqa.errors import NothingToDo
from freshqa.store.database import Store
from freshqa.store.finding import head
from freshqa.store.hashing import content_hash
from freshqa.store.history import aliases
from freshqa.store.publishing import publish
from freshqa.store.snapshots import snapshot
from freshqa.store.version_info import VersionInfo


def prepare(
    store: Store, release: Release, *, confirm: Sequence[str] = (), repair: str = "certain"
) -> tuple[Import, VersionInfo | None]:
    """Return the release matched with the newest version.

    A confirmation that comes after the import was published is made against the version before it.

    Returns:
        The import, and its parent version.
    """
    newest = head(store)
    base = snapshot(store, newest.number) if newest else ()
    known = dict(aliases(store))
    if newest and confirm and content_hash(release.questions) == newest.content_hash:
        before = snapshot(store, newest.parent) if newest.parent else ()
        made_by_newest = {q.key for q in base} - {q.key for q in before}
        known = {text: key for text, key in known.items() if key not in made_by_newest}
        base = before
    prepared = prepare_import(release, base, aliases=known, confirm=confirm, repair=repair)
    return prepared, newest


def publish_import(
    store: Store,
    prepared: Import,
    newest: VersionInfo | None,
    *,
    as_of: date,
    message: str,
    now: datetime,
) -> VersionInfo:
    """Return the version that holds the import.

    Args:
        newest: The parent version.

    Raises:
        NothingToDo: The newest version holds the same rows under the same keys.
        Conflict: another process published in the meantime.
    """
    release = prepared.release
    if newest and content_hash(prepared.questions) == newest.content_hash:
        stored = [question.key for question in snapshot(store, newest.number)]
        if stored == [question.key for question in prepared.questions]:
            raise NothingToDo(f"Version {newest.number} already contains exactly these rows.")
    return publish(
        store,
        prepared.questions,
        as_of=as_of,
        now=now,
        parent=newest.number if newest else None,
        message=message or f"import {release.name}",
        kind="import",
        dialect=release.dialect,
        original=release.original,
    )
