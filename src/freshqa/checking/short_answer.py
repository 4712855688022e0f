"""The words of a response that answer, without the sentence around them."""

from __future__ import annotations

import re

from freshqa.dataset.question import Question
from freshqa.dates.mentions import find_dates, read_date
from freshqa.facts.same_fact import HEDGES
from freshqa.facts.tokens import tokenise

LONGEST = 8
"""Words; an answer of the benchmark is rarely longer, a sentence rarely shorter."""
_SURELY_SHORT = 3
_REPEATED = 0.5
_VERB = re.compile(
    r"\s(?:is|are|was|were|has|have|had|will|won|did|does|did|became|began|plays|holds|takes)\s"
)
_COPULA = re.compile(
    r"(?<=\s)(?:is|are|was|were|remains|will be|won by|written by|founded by|called|titled)\s+"
    r"(?:(?:also|currently|now) )?(?:the\s)?"
)
_PLACE = re.compile(r"(?<=\s)(?:in|from|at|for|by|accuse[ds]?)\s+(?:the\s)?")
_TITLE = re.compile(
    r"(?:\b(?:is|are|was|were|by|titled|called|named|film|movie|album|book|game|series|novel),? )"
    r"[\"“]([A-Z0-9][^\"“”]{1,80}?)[.,]?(?:[\"”]|\Z)"
)
_NAME_REPEATED = 0.75
_SUBJECT = re.compile(
    r"^(?:The\s+)?(?P<name>(?!There|It|He|She|They|In|On|As)[A-Z][\w.'’&-]*(?:\s+(?:of|the|de|da|la|[A-Z][\w.'’&-]*)){0,5})\s+"
    r"(?:recently\s+)?(?:is|are|was|were|has|have|won|holds|became|remains|bought|invented|invaded|experienced)\s+(?P<rest>.*)$"
)
_PHRASE = re.compile(
    r"^(?P<quote>[\"“'‘])?(?P<name>[A-Z0-9$€£.][^,;()\n]*?)(?(quote)[\"”'’]|)"
    r"(?=$|[,;(]|\s[–—-]\s|(?<!\b[A-Z])\.\s|\s(?:which|who|with|in|at|from|for|by|as|on)\s"
    r"|\sand\s(?![A-Z]))"
)


def short_answer(answer: str, question: Question) -> str:
    """Return the answer standing alone, as the benchmark would write it; "" when none can be told.

    Args:
        answer: The answer of a response, often a whole sentence.
        question: The stored row: its primary answer shows what kind is wanted.
    """
    plain = " ".join(answer.split()).rstrip(".").strip(' "“”')
    if len(plain.split()) <= _SURELY_SHORT:
        return plain
    asked = {token.form for token in tokenise(question.text)}
    if read_date(question.primary) is not None:
        return _date(plain, question)
    sentence = _VERB.search(f" {plain} ") or _repeats(plain, asked) or _year(question.primary)
    if len(plain.split()) <= LONGEST and not sentence:
        return plain
    if _year(question.primary):
        return _only_year(plain, asked)
    if _is_number(question.primary):
        return _number(plain, question, asked)
    return _name(plain, asked)


def _repeats(text: str, asked: set[str], share: float = _REPEATED) -> bool:
    """Return True when most words of a text are the question's."""
    forms = [token.form for token in tokenise(text)]
    return bool(forms) and sum(form in asked for form in forms) >= share * len(forms)


def _date(sentence: str, question: Question) -> str:
    asked = {(m.year, m.month, m.day) for m in find_dates(question.text)}
    for mention in find_dates(sentence):
        if (mention.year, mention.month, mention.day) not in asked:
            return sentence[mention.start : mention.end]
    return ""


def _year(text: str) -> bool:
    return re.fullmatch(r"(?:19|20)\d\d", text.strip()) is not None


def _only_year(sentence: str, asked: set[str]) -> str:
    years = {year for year in re.findall(r"\b(?:19|20)\d\d\b", sentence) if year not in asked}
    return years.pop() if len(years) == 1 else ""


def _is_number(primary: str) -> bool:
    tokens = tokenise(primary)
    return len(tokens) <= 3 and len([t for t in tokens if t.value is not None]) == 1


def _number(sentence: str, question: Question, asked: set[str]) -> str:
    """The only number that the sentence adds, with the stored answer's unit when it follows."""
    dates = find_dates(sentence)
    units = {token.form for token in tokenise(question.primary) if token.value is None}
    tokens = tokenise(sentence)
    own = [
        (index, token)
        for index, token in enumerate(tokens)
        if token.value is not None
        and token.form not in asked
        and not any(mention.start <= token.start < mention.end for mention in dates)
        and not _year(token.form)
    ]
    if len(own) != 1:
        return ""
    index, token = own[0]
    if {t.form for t in tokens[max(0, index - 3) : index]} & HEDGES:
        return ""
    start, end = token.start, token.end
    if index and tokens[index - 1].form in units and tokens[index - 1].end == start:
        start = tokens[index - 1].start
    if index + 1 < len(tokens) and tokens[index + 1].form in units:
        end = tokens[index + 1].end
    return sentence[start:end]


def _name(sentence: str, asked: set[str]) -> str:
    """Return a name that opens a sentence which else repeats the question, or that closes one."""
    subject = _SUBJECT.match(sentence)
    if (
        subject
        and _repeats(subject["rest"], asked)
        and not _repeats(subject["name"], asked, _NAME_REPEATED)
    ):
        return str(subject["name"])
    name = _after(_COPULA, sentence, asked)
    titles = [t for t in _TITLE.findall(sentence) if not _repeats(t, asked)]
    if name or len(titles) != 1:
        return name or _after(_PLACE, sentence, asked)
    return str(titles[0]).strip()


def _after(link: re.Pattern[str], sentence: str, asked: set[str]) -> str:
    """Return the name after a copula or preposition that follows the question's own words."""
    for copula in link.finditer(sentence):
        phrase = _PHRASE.match(sentence[copula.end() :])
        if phrase is None or not _repeats(sentence[: copula.start()], asked):
            continue
        name = phrase["name"].strip(' "“”,')
        if len(name.split()) <= LONGEST and not _repeats(name, asked, _NAME_REPEATED):
            return name
    return ""
