"""Other answers of the same kind that the evidence gives, neither stored nor proposed.

They count against the answer in a guard and are candidates for a reviewer; none is chosen here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date

from freshqa.dates.mentions import find_dates, read_date
from freshqa.evidence.evidence import Evidence, registered_domain
from freshqa.facts.same_fact import Relation, relation
from freshqa.facts.token import Token
from freshqa.facts.tokens import STOP_WORDS, tokenise
from freshqa.facts.word_list import words

_SENTENCE = re.compile(r"[^\n.!?;]+(?:[.!?;](?!\s|$)[^\n.!?;]*)*")
_NAMED = re.compile(r"[A-Z][\w-]*[ -]$")  # the number in "Model 3" is not a count
_TIMES = 3
_NEAR = 3
_SHARED = 0.5
_VAGUE = words("much many current currently latest most recent last new now today year")


@dataclass(frozen=True)
class Rival:
    """An answer of the same kind in one finding.

    Args:
        text: As written there.
        evidence_id, domain: Where.
        date: Date of the finding, or None.
    """

    text: str
    evidence_id: str
    domain: str
    date: date | None


def rivals(
    answer: str, known: Sequence[str], evidence: Sequence[Evidence], *, question: str
) -> tuple[Rival, ...]:
    """Return dates or numbers that the evidence gives in the place of an answer like `answer`.

    Args:
        answer: The proposed answer; names have no form by which a rival could be told.
        known: Stored and proposed answers; what may be one of these is not a rival.
        question: The question; a rival is in a sentence about the same thing.
    """
    asked = {token.form for token in tokenise(question)} - STOP_WORDS - _VAGUE
    competing = []
    for finding in evidence:
        for candidate in _candidates(answer, finding.statement, asked):
            if all(
                relation(candidate, known_answer) is not Relation.same for known_answer in known
            ):
                domain = registered_domain(finding.domain)
                competing.append(Rival(candidate, finding.id, domain, finding.date))
    return tuple(competing)


def _candidates(answer: str, text: str, asked: set[str]) -> Iterator[str]:
    numbers = [token for token in tokenise(answer) if token.value is not None]
    dated = read_date(answer) is not None
    if not dated and len(numbers) != 1:
        return
    for sentence in (match.group() for match in _SENTENCE.finditer(text)):
        if dated:
            yield from _dates(answer, sentence, asked)
        else:
            yield from _counts(numbers[0], sentence, asked)


def _dates(answer: str, sentence: str, asked: set[str]) -> Iterator[str]:
    wanted = read_date(answer)
    if not _same_matter(sentence, asked) or wanted is None:
        return
    for mention in find_dates(sentence):
        if (mention.day is None) == (wanted.day is None):
            yield sentence[mention.start : mention.end]


def _counts(answer: Token, sentence: str, asked: set[str]) -> Iterator[str]:
    """Numbers of like size that count what the question counts: "398 ash herons" beside 412."""
    dates = find_dates(sentence)
    tokens = tokenise(sentence)
    for index, token in enumerate(tokens):
        if token.value is None or token.form in asked or _year(token) != _year(answer):
            continue
        if any(mention.start <= token.start < mention.end for mention in dates):
            continue
        if not _like_size(token, answer) or _NAMED.search(sentence[: token.start]):
            continue
        following = {t.form for t in tokens[index + 1 : index + 1 + _NEAR]}
        counted = _year(token) or bool(following & asked)
        if counted and _same_matter(sentence, asked):
            yield sentence[token.start : token.end]


def _like_size(token: Token, answer: Token) -> bool:
    if not token.value or not answer.value:
        return token.value == answer.value
    return answer.value <= _TIMES * token.value and token.value <= _TIMES * answer.value


def _same_matter(sentence: str, asked: set[str]) -> bool:
    here = {token.form for token in tokenise(sentence)}
    return bool(asked) and len(asked & here) >= _SHARED * len(asked)


def _year(token: Token) -> bool:
    return token.value is not None and len(token.form) == 4 and 1900 <= token.value <= 2100
