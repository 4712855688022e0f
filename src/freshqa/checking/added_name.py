"""The name that a sentence adds to its question."""

from __future__ import annotations

import re

from freshqa.facts.tokens import STOP_WORDS, tokenise

LONGEST = 8
"""Words; an answer of the benchmark is rarely longer, a sentence rarely shorter."""
REPEATED = 0.5
"""Share of words from which a part of a sentence repeats the question."""
_NAME_REPEATED = 0.75
_COVERED = 0.6
"""Share of the question's content words from which a part of a sentence repeats it, however long."""
_VERBS = (
    "is|are|was|were|has|have|had|won|holds|became|remains|bought|invented|invaded|experienced|wrote"
    "|scored|directed|founded|leads|owns|hosts|hosted|created|designed|played|plays|takes"
)
VERB = re.compile(rf"\s(?:will|did|does|began|{_VERBS})\s")
_TAIL = re.compile(
    r",\s+(?:which|who|whom|whose|where|with (?!some\b|other)|including|specifically|namely"
    r"|followed by|according to|(?:after )?[a-z]{3,}ing)\b.*$"
)
_COPULA = re.compile(
    r"(?<=\s)(?:is|are|was|were|remains|will be|won by|written by|founded by|called|titled)\s+"
    r"(?:(?:also|currently|now) )?(?:the\s)?"
)
_PLACE = re.compile(r"(?<=\s)(?:in|from|at|for|by|to|accuse[ds]?)\s+(?:the\s)?")
_TITLE = re.compile(
    r"(?:\b(?:is|are|was|were|by|titled|called|named|film|movie|album|book|game|series|novel),? )"
    r"[\"“]([A-Z0-9][^\"“”]{1,80}?)[.,]?(?:[\"”]|\Z)"
)
_SUBJECT = re.compile(
    r"^(?:The\s+)?(?P<name>(?!(?:There|The|It|He|She|They|In|On|As)\b)[A-Z][\w.'’&-]*"
    r"(?:\s+(?:of|the|de|da|la|[A-Z][\w.'’&-]*)){0,5})\s+"
    rf"(?:recently\s+)?(?P<rest>(?:{_VERBS})\s.*)$"
)
_DO = re.compile(r"\b(?:do|does|did)\b", re.IGNORECASE)
"""`What club does he play for?` asks for no subject."""
_PHRASE = re.compile(
    r"^(?P<quote>[\"“'‘])?(?P<name>(?:[a-z]{0,4}[A-Z]|[0-9$€£.])[^,;()\n]*?)(?(quote)[\"”'’]|)"
    r"(?=$|[,;(]|\s[–—-]\s|(?<!\b[A-Z])\.\s|\s(?:which|who|with|in|at|from|for|by|as|on)\s"
    r"|\sand\s(?![A-Z]))"
)
_ITEMS = re.compile(r"^(?:, (?:the )?[A-Z][^,;()\n]{0,60})*,? (?:and|&) (?:the )?(?=[A-Z])")
"""Separator between the first and the last of several: `Rome, Oslo, and Bern`."""
_THING = re.compile(
    r"^(?P<name>(?!\w+(?:ed|ing|en|ly)\b|(?:an?|not?|unknown|unclear|one|still|about|over)\b)"
    r"[a-z][\w'’-]+(?: [a-z][\w'’-]+){0,2})(?=$|[.,;(]|\s\()"
)
"""Words at the end of a sentence that are not a name: `the euro`, `monkeypox`."""
_PLACE_ASKED = re.compile(
    r"\b(?:where|(?:what|which) (?:country|city|state|town|nation|continent|county|province|venue))\b",
    re.IGNORECASE,
)
_INITIAL = re.compile(r"(?<=\w) [A-Z]\.?(?= [A-Z])")
_DESCRIBED = re.compile(
    r"^(?P<description>(?:[A-Z][\w-]* )?(?:[a-z][\w-]* )+)"
    r"(?P<name>[A-Z][\w.'’&-]*(?: (?:(?:of|the|de|da|la|van|von) )?[A-Z0-9][\w.'’&-]*)*)$"
)
_OF = re.compile(r"\s(?:of|for|with|in)\s")


def main_clause(sentence: str) -> str:
    """Return a sentence without the clause that elaborates at its end."""
    return _TAIL.sub("", sentence)


def repeats(text: str, asked: set[str], share: float = REPEATED) -> bool:
    """Return True when most words of a text are the question's."""
    forms = [token.form for token in tokenise(text)]
    return bool(forms) and sum(form in asked for form in forms) >= share * len(forms)


