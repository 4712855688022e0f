"""The passages of a page that are relevant to a question (extra `pages`)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from functools import lru_cache

from freshqa.dates.forms import A_YEAR, WRITTEN, YEAR_WORD
from freshqa.errors import UsageError
from freshqa.evidence.likeness import FUNCTION_WORDS, content_words, words

BUDGET = 1_000
"""Characters taken of one page."""
LONGEST_UNIT = 320
"""Characters from which a paragraph is cut between its sentences."""
MAX_UNITS = 1_500
MAX_SHOWN = 5
"""Pages of one search whose passages are shown."""
TELLING = 3
"""Parts by which pages are compared."""
_SENTENCE = re.compile(r"(?<=[.!?…][\"'”’)]|.[.!?…])\s+(?=[\"'“‘(]?[A-Z0-9À-Þ])")
_RULE = re.compile(r"\|?(?:\s*:?-{2,}:?\s*\|)+\s*(?::?-{2,}:?)?\s*")
_DATED = re.compile(rf"\b{A_YEAR}\b|\b(?:{WRITTEN})\b", re.IGNORECASE)
_NOW = frozenset(["latest", "last", "current", "currently", "recent", "recently", "now", "newest"])
GAP = " … "
NEW_NAME, MAX_NEW = 0.05, 4
"""What a name or number that is new counts, against 1 for the most relevant part; so many count."""
SHORT, POWER = 60, 0.6
"""Characters below which a part is no cheaper; how much length counts against a part."""
_NAME = re.compile(r"(?<![.!?] )(?<!^)\b[A-ZÀ-Þ][\w’'-]+")
_NUMBER = re.compile(r"[$€£¥]?\d[\d.,]*\d|\d")
_QUANTITY = re.compile(
    r"\bhow (?:many|much|old|long|far|tall|high)\b|\b(?:percentage|number|price|score) of\b"
)


@dataclass(frozen=True)
class Unit:
    """A sentence or two, an item of a list or a row of a table.

    Args:
        text: As it is shown.
        context: Heading, and for a row the head of its table: read with it, shown before it.
        position: Its place on the page, from 0.
    """

    text: str
    context: str
    position: int


def units(text: str) -> list[Unit]:
    """Return the parts of a page's text, in order.

    Args:
        text: As in `WebPage.text`.
    """
    parts: list[Unit] = []
    heading = head = ""
    for line in text.splitlines():
        line = line.strip()
        if not line or _RULE.fullmatch(line):
            continue
        if line.startswith("#"):
            heading, head = line.lstrip("# ").strip(), ""
            continue
        if line.startswith("|"):
            cells = ", ".join(cell.strip() for cell in line.strip("|").split("|") if cell.strip())
            if not head:
                head = cells
            if cells:
                context = ": ".join(part for part in (heading, head) if part and part != cells)
                parts.append(Unit(cells, context, len(parts)))
            continue
        head = ""
        item = line.removeprefix("- ").removeprefix("* ").strip()
        pieces = [item] if item != line else _pieces(line)
        parts.extend(Unit(piece, heading, len(parts) + i) for i, piece in enumerate(pieces))
        if len(parts) >= MAX_UNITS:
            break
    return parts


def _pieces(paragraph: str) -> list[str]:
    """Return the sentences of a paragraph; a very long one in parts."""
    parts: list[str] = []
    for sentence in _SENTENCE.split(paragraph):
        while len(sentence) > LONGEST_UNIT:
            at = sentence.rfind(" ", 1, LONGEST_UNIT)
            at = at if at > 0 else LONGEST_UNIT
            parts.append(sentence[:at].strip())
            sentence = sentence[at:].strip()
        if sentence:
            parts.append(sentence)
    return parts


def passages(
    question: str,
    texts: Sequence[str],
    *,
    as_of: date,
    budget: int = BUDGET,
    most: int = MAX_SHOWN,
) -> list[str]:
    """Return the most relevant parts of each page, in order, with ` … ` for what is left out.

    Args:
        question: What is to be answered.
        texts: Texts of the pages of one search, best result first, as in `WebPage.text`. They are
            compared with one another: a word that every page has tells nothing.
        as_of: Day for which it is answered: parts that name its year count more.
        budget: Maximum number of characters returned of a page.
        most: Maximum number of pages; the less relevant ones give "".

    Raises:
        UsageError: The extra `pages` is not installed.
    """
    return list(_passages(question, tuple(texts), as_of, budget, most))


@lru_cache(maxsize=32)  # one check reads the same pages several times
def _passages(
    question: str, texts: tuple[str, ...], as_of: date, budget: int, most: int
) -> tuple[str, ...]:
    pages = [units(text) for text in texts]
    scores = _scores(question, pages, as_of)
    worth = [sum(sorted(page_scores)[-TELLING:]) for page_scores in scores]
    shown = sorted((i for i, page in enumerate(pages) if page), key=lambda i: (-worth[i], i))[:most]
    return tuple(
        _chosen(question, page, scores[i], budget) if i in shown else ""
        for i, page in enumerate(pages)
    )


def _chosen(question: str, parts: Sequence[Unit], scores: Sequence[float], budget: int) -> str:
    """Return the parts of one page that add most for their length."""
    named = [_candidates(part.text, question) for part in parts]
    chosen: set[int] = set()
    covered: set[str] = set()
    left = budget
    while fits := [i for i, part in enumerate(parts) if i not in chosen and _cost(part) <= left]:
        best = max(fits, key=lambda i: (_gain(scores[i], named[i] - covered, parts[i]), -i))
        if len(_shown(parts, chosen | {best})) > budget:
            left = min(left, _cost(parts[best]) - 1)  # only shorter ones from here
            continue
        chosen.add(best)
        covered |= named[best]
        left = min(left, budget - len(_shown(parts, chosen)))
    return _shown(parts, chosen) or parts[0].text[:budget]


def _cost(part: Unit) -> int:
    return len(part.text) + 2


def _gain(score: float, new: frozenset[str] | set[str], part: Unit) -> float:
    """Return the gain of a part for its length: relevance, and new names or numbers."""
    cost: float = (SHORT + len(part.text)) ** POWER
    return (score + NEW_NAME * min(len(new), MAX_NEW)) / cost


def _candidates(text: str, question: str) -> frozenset[str]:
    """Return the possible answers in a part: names and numbers that are not in the question."""
    asked = question.casefold()
    pattern = _NUMBER if _QUANTITY.search(asked) else _NAME
    return frozenset(
        word for match in pattern.findall(text) if (word := match.casefold()) not in asked
    )


def _scores(question: str, pages: Sequence[Sequence[Unit]], as_of: date) -> list[list[float]]:
    """Return how relevant each part of each page is: BM25 over it with its context, and its place.

    Beside a relevant part another counts half of it: an answer is next to the words of the
    question as often as among them.
    """
    try:
        from rank_bm25 import BM25Okapi
    except ModuleNotFoundError:
        raise UsageError(
            "Choosing passages needs the package rank-bm25, which is not installed.",
            "Run: pip install 'prefect-freshqa[pages]'.",
        ) from None
    documents = [_terms(f"{part.context} {part.text}") or [""] for page in pages for part in page]
    if not documents:
        return [[] for _ in pages]
    scores = iter(BM25Okapi(documents).get_scores(_terms(question)))
    alone = [[float(next(scores)) for _ in page] for page in pages]
    top = max((score for page in alone for score in page), default=0.0)
    top = top if top > 0 else 1.0
    fresh = bool(_NOW & set(words(question)))
    return [
        [
            (score + 0.5 * max([0.0, *near[max(0, i - 1) : i], *near[i + 1 : i + 2]])) / top
            + _early(part.position)
            + _date_bonus(part, question, as_of, fresh=fresh)
            for i, (score, part) in enumerate(zip(near, page, strict=True))
        ]
        for near, page in zip(alone, pages, strict=True)
    ]


def _early(position: int) -> float:
    """Parts at the beginning of a page score higher."""
    return 0.15 / (1 + position / 4)


def _date_bonus(part: Unit, question: str, as_of: date, *, fresh: bool) -> float:
    years = set(YEAR_WORD.findall(part.text))
    if years & set(YEAR_WORD.findall(question)):
        return 0.15
    wants_date = question.casefold().startswith(("when", "what date", "on what date", "what year"))
    if wants_date and _DATED.search(part.text):
        return 0.15
    return 0.1 if fresh and str(as_of.year) in years else 0.0


def _terms(text: str) -> list[str]:
    """Stems of the content words, as often as they occur."""
    return [
        stem for word in words(text) if word not in FUNCTION_WORDS for stem in content_words(word)
    ]


def _shown(parts: Sequence[Unit], chosen: set[int]) -> str:
    """Return the chosen parts in order, each context once, before its parts."""
    shown, before, context = "", -1, ""
    for position in sorted(chosen):
        part = parts[position]
        if shown:
            shown += " " if position == before + 1 else GAP
        if part.context and part.context != context:
            shown += f"{part.context}: "
        context, before = part.context, position
        shown += part.text if part.text[-1:] in ".!?…;:" else f"{part.text};"
    return shown.rstrip(";")
