"""From what a person writes to the version or the question that is meant."""

from __future__ import annotations

from datetime import date
from typing import TypedDict

from freshqa.dataset.question import normalised_question
from freshqa.errors import NotFound, UsageError
from freshqa.store.database import Store
from freshqa.store.finding import find, head
from freshqa.store.history import aliases
from freshqa.store.snapshots import snapshot
from freshqa.store.version_info import VersionInfo

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
