"""Names for versions."""

from __future__ import annotations

import re
from datetime import date, datetime

from sqlalchemy import func, insert, select
from sqlalchemy.exc import IntegrityError

from freshqa.errors import Conflict, UsageError
from freshqa.store.database import Store
from freshqa.store.finding import find, find_row
from freshqa.store.schema import tag as tags
from freshqa.store.version_info import VersionInfo, current_tags

RESERVED = ("latest", "head", "newest")
"""The newest version is computed, never tagged."""


def tag(store: Store, name: str, number: int, *, now: datetime, move: bool = False) -> VersionInfo:
    """Name a version.

    Args:
        name: Letters, digits, `.`, `_`, `-`, `/`; not a number or a date, which name versions too.
        number: The version.
        now: When; every move is kept.
        move: Let an existing tag point at another version.

    Returns:
        The version with its tags.

    Raises:
        Conflict: the tag points at another version and `move` is not given.
        NotFound: no such version.
        UsageError: not a name.
    """
    _refuse_bad_name(name)
    try:
        with store.write() as connection:
            target = find_row(connection, store.dataset_id, number=number)
            held = current_tags(connection, store.dataset_id).get(name)
            if held is not None and held != target.id and not move:
                raise Conflict(
                    f"The tag {name!r} already points to another version.", "Move it with --move."
                )
            if held != target.id:
                moves = select(func.max(tags.c.move)).where(
                    tags.c.dataset_id == store.dataset_id, tags.c.name == name
                )
                connection.execute(
                    insert(tags).values(
                        dataset_id=store.dataset_id,
                        name=name,
                        move=(connection.execute(moves).scalar() or 0) + 1,
                        version_id=target.id,
                        tagged_at=now,
                    )
                )
    except IntegrityError:
        raise Conflict(f"Another process set the tag {name!r} at the same time.") from None
    return find(store, number=number)


def _refuse_bad_name(name: str) -> None:
    if not re.fullmatch(r"[A-Za-z0-9][A-Za-z0-9._/-]{0,99}", name) or name in RESERVED:
        raise UsageError(
            f"{name!r} cannot be a tag.",
            f"Use letters, digits, . _ - and /; the words {', '.join(RESERVED)} are taken.",
        )
    if name.isdigit() or _is_date(name):
        raise UsageError(
            f"{name!r} cannot be a tag: numbers and dates already identify versions.",
            f"Add a prefix: release-{name}",
        )


def _is_date(name: str) -> bool:
    try:
        date.fromisoformat(name)
    except ValueError:
        return False
    return True
