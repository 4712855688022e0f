"""Find where a text states an answer, and how."""

from __future__ import annotations

import re
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache

from freshqa.dates.mentions import find_dates, read_date
from freshqa.facts.doubts import stray_signs, versions
from freshqa.facts.token import Token, rounds_to
from freshqa.facts.tokens import STOP_WORDS, tokenise
from freshqa.facts.units import CURRENCIES, SIGNS
from freshqa.facts.verdicts import find_verdict

SOFT_SHARE = 0.6
"""Share of an answer's own content words that a passage must hold to support it softly."""
_SOFT_WORDS = 3
_LAST_DAY = 31


class SupportKind(str, Enum):
    """How a text states an answer, strongest first."""

    exact = "exact"  # the same words in the same order, or an equal number
    date = "date"  # the same date, written in whatever way
    number = "number"  # the same quantity to the precision in which the answer is written
    soft = "soft"  # most of its words, close together: not sufficient as support


@dataclass(frozen=True)
class Match:
    """An answer found in a text: character offsets, and how it is stated."""

    start: int
    end: int
    kind: SupportKind


@lru_cache(maxsize=512)  # one check looks for an answer in the same texts a dozen times
def find(answer: str, text: str, *, question: str = "") -> Match | None:
    """Find an answer in a text.

    Args:
        answer: One answer, as stored or proposed.
        text: What to look in.
        question: Its words do not count as words of a long answer's own.

    Returns:
        The strongest match, the earliest among equals; None when there is none.
    """
    if (wanted := read_date(answer)) is not None:
        for mention in find_dates(text):
            if wanted.agrees(mention) and not _denied(mention.start, text):
                return Match(mention.start, mention.end, SupportKind.date)
        return None
    if _BARE_VERDICT.fullmatch(answer):
        return _verdict(answer, text)
    answer_tokens, text_tokens = tokenise(answer), tokenise(text)
    if not answer_tokens:
        return None
    signs = SIGNS - {token.form for token in (*answer_tokens, *tokenise(question))}
    if own_signs := stray_signs(answer):
        place = text.find(answer.strip())
        if place >= 0 and not _denied(place, text):
            return Match(place, place + len(answer.strip()), SupportKind.exact)
        if stray_signs(text) != own_signs:
            return None
    return (
        _sequence(answer_tokens, text_tokens, text, signs)
        or _quantity(answer_tokens, text_tokens, text, signs)
        or _soft(answer_tokens, text_tokens, question)
    )


_BARE_VERDICT = re.compile(r"\W*(?:yes|no)\W*", re.IGNORECASE)


def _verdict(answer: str, text: str) -> Match | None:
    """Return a plain yes or no that opens a sentence and is not retracted in it."""
    start = find_verdict(answer, text)
    word = answer.strip(" .!,")
    return None if start is None else Match(start, start + len(word), SupportKind.exact)


def _sequence(
    answer: Sequence[Token], text: Sequence[Token], original: str, signs: AbstractSet[str]
) -> Match | None:
    wanted = [token.form for token in answer]
    lone_number = len(wanted) == 1 and answer[0].value is not None
    for start in range(len(text) - len(wanted) + 1):
        window = text[start : start + len(wanted)]
        if any(a.form != t.form for a, t in zip(answer, window, strict=True)):
            continue
        if lone_number and _is_no_quantity(window[0], original):
            continue
        if _glued(window, original) or _denied(window[0].start, original):
            continue
        if _has_sign(start + len(wanted) - 1, text, signs):
            continue
        if window[0].value is not None and _bounded(window[0].start, original):
            continue
        if any(versions(answer, text, a, t) for a, t in zip(answer, window, strict=True)):
            continue
        return Match(window[0].start, window[-1].end, SupportKind.exact)
    return None


def _has_sign(index: int, text: Sequence[Token], signs: AbstractSet[str]) -> bool:
    """True for the 5 of `5%`, where neither answer nor question speaks of percent."""
    number, following = text[index], text[index + 1 : index + 2]
    return number.value is not None and any(
        token.form in signs and token.start - number.end <= 1 for token in following
    )


