"""Similarity of two questions, and the kind of an edit of the wording."""

from __future__ import annotations

import re
from dataclasses import dataclass

from rapidfuzz import fuzz

from freshqa.dataset.question import Question
from freshqa.dataset.wording import normalised_question

SURE = 80.0
"""Similarity from which two wordings are one question, unless a name or number was replaced."""
POSSIBLE = 60.0
"""Similarity below which two wordings are two questions."""
SUPPORTED = 65.0
"""Similarity that is enough when source page and an answer stayed the same."""
TIME_WORDS = frozenset(
    (
        "this last next year month week first second third fourth fifth sixth seventh "
        "eighth ninth tenth current former previous recent latest"
    ).split()
)


WORD = re.compile(r"[\w]")
NUMBER = re.compile(r"\d+")
NEGATIONS = frozenset({"not", "never", "no", "t", "without", "except", "neither", "nor", "cannot"})
"""`t` remains of `isn't`."""


@dataclass(frozen=True)
class Likeness:
    """A comparison of two questions.

    Args:
        text: Similarity of the wordings, 0 to 100.
        same_page: Whether they cite a page in common.
        same_answer: Whether they share an answer.
        same_split: Whether both are TEST or both DEV; the official split never changes.
        exchanged: Whether a name, number or time word gave way to another.
        signs: Whether an operator, a sign, a currency or the like differs (`C`, `C++`).
    """

    text: float
    same_page: bool
    same_answer: bool
    same_split: bool
    exchanged: bool
    signs: bool = False

    @property
    def score(self) -> float:
        """The score by which pairs compete."""
        support = 8 * self.same_page + 8 * self.same_answer - 20 * (not self.same_split)
        return max(self.text + support, 1.0)

    @property
    def sure(self) -> bool:
        """Whether they are treated as one question without asking."""
        if not self.same_split or self.signs:
            return False
        if self.same_page and self.same_answer:
            return self.text >= SUPPORTED
        return self.text >= SURE and (self.same_page or self.same_answer or not self.exchanged)


def similarity(old: str, new: str) -> float:
    """Of two normalised wordings, 0 to 100: of all characters, and of the words they share."""
    return (fuzz.ratio(old, new) + fuzz.token_set_ratio(old, new)) / 2


def likeness(old: Question, new: Question) -> Likeness:
    """Compare two questions in the properties that survive an edit."""
    return Likeness(
        text=similarity(normalised_question(old.text), normalised_question(new.text)),
        same_page=bool(_pages(old) & _pages(new)),
        same_answer=bool(_answers(old) & _answers(new)),
        same_split=old.fields["split"] == new.fields["split"],
        exchanged=exchanged(old.text, new.text),
        signs=_signs(old.text) != _signs(new.text),
    )


def relation(old: Question, new: Question) -> str:
    """Return the kind of an edit: `reworded`, `premise-maintained` or `replaced`.

    Maintainers keep a false premise false by replacing a name or number (GPT-5 for GPT-5.5). A
    valid question in which neither page nor answer survives such an exchange asks another thing.
    """
    like = likeness(old, new)
    if old.false_premise and new.false_premise and like.exchanged and like.text >= POSSIBLE:
        return "premise-maintained"
    reworded = like.sure or (like.text >= SURE and not like.signs)
    return "reworded" if reworded else "replaced"


def exchanged(old: str, new: str) -> bool:
    """Return whether both wordings have a name, number or time word that the other lacks.

    The same numbers in another order count (`9/11`, `11/9`). Scripts without capitals do not show
    what is a name: any word may be one.
    """
    before, after = _marks(old), _marks(new)
    if before - after and after - before:
        return True
    numbers, others = NUMBER.findall(old), NUMBER.findall(new)
    return numbers != others and sorted(numbers) == sorted(others)


def _marks(text: str) -> set[str]:
    words = re.findall(r"\w+(?:[.,]\d+)*", text)
    marks = {word.casefold() for word in words[1:] if word[0].isupper()}
    marks |= {word.casefold() for word in words if any(map(str.isdigit, word)) or _is_symbol(word)}
    marks |= {word for word in normalised_question(text).split() if _is_caseless(word)}
    return marks | {word for word in map(str.casefold, words) if word in TIME_WORDS}


def _is_caseless(word: str) -> bool:
    return word.upper() == word.lower() and any(map(str.isalpha, word))


def _is_symbol(word: str) -> bool:
    """Return True for a single letter (`x`, `β`), not the article."""
    return len(word) == 1 and word not in "aAI"


def _signs(text: str) -> list[str]:
    """Return the signs that make it another question without being words, in order; and each negation."""
    pieces = normalised_question(text).split()
    signs = [piece for piece in pieces if not WORD.match(piece)]
    return signs + ["not"] * sum(piece in NEGATIONS for piece in pieces)


def _pages(question: Question) -> set[str]:
    return {url.split("#")[0].rstrip("/") for url in question.sources if url.startswith("http")}


def _answers(question: Question) -> set[str]:
    return {normalised_question(answer) for answer in question.answers}
