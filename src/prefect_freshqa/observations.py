"""Observations of `doctor`: a subject, whether it works, whether it was tested, and the remedy."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from freshqa.errors import FreshQAError


@dataclass(frozen=True)
class Observation:
    """What `doctor` saw of one subject.

    Args:
        what: Name of the subject.
        works: Whether it works, as far as was tested.
        needed: Whether anything fails without it.
        seen: What was seen, in words.
        remedy: What to do when it does not work.
        verified: True when it was used with success; False when only its presence was seen.
    """

    what: str
    works: bool
    needed: bool
    seen: str
    remedy: str = ""
    verified: bool = True


def observe(what: str, use: Callable[[], str]) -> Observation:
    """Use something that is needed, and observe what it returns or how it fails.

    Args:
        what: Name of the subject.
        use: Uses it; returns what was seen.
    """
    try:
        return Observation(what, works=True, needed=True, seen=use())
    except FreshQAError as failure:
        return Observation(
            what, works=False, needed=True, seen=failure.message, remedy=failure.remedy
        )
