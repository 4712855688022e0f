"""The text that a source link quotes (`#:~:text=`)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from urllib.parse import unquote

from freshqa.checking.find_answer import SupportKind, find
from freshqa.facts.tokens import fold

_SMALL = re.compile(r"\d{1,3}(?:\s+\w+)?(?:\s+old)?")
_MARK = ":~:text="
_CERTAIN = (SupportKind.exact, SupportKind.date, SupportKind.number)


def quoted_text(sources: Sequence[str]) -> str:
    """Return all quoted passages, one per line, as a reader of the page sees them highlighted."""
    passages = []
    for source in sources:
        directive = source.partition(_MARK)[2]
        for part in directive.split("&text=") if directive else ():
            pieces = [unquote(piece).strip("-") for piece in part.split(",")]
            passages.append(" … ".join(pieces))
    return "\n".join(passages)


def quotes_only_old(old: Sequence[str], new: Sequence[str], sources: Sequence[str]) -> bool:
    """Return True when the sources quote a former answer and no current one.

    A small number alone is not a quote of an answer ("18" is in many dates), and neither is a
    part of the new answer.
    """
    text = quoted_text(sources)
    if not text or _holds(text, new):
        return False
    gone = [answer for answer in old if not _SMALL.fullmatch(answer.strip())]
    return _holds(text, [a for a in gone if not any(fold(a) in fold(answer) for answer in new)])


def supported(answers: Sequence[str], texts: Sequence[str]) -> bool:
    """Return True when one of the answers is in one of the texts."""
    return any(_holds(text, answers) for text in texts)


def _holds(text: str, answers: Sequence[str]) -> bool:
    places = (find(answer, text) for answer in answers)
    return any(place is not None and place.kind in _CERTAIN for place in places)