def name_in(sentence: str, question: str) -> str:
    """Return a name that opens a sentence which else repeats the question, or that closes one."""
    asked = {token.form for token in tokenise(question)}
    said = main_clause(sentence)
    subject = _SUBJECT.match(said)
    if subject and not _DO.search(question) and _is_subject(subject, asked):
        return str(subject["name"])
    if _PLACE_ASKED.search(question) and (place := _place(sentence, asked)):
        return place
    name = _after(_COPULA, said, asked)
    titles = [
        title for title in _TITLE.findall(sentence) if not repeats(title, asked, _NAME_REPEATED)
    ]
    if name or len(titles) != 1:
        return name or _after(_PLACE, said, asked)
    return str(titles[0]).strip()


def forms(name: str, question: str) -> tuple[str, ...]:
    """Return a name and shorter forms of it: without what the question says, and what describes it.

    `Mario franchise` → `Mario`; `Javier A. Reyes` → `Javier Reyes`; `euro of Croatia` → `euro`;
    `Norwegian author Jon Fosse` → `Jon Fosse`. Other names next to it are not returned.
    """
    asked = {token.form for token in tokenise(question)}
    core = _before_of(name, asked)
    bare = _bare(core, asked)
    plain = _INITIAL.sub("", bare)
    names = [name, core, bare, plain]
    described = _DESCRIBED.match(plain)
    if described and not STOP_WORDS & set(described["description"].split()):
        names.append(described["name"])
    return tuple(dict.fromkeys(names))


def _listed(first: re.Match[str], following: str) -> str:
    """Return all of several names that follow one another, or ""."""
    items = _ITEMS.match(following[first.end() :])
    last = _PHRASE.match(following[first.end() + items.end() :]) if items else None
    if items is None or last is None or VERB.search(f" {last['name']} "):
        return ""
    return following[: first.end() + items.end() + last.end()].strip(' "“”,')


def _bare(name: str, asked: set[str]) -> str:
    """Return a name without the question's words at its ends."""
    words = name.split()
    while len(words) > 1 and _asked(words[-1], asked):
        words.pop()
    while len(words) > 1 and _asked(words[0], asked):
        words.pop(0)
    return " ".join(words)


def _asked(word: str, asked: set[str]) -> bool:
    tokens = tokenise(word)
    return bool(tokens) and all(token.form in asked - STOP_WORDS for token in tokens)


def _before_of(name: str, asked: set[str]) -> str:
    """`War of 1896` → `War`, `Niemann of cheating` → `Niemann`; `University of Bath` stays."""
    match = _OF.search(name)
    if match is None:
        return name
    rest = tokenise(name[match.end() :])
    shorter = name[: match.start()]
    year = len(rest) == 1 and rest[0].value is not None and len(tokenise(shorter)) > 1
    return shorter if year or all(token.form in asked for token in rest) else name


def _is_subject(subject: re.Match[str], asked: set[str]) -> bool:
    rest = {token.form for token in tokenise(subject["rest"])}
    content = asked - STOP_WORDS
    covered = len(rest & content) >= _COVERED * len(content)
    return (covered or repeats(subject["rest"], asked)) and not repeats(
        subject["name"], asked, _NAME_REPEATED
    )


def _place(sentence: str, asked: set[str]) -> str:
    """Return the place after a preposition that follows a word of the question: `born in Oslo`."""
    for link in _PLACE.finditer(sentence):
        before = sentence[: link.start()].split()
        phrase = _PHRASE.match(sentence[link.end() :])
        if phrase and before and _asked(before[-1], asked) and not _asked(phrase["name"], asked):
            return phrase["name"].strip(' "“”,')
    return ""


def _after(link: re.Pattern[str], sentence: str, asked: set[str]) -> str:
    """Return the name after a copula or preposition that follows the question's own words."""
    for match in link.finditer(sentence):
        if not repeats(sentence[: match.start()], asked):
            continue
        following = sentence[match.end() :]
        phrase = _PHRASE.match(following)
        if phrase is None and link is _COPULA:
            phrase = _THING.match(following)
        if phrase is None:
            continue
        name = _listed(phrase, following) or phrase["name"].strip(' "“”,')
        is_name = len(name.split()) <= LONGEST and not VERB.search(f" {name} ")
        if is_name and not repeats(name, asked, _NAME_REPEATED):
            return name
    return ""
