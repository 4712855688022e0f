"""Findings that repeat the benchmark itself: mirrors, sheets, model cards, chat logs.

Such a page says what an earlier version said. It confirms a stale answer instead of the world, so
it is not evidence.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from importlib.resources import files

from freshqa.evidence.evidence import Evidence

MIRRORS = tuple(
    line
    for line in (files("freshqa.evidence") / "mirrors.txt").read_text("utf-8").splitlines()
    if line and not line.startswith("#")
)
"""Parts of addresses of known copies, lower case."""
BENCHMARK_COPY = "benchmark-copy"
"""Note of a finding whose page, not shown, copies the benchmark."""
WORD = re.compile(r"\w+")
SHORTEST = 4
"""Number of words from which a wording is treated as a question rather than a phrase."""
COLUMNS = re.compile(
    r"\b(?:answer_\d|fact_type|false_premise|num_hops|effective_year|next_review"
    r"|(?:never|slow|fast)-changing|one-hop|multi-hop"
    r"|short_answer|gold_answers?|golden_answers?|ground_truth|reference_answers?|ques_id)\b",
    re.IGNORECASE,
)
"""Column names and values of question-answer datasets, which no article about the topic uses."""
AROUND = (
    r"[\"']?(?:question|query|prompt|input|instruction)[\"']?\s*[:=]\s*[\"']?{q}",
    r"{q}[\"'?]*\s*[,;\t|]+\s*[\"']?(?:answers?|outputs?|response|completion|target|label)\b",
    r"\b(?:train|test|dev|validation)[\"']?\s*[,;\t|]+\s*[\"']?{q}",
    r"\|\s*{q}\s*\|",
    (
        r"(?:^|[\"'>\s])(?:user|human|q|question|problem|prompt)\s*\d*\s*[:>\]]+\s*{q}.{{0,5}}"
        r"\s*(?:\W*\b(?:assistant|model|bot|ai|gpt[-\w.]*|a|answer|response)\s*\d*\s*[:>\]])"
    ),
    r"\[INST\]\s*{q}",
    r"<\|(?:user|im_start)[^>]*\|?>\s*(?:user\s*)?{q}",
    r"#+\s*(?:question|instruction|input)\W+{q}",
    r"(?:^|[\s,;\"'])\d+[\"']?\s*[,;\t]\s*(?:\w+\s*[,;\t]\s*)?[\"']?{q}[\"'?]*\s*[,;\t]",
)
"""The context of a question in a dataset, a table or a chat log; `{q}` is the wording."""


def without_copies(
    evidence: Sequence[Evidence], question: str, *, mirrors: Iterable[str] = MIRRORS
) -> list[Evidence]:
    """Return the findings that are not copies of the benchmark, in their order.

    A copy repeats the benchmark instead of reporting on the world: a page of a known mirror, or
    text that holds the question word by word in the shape of a dataset: beside a column name, in a
    JSON, CSV or table row, or in a chat log.

    Flagged findings stay: they never count as a source, and a reviewer has to see the attempt.
    """
    copies = set(map(id, copies_in(evidence, question, mirrors=mirrors)))
    return [finding for finding in evidence if id(finding) not in copies]


def copies_in(
    evidence: Sequence[Evidence], question: str, *, mirrors: Iterable[str] = MIRRORS
) -> list[Evidence]:
    """Return the findings that `without_copies` removes."""
    known = tuple(mirrors)
    return [f for f in evidence if not f.flags and _copies(f, question, known)]


def _copies(finding: Evidence, question: str, mirrors: tuple[str, ...]) -> bool:
    address = finding.url.lower()
    if BENCHMARK_COPY in finding.notes or any(mirror in address for mirror in mirrors):
        return True
    return _copied_in(finding.text, question)


@lru_cache(maxsize=256)  # a check asks two or three times
def _copied_in(shown: str, question: str) -> bool:
    text, words = " ".join(shown.split()), _words(question)
    # few findings contain the wording, and searching for its contexts takes 0.1 ms
    if len(words) < SHORTEST or _plain(words) not in _plain(_words(text)):
        return False
    return _copied(text, tuple(words))


def _copied(text: str, words: tuple[str, ...]) -> bool:
    """Return whether a text contains the wording in one of the contexts, or with a column name."""
    places = _places(text, words)
    if not places:
        return False
    if STAND_IN in text or len(places) > 1:
        match = _patterns(words).search(text)
        return bool(match and (match.lastgroup != "wording" or COLUMNS.search(text)))
    # compiling all contexts for a wording takes a millisecond; for one placeholder, only once
    start, end = places[0]
    marked = f"{text[:start]}{STAND_IN}{text[end:]}"
    return bool(SHAPES.search(marked) or COLUMNS.search(text))


def _places(text: str, words: tuple[str, ...]) -> list[tuple[int, int]]:
    """Return where the first two occurrences of a wording start and end."""
    tokens = list(WORD.finditer(text))
    plain, wanted = (
        [_plain([token.group()]) for token in tokens],
        [_plain([word]) for word in words],
    )
    places = []
    for first in range(len(tokens) - len(words) + 1):
        last = first + len(words) - 1
        if (
            plain[first + 1 : last] == wanted[1:-1]
            and plain[first].endswith(wanted[0])  # part of a longer word, as at its end
            and plain[last].startswith(wanted[-1])
        ):
            start = tokens[first].end() - len(words[0])
            places.append((start, tokens[last].start() + len(words[-1])))
    if all(text[start:end].isascii() for start, end in places) and "".join(words).isascii():
        return places[:2]
    # letters that are equal here may differ for a pattern, which takes half a millisecond
    first_match = _wording(words).search(text)
    second = _wording(words).search(text, first_match.start() + 1) if first_match else None
    return [match.span() for match in (first_match, second) if match]


def _words(text: str) -> list[str]:
    return WORD.findall(text)


def _plain(words: list[str]) -> str:
    """Words folded as patterns that ignore case compare them."""
    return " ".join(words).casefold().replace("\u0131", "i").replace("i\u0307", "i")


@lru_cache(maxsize=16)
def _wording(words: tuple[str, ...]) -> re.Pattern[str]:
    """Return the pattern of the bare question."""
    return re.compile(r"\W+".join(map(re.escape, words)), re.IGNORECASE)


@lru_cache(maxsize=16)
def _patterns(words: tuple[str, ...]) -> re.Pattern[str]:
    """Return one pattern for all contexts; the group `wording` is the bare question."""
    wording = r"\W+".join(map(re.escape, words)) + r"\W?"
    shapes = "|".join(shape.format(q=wording) for shape in AROUND)
    return re.compile(f"(?P<shape>{shapes})|(?P<wording>{wording})", re.IGNORECASE)


STAND_IN = "\U00012000"
"""A letter that no page uses, as a placeholder for the wording; a word character like its last letter."""
SHAPES = re.compile("|".join(shape.format(q=rf"{STAND_IN}\W?") for shape in AROUND), re.IGNORECASE)
