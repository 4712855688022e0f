"""Findings of `doctor`: a subject, whether it works, whether it was tested, and the remedy."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from freshqa.errors import FreshQAError


@dataclass(frozen=True)
class Finding:
    """One thing looked at.

    Args:
        what: Its name.
        works: Whether it works, as far as was looked.
        needed: Whether anything fails without it.
        seen: What was seen.
        remedy: What to do when it does not work.
        verified: True when it was used with success; False when it was only seen to be there.
    """

    what: str
    works: bool
    needed: bool
    seen: str
    remedy: str = ""
    verified: bool = True


def look(what: str, see: Callable[[], str]) -> Finding:
    """Use something needed; its failure is the finding."""
    try:
        return Finding(what, works=True, needed=True, seen=see())
    except FreshQAError as failure:
        return Finding(what, works=False, needed=True, seen=failure.message, remedy=failure.remedy)
