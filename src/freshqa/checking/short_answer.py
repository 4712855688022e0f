"""The words of a response that answer, without the sentence around them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import Enum

from freshqa.checking.added_name import LONGEST, VERB, forms, main_clause, name_in, repeats
from freshqa.dataset.question import Question
from freshqa.dates.forms import A_YEAR, BARE_YEAR, YEAR_WORD
from freshqa.dates.mentions import find_dates, read_date
from freshqa.facts.same_fact import HEDGES
from freshqa.facts.token import Token
from freshqa.facts.tokens import STOP_WORDS, tokenise
from freshqa.facts.units import CURRENCIES
from freshqa.facts.verdicts import counts_none, is_verdict, stated_verdict

_SURELY_SHORT = 3
_ASKS_DAY = re.compile(r"\A\W*(?:when|(?:on )?(?:what|which) (?:date|day))\b", re.IGNORECASE)
_ASKS_YEAR = re.compile(r"\A\W*(?:in |since )?(?:what|which) year\b", re.IGNORECASE)
_ASKS_NUMBER = re.compile(r"\bhow (?:many|much|old)\b", re.IGNORECASE)
_COUNTED = re.compile(r"\bhow many ((?:[\w’'-]+ ?){1,3})", re.IGNORECASE)
_NEAR = 3
"""Words after a number among which is what it counts."""
_ASIDE = re.compile(r"\([^()]*\)")
_YEAR_GIVEN = re.compile(rf"\b(?:is|was|be|in|are|were) ({A_YEAR})\b")


class _Kind(str, Enum):
    """The kind of answer that a question asks for."""

    date = "date"
    year = "year"
    number = "number"
    name = "name"


def _expected_kind(question: Question) -> _Kind:
    """Return the kind of the stored answer, or what the question asks for where it is a sentence."""
    primary = _ASIDE.sub("", question.primary).strip() or question.primary
    if read_date(primary) is not None:
        return _Kind.date
    if _year(primary):
        return _Kind.year
    if _is_number(primary):
        return _Kind.number
    asked = ((_ASKS_DAY, _Kind.date), (_ASKS_YEAR, _Kind.year), (_ASKS_NUMBER, _Kind.number))
    return next((kind for pattern, kind in asked if pattern.search(question.text)), _Kind.name)


def short_answers(answer: str, question: Question) -> tuple[str, ...]:
    """Return the answer standing alone, as the benchmark would write it, and shorter forms of it.

    Args:
        answer: The answer of a response, often a whole sentence.
        question: The stored row: its primary answer shows what kind is wanted.

    Returns:
        Forms of one answer, the fullest first; empty when none can be told.
    """
    plain = " ".join(answer.split()).rstrip(".").strip(' "“”')
    kind = _expected_kind(question)
    if (word := as_word(plain, question)) != plain:
        return (word,)
    said = plain
    if len(plain.split()) > _SURELY_SHORT:
        said = _of_kind(kind, plain, question)
    if kind is _Kind.name:
        return forms(said, question.text) if said else ()
    return (said,) if said else ()


def as_word(answer: str, question: Question) -> str:
    """Return yes, no or 0 for a sentence that says so in the question's words, else the answer."""
    if question.false_premise:
        return answer
    if is_verdict(question.primary) and not is_verdict(answer):
        return stated_verdict(answer, question.text) or answer
    return "0" if counts_none(answer, question.text) else answer


def short_answer(answer: str, question: Question) -> str:
    """Return the fullest of `short_answers`; "" when none can be told."""
    return next(iter(short_answers(answer, question)), "")


def _of_kind(kind: _Kind, plain: str, question: Question) -> str:
    asked = {token.form for token in tokenise(question.text)}
    if kind is _Kind.date:
        return _date(plain, question) or _only_year(plain, asked)
    sentence = VERB.search(f" {plain} ") or repeats(plain, asked) or kind is _Kind.year
    if len(plain.split()) <= LONGEST and not sentence:
        return plain
    if kind is _Kind.year:
        return _only_year(plain, asked)
    if kind is _Kind.number:
        return _number(main_clause(plain), question, asked) or _number(plain, question, asked)
    return name_in(plain, question.text)


def _date(sentence: str, question: Question) -> str:
    """Return the first date that the question lacks; the only one where no date is stored."""
    asked = {(m.year, m.month, m.day) for m in find_dates(question.text)}
    own = [m for m in find_dates(sentence) if (m.year, m.month, m.day) not in asked]
    if not own or (len(own) > 1 and read_date(question.primary) is None):
        return ""
    return sentence[own[0].start : own[0].end]


def _year(text: str) -> bool:
    return BARE_YEAR.fullmatch(text.strip()) is not None


def _only_year(sentence: str, asked: set[str]) -> str:
    """Return the only year that the question lacks, or the only one that a copula gives."""
    for words in (YEAR_WORD.findall(sentence), _YEAR_GIVEN.findall(sentence)):
        years: set[str] = set(words) - asked
        if len(years) == 1:
            return years.pop()
    return ""


def _is_number(primary: str) -> bool:
    """Return True for one number and what it counts; `Windows 11` is a name."""
    tokens = tokenise(primary)
    numbers = [token for token in tokens if token.value is not None]
    if len(tokens) > 3 or len(numbers) != 1:
        return False
    before = [token for token in tokens if token.start < numbers[0].start]
    return all(t.form in CURRENCIES or primary[t.start].islower() for t in before)


def _number(sentence: str, question: Question, asked: set[str]) -> str:
    """The only number that the sentence adds, with the stored answer's unit when it follows.

    Of several, or beside a name, the one that counts what the question counts.
    """
    units = {token.form for token in tokenise(question.primary) if token.value is None}
    tokens = tokenise(sentence)
    own = [index for index in _own_numbers(sentence, tokens) if tokens[index].form not in asked]
    counted = {t.form for t in tokenise(" ".join(_COUNTED.findall(question.text)))} - STOP_WORDS
    if counted and (len(own) > 1 or main_clause(sentence) != sentence):
        own = [i for i in own if counted & {t.form for t in tokens[i + 1 : i + 1 + _NEAR]}]
    if len(own) != 1:
        return ""
    index, token = own[0], tokens[own[0]]
    if {t.form for t in tokens[max(0, index - 3) : index]} & HEDGES:
        return ""
    start, end = token.start, token.end
    if index and tokens[index - 1].form in units and tokens[index - 1].end == start:
        start = tokens[index - 1].start
    if index + 1 < len(tokens) and tokens[index + 1].form in units:
        end = tokens[index + 1].end
    return sentence[start:end]


def _own_numbers(sentence: str, tokens: Sequence[Token]) -> list[int]:
    """Return the positions of numbers that are neither of a date, a year nor a name."""
    dates = find_dates(sentence)
    return [
        index
        for index, token in enumerate(tokens)
        if token.value is not None
        and not any(mention.start <= token.start < mention.end for mention in dates)
        and not _year(token.form)
        and not (token.word and token.start and sentence[token.start].isupper())  # `Harper Seven`
    ]
