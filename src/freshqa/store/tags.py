"""Names of versions and questions: tags, and what a person writes for either."""

from __future__ import annotations

import re
from datetime import date, datetime
from typing import TypedDict

from sqlalchemy import func, insert, select
from sqlalchemy.exc import IntegrityError

from freshqa.dataset.question import normalised_question
from freshqa.errors import Conflict, NotFound, UsageError
from freshqa.store.database import Store
from freshqa.store.history import aliases
from freshqa.store.schema import tag as tags
from freshqa.store.snapshots import snapshot
from freshqa.store.versions import VersionInfo, current_tags, find, find_row, head

LISTED = 5


class Reference(TypedDict, total=False):
    """How `find` is told which version; empty for the newest."""

    number: int
    tag: str
    as_of: date


def reference(name: str | int | date | None) -> Reference:
    """Return what a number (`7`), a date (`2024-03-11`), a tag or nothing (the newest) refers to.

    Tags can be neither numbers nor dates, so that a name never means two things.
    """
    if name is None or name == "latest":
        return {}
    if isinstance(name, int):
        return {"number": name}
    if isinstance(name, date):
        return {"as_of": name}
    if name.isdecimal():
        return {"number": int(name)}
    try:
        return {"as_of": date.fromisoformat(name)}
    except ValueError:
        return {"tag": name}


def named_version(store: Store, name: str | int | date | None) -> VersionInfo:
    """Return the version that a name refers to.

    Raises:
        NotFound: no such version.
    """
    return find(store, **reference(name))


def named_question(store: Store, name: str) -> str:
    """The key of the question that a key, a wording it ever had, or a part of its wording names.

    Raises:
        NotFound: no question fits.
        UsageError: several fit; the message lists some.
    """
    known = aliases(store)
    if name in known.values():
        return name
    wanted = normalised_question(name)
    if wanted in known:
        return known[wanted]
    newest = head(store)
    current = snapshot(store, newest.number) if newest is not None and wanted else ()
    fitting = [q for q in current if wanted in normalised_question(q.text)]
    if not fitting:
        raise NotFound(
            f"Question not found: {name!r}.", "Use its key, its wording, or a part of its wording."
        )
    if len(fitting) > 1:
        listed = "; ".join(f"{q.key} {q.text!r}" for q in fitting[:LISTED])
        more = f"; and {len(fitting) - LISTED} more" if len(fitting) > LISTED else ""
        raise UsageError(
            f"{len(fitting)} questions match {name!r}: {listed}{more}.",
            "Use a longer part of the wording, or the key.",
        )
    return fitting[0].key


RESERVED = ("latest", "head", "newest")
"""The newest version is computed, never tagged."""


def tag(store: Store, name: str, number: int, *, now: datetime, move: bool = False) -> VersionInfo:
    """Name a version.

    Args:
        name: Letters, digits, `.`, `_`, `-`, `/`; not a number or a date, which name versions too.
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
