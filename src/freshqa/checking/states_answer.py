"""Does a sentence certainly state a stored answer?"""

from __future__ import annotations

import re
from collections.abc import Sequence
from decimal import Decimal

from freshqa.checking.find_answer import Match, SupportKind, find
from freshqa.dates.mentions import DateMention, find_dates, read_date
from freshqa.facts.same_fact import HEDGES
from freshqa.facts.token import Token
from freshqa.facts.tokens import fold_word, tokenise
from freshqa.facts.verdicts import is_verdict
from freshqa.facts.word_list import words

_TURNS = frozenset(
    map(
        fold_word,
        words(
            "not never no former formerly previous previously predecessor succeeded succeeding "
            "succeeds replaced replacing replaces until instead rather unlike beat beating beats "
            "defeated defeating overtook overtaken overtaking surpassed surpassing before despite "
            "although however isn't wasn't hasn't won't cannot longer unclear unknown conflicting "
            "some other resigned resignation left departure following either neither nor"
        ),
    )
)
"""Words that may change the meaning of a name next to them."""
_TURN_REACH = 6
_HEDGES = words(
    "over more than least nearly almost about approximately around under less fewer up between"
)
_GROWS = re.compile(
    r"^(?:\s*(?:,|&|/|:|\band\b|\bor\b|\bfeaturing\b|\bfeat\b\.?|\bwith\b|\balongside\b))+"
    r"\s*(?:the\s+)?[\"“'‘(]?[A-Z0-9]"
)
_GREW = re.compile(
    r"[A-Z0-9][\w.'’-]*[\"”'’)]?(?:\s*(?:,|&|/|\band\b|\bor\b))+\s*(?:the\s+)?[\"“'‘]?$"
)
_RANGE = re.compile(r"^\s*(?:-|–|—|to|or|and)\s*\d")
_ADJOINS = re.compile(r"^\s+(?:\(|[A-Z])")
_PREFIXED = re.compile(r"([A-Z][\w.'’-]*)\s+[\"“'‘]?$")


def states(sentence: str, stored: str, *, question: str) -> bool:
    """True only when the sentence certainly gives the stored answer.

    Not certain: an answer that the question itself names, a list that has more members, a name
    that goes on, a number that is not the sentence's own, a hedge or a turning word close by.

    Args:
        sentence: The answer of a response, a sentence or less.
        stored: One stored answer.
        question: The question that both answer.
    """
    if is_verdict(stored):
        return False  # what follows a yes or no counts: `relation` has compared it
    match = find(stored, sentence, question=question)
    if match is None or match.kind is SupportKind.soft:
        return False
    asked = {token.form for token in tokenise(question)}
    wanted, tokens = tokenise(stored), tokenise(sentence)
    if all(token.form in asked for token in wanted):
        return False
    if _turned(tokens, match, asked):
        return False
    values = [token.value for token in wanted if token.value is not None]
    if len(values) == 1 and read_date(stored) is None:
        return _own_number(sentence, tokens, match, asked, values[0])
    if match.kind is SupportKind.date:
        return _only_date(sentence, match)
    return not _goes_on(sentence, match, asked)


def _turned(tokens: Sequence[Token], match: Match, asked: set[str]) -> bool:
    inside = [i for i, t in enumerate(tokens) if match.start <= t.start < match.end]
    near = tokens[max(0, inside[0] - _TURN_REACH) : inside[-1] + 1 + _TURN_REACH]
    return any(t.form in _TURNS and t.form not in asked for t in near)


def _own_number(
    sentence: str, tokens: Sequence[Token], match: Match, asked: set[str], value: Decimal
) -> bool:
    """True when the match holds the first number that the sentence adds, unhedged and alone."""
    dates = find_dates(sentence)
    own = [
        (index, token)
        for index, token in enumerate(tokens)
        if token.value is not None
        and token.form not in asked
        and not (token.word and token.form == "1")
        and not _in_date(token, dates)
        and not _is_year(token)
    ]
    if not own:
        own = [(i, t) for i, t in enumerate(tokens) if match.start <= t.start < match.end]
    index, first = own[0]
    if first.value != value or not match.start <= first.start < match.end:
        return False
    hedged = {token.form for token in tokens[max(0, index - 3) : index]} & HEDGES
    return not hedged and not first.bound and not _RANGE.match(sentence[match.end :])


def _in_date(token: Token, dates: Sequence[DateMention]) -> bool:
    return any(mention.start <= token.start < mention.end for mention in dates)


def _is_year(token: Token) -> bool:
    return token.value is not None and 1900 <= token.value <= 2100 and len(token.form) == 4


def _only_date(sentence: str, match: Match) -> bool:
    """Return True when the matched date is the first in the sentence."""
    dates = find_dates(sentence)
    return bool(dates) and dates[0].start == match.start


def _goes_on(sentence: str, match: Match, asked: set[str]) -> bool:
    """Return True when the name may be part of a longer name or of a list."""
    before, after = sentence[: match.start], sentence[match.end :]
    if _GROWS.match(after) or _GREW.search(before) or _ADJOINS.match(after):
        return True
    prefixed = _PREFIXED.search(before)
    if prefixed is None:
        return False
    first_word = not before[: prefixed.start()].strip()
    return not first_word and fold_word(prefixed.group(1)) not in asked
