"""Does a method answer from the evidence, or from memory? Ask again with a forged answer in it.

The metamorphic probe of the RGB guards, for one proposal: a method that repeats the forged answer
reads what it is given; one that repeats the original remembers it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from enum import Enum
from typing import Any

from freshqa.answering.response import Response
from freshqa.checking.find_answer import find
from freshqa.dates.mentions import find_dates, read_date
from freshqa.evidence.search_engine import SearchResult
from freshqa.facts.same_fact import Relation, relation
from freshqa.facts.token import canonical
from freshqa.facts.tokens import tokenise
from freshqa.number_words import UNITS

_NAME = "Ottoline Vance"
_OTHER_NAME = "Tobias Renn"
_LATER = timedelta(days=37)

AskFrom = Callable[[Sequence[SearchResult]], Response]
"""Answers the question again from these search results instead of a search."""


class Grounding(str, Enum):
    """The result of a probe."""

    evidence = "evidence"  # the method repeats the forged answer
    memory = "memory"  # it repeats the original, which nothing it read says
    unclear = "unclear"  # neither


@dataclass(frozen=True)
class Probe:
    """A probe and its result.

    Args:
        grounding: What it shows.
        forged: The answer that was put into the evidence.
        response: What the method said to it.
    """

    grounding: Grounding
    forged: str
    response: Response


def probe(answer: str, response: Response, ask_from: AskFrom) -> Probe:
    """Replace an answer in everything that was found by another of its kind, and ask again.

    Args:
        answer: The answer that the response gave.
        response: The response, with the searches that it read.
        ask_from: Answers from given search results; one more completion is made.
    """
    fake = forged_answer(answer)
    forged = [
        replace(
            s,
            body=_forge(s.body, answer, fake),
            pages=tuple(replace(p, text=_forge(p.text, answer, fake)) for p in s.pages),
        )
        for s in response.searches
    ]
    again = ask_from(forged)
    said = again.answer or again.text
    if find(fake, said) is not None:
        return Probe(Grounding.evidence, fake, again)
    same = relation(again.answer, answer) is Relation.same or find(answer, said) is not None
    return Probe(Grounding.memory if same else Grounding.unclear, fake, again)


def forged_answer(answer: str) -> str:
    """Another answer of the same kind: a later date, another number, or an invented name."""
    mention = read_date(answer)
    if mention is not None and (day := mention.as_date()) is not None:
        later: date = day + _LATER
        return f"{later:%B} {later.day}, {later.year}"
    for token in tokenise(answer):
        if token.value is not None:
            other = token.value + max(2, round(token.value / 7))
            written = answer[token.start : token.end]
            small = token.word and other < len(UNITS)
            text = UNITS[int(other)] if small else canonical(other)
            return answer.replace(written, text, 1)
    return _OTHER_NAME if answer == _NAME else _NAME


def _forge(value: Any, answer: str, fake: str) -> Any:
    """Return a JSON value with the answer replaced in every text, in whatever form it is found."""
    if isinstance(value, dict):
        return {key: _forge(part, answer, fake) for key, part in value.items()}
    if isinstance(value, list):
        return [_forge(part, answer, fake) for part in value]
    if not isinstance(value, str) or value.startswith(("http://", "https://")):
        return value
    wanted = read_date(answer)
    if wanted is not None:
        for mention in reversed(find_dates(value)):
            if wanted.agrees(mention):
                value = value[: mention.start] + fake + value[mention.end :]
        return value
    pattern = rf"(?<!\w){re.escape(answer)}(?!\w)"
    return re.sub(pattern, lambda match: fake, value, flags=re.IGNORECASE)