def _glued(window: Sequence[Token], original: str) -> bool:
    """True when what was found is part of a longer name: `GPT` in `GPT4`, `16` in `F16`, `Type A`."""
    first, last = window[0], window[-1]
    before = original[first.start - 1 : first.start] if first.start else ""
    after = original[last.end : last.end + 1]
    starts_plain = original[first.start].isascii() and original[first.start].isalnum()
    if starts_plain and before.isascii() and before.isalnum():
        return _CODE.search(original[: first.start]) is None
    if first.value is not None and _PART_OF_NUMBER.search(original[: first.start]):
        return True
    if last.value is not None:
        return _NUMBER_GOES_ON.match(original, last.end) is not None
    ends_plain = original[last.end - 1].isascii()
    return (after.isascii() and after.isdigit() and ends_plain) or _LONE_LETTER.match(
        original, last.end
    ) is not None


def _denied(start: int, original: str) -> bool:
    """True when a preceding word negates the statement: `not Rome`, `either Rome or Oslo`."""
    return _DENIAL.search(original[max(0, start - 80) : start]) is not None


def _bounded(start: int, original: str) -> bool:
    return _BOUND.search(original[max(0, start - 14) : start]) is not None


_PART_OF_NUMBER = re.compile(r"(?:\d,|[√∛])\Z")
_NUMBER_GOES_ON = re.compile(r",\d(?!\d{2})")
"""`1,5` in the notation of much of Europe."""
_LONE_LETTER = re.compile(r" (?!I\b)[A-Z](?![\w.'’])")
_DENIAL = re.compile(
    r"(?:\b(?:not|never|neither|nor|either|no longer|rather than|instead of|unlike|except(?: for)?"
    r"|other than|without)|n['’]t|\beither\b[^.;!?]{0,60}\bor)\s+"
    r"(?:(?:the|an?|by|in|on|at|to|from|with|of|be|been|called)\s+)*[\"“'‘(]*\Z",
    re.IGNORECASE,
)
_BOUND = re.compile(
    r"\b(?:over|under|more than|less than|fewer than|at least|at most|up to)\s+[$€£]?\Z",
    re.IGNORECASE,
)
"""`over 65` does not state a number, nor does `>65`."""
_CODE = re.compile(r"(?:^|[^A-Za-z])(?:[A-Z]{3}|Rs)\Z")
"""`USD100`: a currency is not part of the number."""


def _is_no_quantity(token: Token, original: str) -> bool:
    """`one` is mostly a pronoun, and `10` in "Mar 10, 2024" counts nothing."""
    if token.value is None or token.value > _LAST_DAY:
        return False
    if token.word and token.form == "1":
        return True
    return any(d.start <= token.start < d.end for d in find_dates(original))


def _quantity(
    answer: Sequence[Token], text: Sequence[Token], original: str, signs: AbstractSet[str]
) -> Match | None:
    numbers = [token for token in answer if token.value is not None]
    if len(numbers) != 1:
        return None
    wanted, units = numbers[0], [t.form for t in answer if t.value is None]
    for index, token in enumerate(text):
        if token.value is None or not rounds_to(token, wanted):
            continue
        if versions(answer, text, wanted, token) or _glued((token,), original):
            continue
        if not units and _is_no_quantity(token, original):
            continue
        near = {t.form for t in (*text[max(0, index - 2) : index], *text[index + 1 : index + 4])}
        money = {unit for unit in units if unit in CURRENCIES}
        if (
            token.bound != wanted.bound
            or _denied(token.start, original)
            or _has_sign(index, text, signs)
            or _bounded(token.start, original)
            or (money and near & CURRENCIES and not near & money)
        ):
            continue
        if all(unit in near for unit in units if unit not in CURRENCIES):
            return Match(token.start, token.end, SupportKind.number)
    return None


def _soft(answer: Sequence[Token], text: Sequence[Token], question: str) -> Match | None:
    common = {token.form for token in tokenise(question)} | STOP_WORDS
    own = {token.form for token in answer} - common
    if len(own) < _SOFT_WORDS:
        return None
    reach = max(12, 2 * len(answer))
    best: Match | None = None
    most = SOFT_SHARE * len(own)
    for start, token in enumerate(text):
        if token.form not in own:
            continue
        window = text[start : start + reach]
        here = [t for t in window if t.form in own]
        count = len({t.form for t in here})
        if count >= most:
            best, most = Match(here[0].start, here[-1].end, SupportKind.soft), count + 0.5
    return best
