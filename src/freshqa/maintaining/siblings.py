"""Questions whose answers depend on each other."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import combinations, product

from rapidfuzz import fuzz

from freshqa.dataset.question import Question
from freshqa.facts.tokens import fold

ALIKE = 70.0
"""Similarity of two wordings (0 to 100) from which they ask the same about two subjects."""
SENTENCE = 4
"""An answer of at least this many words is specific; two such answers are not equal by chance."""
_COMMON = re.compile(r"\d{1,3}|yes|no|none|zero", re.IGNORECASE)


def sibling_premises(questions: Sequence[Question]) -> list[tuple[int, int]]:
    """Pairs (positions) alike in wording and answer whose false-premise flags differ.

    "The show has not aired this year." cannot make one premise false and its sibling's true.
    """
    flags = [question.false_premise for question in questions]
    return [
        (first, second)
        for first, second in _same_answer(questions, flags)
        if len(questions[first].primary.split()) >= SENTENCE
        and _alike(questions[first], questions[second])
    ]


def siblings(
    questions: Sequence[Question], *, apart: Sequence[bool] | None = None
) -> list[tuple[int, int]]:
    """Pairs (positions) that gave the same answer and cite the same page, or are alike in wording.

    Small numbers, yes and no, and false premises do not indicate a relation.

    Args:
        apart: One mark a question; only pairs that differ in it are looked for.
    """
    return [
        (first, second)
        for first, second in _same_answer(questions, apart)
        if not _COMMON.fullmatch(questions[first].primary.strip())
        and not questions[first].false_premise
        and not questions[second].false_premise
        and (
            _pages(questions[first]) & _pages(questions[second])
            or _alike(questions[first], questions[second])
        )
    ]


def _same_answer(
    questions: Sequence[Question], apart: Sequence[bool] | None
) -> Iterator[tuple[int, int]]:
    """Yield pairs with the same answer: a thousand questions with one answer have half a million.

    With marks, only pairs whose marks differ.
    """
    if apart is not None and len(set(apart)) < 2:
        return
    groups: dict[str, list[int]] = defaultdict(list)
    for position, question in enumerate(questions):
        if question.primary.strip():
            groups[fold(question.primary)].append(position)
    for group in groups.values():
        if apart is None:
            yield from combinations(group, 2)
            continue
        marked = [position for position in group if apart[position]]
        plain = [position for position in group if not apart[position]]
        yield from sorted((min(pair), max(pair)) for pair in product(marked, plain))


def _alike(question: Question, other: Question) -> bool:
    return fuzz.ratio(question.text.casefold(), other.text.casefold()) >= ALIKE


def _pages(question: Question) -> set[str]:
    return {source.split("#")[0].split("?")[0].rstrip("/") for source in question.sources}
