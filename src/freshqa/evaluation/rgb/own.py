"""Testbeds of our own: documents written from the old and new answers of two versions.

A user needs no file of RGB: every statement is a template filled with a question of the store and
an answer that was right on a date. Wrong documents give the answer that used to be right, which is
the mistake a stale web page makes; where nothing changed they give another question's answer.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import islice

from freshqa.dataset.question import Question
from freshqa.defaults import TESTBED_QUESTIONS
from freshqa.errors import Refused
from freshqa.evaluation.rgb.scoring import holds
from freshqa.evaluation.rgb.testbed import Item, Kind
from freshqa.facts.tokens import fold

STATEMENTS = (
    "Asked “{question}”, the editors reply on {day}: {answer}.",
    "Reference entry. {question} {answer}. Checked on {day}.",
    "A note of {day} gives the answer to “{question}” as {answer}.",
    "{answer} is what our desk tells readers who ask “{question}” ({day}).",
    "Readers' questions, {day}: {question} The answer is {answer}.",
    "Almanac, entry of {day}: {question} It says: {answer}.",
)
BACKGROUND = (
    "The question “{question}” is among the most read on our pages. Its history fills a chapter.",
    "Many have written about “{question}”, and libraries hold whole shelves on the subject.",
)
_SHORT = 6
_ENOUGH = 3
_NEIGHBOURS = 6


@dataclass(frozen=True)
class Fact:
    """A question with an answer that documents can state."""

    question: Question
    answers: tuple[str, ...]
    before: str = ""  # the former answer, if it has changed


@dataclass(frozen=True)
class Dated:
    """The rows of a version and the date on which they were right."""

    questions: Sequence[Question]
    as_of: date


def own_testbeds(
    old: Dated,
    new: Dated,
    *,
    size: int = TESTBED_QUESTIONS,
    seed: int = 0,
    known: Callable[[Item], bool] | None = None,
) -> dict[Kind, tuple[Item, ...]]:
    """Return the three testbeds; `base` serves both noise robustness and negative rejection.

    Args:
        old, new: Two versions of one store; questions are matched by key.
        size: Maximum number of items in each testbed.
        seed: Same seed, same testbeds.
        known: Whether the model to be probed knows the answer of an item without documents; the
            counterfactual testbed then holds such items only, as in the paper.

    Raises:
        Refused: the newer version holds no valid-premise question with a short answer.
    """
    rng = random.Random(seed)
    facts = _facts(old.questions, new.questions)
    if len(facts) < 2:
        raise Refused(
            "A testbed needs at least two valid-premise questions with short answers.",
            "Import a release with more questions.",
        )
    changed = [fact for fact in facts if fact.before]
    steady = [fact for fact in facts if not fact.before]
    # Changed facts first: memory does not help a model there.
    ordered = [*rng.sample(changed, len(changed)), *rng.sample(steady, len(steady))]
    writer = _Writer(tuple(facts), old.as_of, new.as_of, rng)
    return {
        Kind.base: _take(map(writer.base, ordered), size),
        Kind.integration: _take(writer.pairs(ordered), size),
        Kind.counterfactual: _take(
            (
                item
                for item in map(writer.counterfactual, ordered)
                if item is not None and (known is None or known(item))
            ),
            size,
        ),
    }


def _take(items: Iterator[Item | None], size: int) -> tuple[Item, ...]:
    # Lazily, so that no model is asked for an item beyond the size.
    return tuple(islice((item for item in items if item is not None), size))


def _facts(old: Sequence[Question], new: Sequence[Question]) -> list[Fact]:
    earlier = {question.key: question for question in old}
    facts = []
    for question in new:
        answers = tuple(answer for answer in question.answers if _statable(answer))
        if question.false_premise or not _statable(question.primary):
            continue
        if holds(answers, question.text):
            continue
        before = earlier[question.key].primary if question.key in earlier else ""
        changed = _statable(before) and not holds(answers, before)
        if changed and holds((before,), question.text):
            changed = False
        facts.append(Fact(question, answers, before if changed else ""))
    return facts


def _statable(answer: str) -> bool:
    words = fold(answer).split()
    return 0 < len(words) <= _SHORT and words not in (["yes"], ["no"])


class _Writer:
    def __init__(self, facts: tuple[Fact, ...], old: date, new: date, rng: random.Random) -> None:
        self._facts, self._old, self._new, self._rng = facts, old, new, rng
        self._words = [set(fold(fact.question.text).split()) for fact in facts]
        self._places = {fact.question.key: place for place, fact in enumerate(facts)}
        self._written: dict[str, Item | None] = {}

    def base(self, fact: Fact) -> Item | None:
        key = fact.question.key
        if key not in self._written:
            self._written[key] = self._base(fact)
        return self._written[key]

    def _base(self, fact: Fact) -> Item | None:
        stated = self._statements(fact, fact.question.primary, self._new)
        # "one" alone is mostly a pronoun, and is not found: no reply could be scored by it.
        positive = [document for document in stated if holds(fact.answers, document)]
        negative = self._negatives(fact)
        if len(positive) < _ENOUGH or len(negative) < _ENOUGH:
            return None
        return _item(fact, positive, negative)

    def pairs(self, facts: Sequence[Fact]) -> Iterator[Item | None]:
        for first, second in zip(facts[::2], facts[1::2], strict=False):
            item, other = self.base(first), self.base(second)
            if item is None or other is None or holds(first.answers, second.question.primary):
                yield None
                continue
            yield Item(
                id=f"{item.id}+{other.id}",
                query=f"{first.question.text} And: {second.question.text}",
                parts=(*item.parts, *other.parts),
                positive=(*item.positive, *other.positive),
                negative=tuple(
                    d
                    for d in (*item.negative, *other.negative)
                    if not holds((*item.parts[0], *other.parts[0]), d)
                ),
                answer=[list(first.answers), list(second.answers)],
            )

    def counterfactual(self, fact: Fact) -> Item | None:
        fake = fact.before or self._swapped(fact)
        base = self.base(fact)
        if base is None or not fake:
            return None
        true = [d for d in base.positive[0] if not holds((fake,), d)]
        false = [
            document
            for document in self._statements(fact, fake, self._old)
            if holds((fake,), document) and not holds(fact.answers, document)
        ]
        if len(true) < _ENOUGH or len(false) < _ENOUGH:
            return None
        negative = [d for d in base.negative if not holds((fake,), d)]
        return _item(fact, true, negative, fake=fake, wrong=false)

    def _statements(self, fact: Fact, answer: str, day: date) -> list[str]:
        text = fact.question.text
        said = answer.rstrip(".")
        return [s.format(question=text, answer=said, day=day.isoformat()) for s in STATEMENTS]

    def _negatives(self, fact: Fact) -> list[str]:
        """Documents on the subject without an answer, and answers to similar questions."""
        here = self._places[fact.question.key]
        words = self._words[here]
        others = [place for place in range(len(self._facts)) if place != here]
        near = sorted(
            others, key=lambda i: -len(words & self._words[i]) / len(words | self._words[i])
        )
        written = [b.format(question=fact.question.text) for b in BACKGROUND]
        for index in near[:_NEIGHBOURS]:
            other = self._facts[index]
            statement = STATEMENTS[index % len(STATEMENTS)]
            written.append(
                statement.format(
                    question=other.question.text,
                    answer=other.question.primary.rstrip("."),
                    day=self._new.isoformat(),
                )
            )
        return [document for document in written if not holds(fact.answers, document)]

    def _swapped(self, fact: Fact) -> str:
        """Return an answer of the same shape from another question; "" when there is none."""
        shape = _shape(fact.question.primary)
        others = [
            other.question.primary
            for other in self._facts
            if _shape(other.question.primary) == shape
            and not holds(fact.answers, other.question.primary)
            and not holds((other.question.primary,), " ".join(fact.answers))
        ]
        return self._rng.choice(others) if others else ""


def _shape(answer: str) -> tuple[bool, bool, bool]:
    """Number, date-like, or name: what kind of answer a reader would expect."""
    digits = sum(c.isdigit() for c in answer)
    return digits > 0, digits >= 4, answer[:1].isupper()


def _item(
    fact: Fact,
    positive: Sequence[str],
    negative: Sequence[str],
    *,
    fake: str = "",
    wrong: Sequence[str] = (),
) -> Item:
    return Item(
        id=fact.question.key,
        query=fact.question.text,
        parts=(fact.answers,),
        positive=(tuple(positive),),
        negative=tuple(negative),
        fake=(fake,) if fake else (),
        positive_wrong=tuple(wrong),
        answer=[list(fact.answers)],
    )
