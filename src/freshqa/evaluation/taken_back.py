"""Detect a response that denies or doubts its answer, or names another."""

from __future__ import annotations

import re
from collections.abc import Sequence

from freshqa.checking.find_answer import Match, SupportKind
from freshqa.facts.same_fact import HEDGES
from freshqa.facts.token import Token
from freshqa.facts.tokens import STOP_WORDS, fold_word, tokenise
from freshqa.facts.word_list import words

_DENIALS = frozenset(
    map(
        fold_word,
        words(
            "not never isn't wasn't hasn't won't didn't doesn't don't aren't weren't neither nor "
            "either cannot unlike denied denies deny until former formerly previously instead lost "
            "maybe perhaps possibly might could unsure uncertain unclear used replaced replaces "
            "replacing succeeded succeeds succeeding predecessor successor defeated defeats beat "
            "beats before after contrary false untrue incorrect wrong mistaken myth rumor rumour "
            "allegedly reportedly supposedly probably likely expected some others think thought "
            "believe except far second behind runner rival surpassed overtook overtaken against ex "
            "anymore longer ahead cancelled canceled postponed nobody wife husband son daughter father "
            "mother brother sister"
        ),
    )
)
"""Words, in comparable form, that may change the meaning of their clause."""
_NO = re.compile(r"\bno [a-z]", re.IGNORECASE)
_OTHER_AFTER = re.compile(r"[\s,\"”'’)]*(?:\bor\b|\?\s*no\b)", re.IGNORECASE)
_OTHER_BEFORE = re.compile(r"\bor\s+(?:the\s+)?[\"“'‘(]?\Z", re.IGNORECASE)
_RANGE = re.compile(r"^\s*(?:-|–|—|to|or|and)\s*\d")
_RANGED = re.compile(r"\d\s*(?:-|–|—|\bto|\bor|\band)\s*[$€£]?\Z")
_JOINED_AFTER = re.compile(
    r"[-‑](?=\w)|\s*[/&]\s*\w|\s+(?:vs?\.?|versus)\s|\s+and\s+(?:the\s+)?[A-Z]"
    r"|,?\s+(?:Jr|Sr|II|III|IV)\b"
)
_JOINED_BEFORE = re.compile(r"\w[-‑]\Z|\w\s*[/&]\s*\Z|\b(?:vs?\.?|versus)\s+\Z|[A-Z]\w+ and\s+\Z")
_OWNER = re.compile(r"['’]s\Z")
_PREFIXED = re.compile(r"([A-Z][\w.'’-]*)\s+[\"“'‘]?\Z")
_NAME_AFTER = re.compile(r",? [A-Z]")
_CODE = re.compile(r"[A-Za-z].*\d\Z", re.DOTALL)
_CODE_GOES_ON = re.compile(r"\s+(?:\(|[A-Z])|[-‑]?\w")


def taken_back(text: str, match: Match, *, question: str) -> bool:
    """Return True when the clause around the answer denies it, doubts it or names another.

    A bound or a range makes a number another one (`more than 12`, `12 to 15`), and a model's name
    may go on (`GPT-4 Turbo`).
    """
    start = max(text.rfind(mark, 0, match.start) for mark in ".;!?\n") + 1
    ends = [text.find(mark, match.end) for mark in ".;!?\n"]
    end = min((place for place in ends if place >= 0), default=len(text))
    before, within = text[start : match.start], text[match.start : match.end]
    after = text[match.end :]
    asked = {token.form for token in tokenise(question)}
    found_tokens = tokenise(within)
    clause = {token.form for token in tokenise(text[start:end])} - asked
    if (clause - {token.form for token in found_tokens}) & _DENIALS or _NO.search(text[start:end]):
        return True
    if _OTHER_AFTER.match(after) or _OTHER_BEFORE.search(before):
        return True
    if any(token.value is not None for token in found_tokens):
        near = {token.form for token in tokenise(before)[-3:]} - asked
        return _another_number(before, within, after) or (
            match.kind is not SupportKind.date and bool(near & HEDGES)
        )
    return _another_name(before, within, found_tokens, after)


def _another_number(before: str, within: str, after: str) -> bool:
    """Return True for one end of a range, a rate (`5 km/h`) and a longer name of a model."""
    if _RANGE.match(after) or _RANGED.search(before) or after[:1] == "/":
        return True
    return bool(_CODE.search(within) and _CODE_GOES_ON.match(after))


def _another_name(before: str, within: str, tokens: Sequence[Token], after: str) -> bool:
    """Return True in a longer name: `non-X`, `X's wife`, `X and Y`; for one word, `New X`."""
    if _JOINED_AFTER.match(after) or _JOINED_BEFORE.search(before) or _OWNER.search(within):
        return True
    if len(tokens) > 1:
        return False
    prefixed = _PREFIXED.search(before)
    named = prefixed is not None and fold_word(prefixed.group(1)) not in STOP_WORDS
    return named or _NAME_AFTER.match(after) is not None
