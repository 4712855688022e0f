"""Which documents a reader is given: k documents at a noise ratio.

`fixed` draws at random, keeps the ratio when documents are short, never lets an answer occur in a
negative document, and says what it could not do. `official` does what the authors' code does
(`evalue.py`): first documents in file order, one fixed seed for every item, and silent shortfalls.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from freshqa.evaluation.rgb.scoring import holds
from freshqa.evaluation.rgb.testbed import Item, Kind, Testbed
from freshqa.json_record import JsonRecord

OFFICIAL_SEED = 2333
_EPSILON = 1e-9  # 5 * 0.6 must not round up to 4


@dataclass(frozen=True)
class Mixture(JsonRecord):
    """A number of documents of each sort.

    Args:
        documents: k, how many documents a reader gets (5 in the paper; 0: closed book).
        noise: Share of documents that do not answer, 0 to 1; 1 is the negative-rejection test.
        correct: Counterfactual testbeds: share of documents with the true answer beside the false.
    """

    documents: int = 5
    noise: float = 0.0
    correct: float = 0.0

    def __post_init__(self) -> None:
        if self.documents < 0 or not (0 <= self.noise <= 1 and 0 <= self.correct <= 1):
            raise ValueError(f"invalid mixture: {self}")


@dataclass(frozen=True)
class Sample:
    """The documents drawn for one item.

    Args:
        documents: In the order the reader sees.
        positive, negative, false: How many hold the answer, do not, hold the false answer.
        short: What was asked for and could not be had; "" when all could.
    """

    documents: tuple[str, ...]
    positive: int
    negative: int
    false: int = 0
    short: str = ""

    @property
    def noise(self) -> float:
        """The share of negative documents reached."""
        return self.negative / len(self.documents) if self.documents else 0.0


def sample(item: Item, kind: Kind, mixture: Mixture, *, seed: int = 0) -> Sample:
    """Draw documents for one item; the same seed and item give the same documents."""
    rng = random.Random(f"{seed}:{item.id}:{item.query}")
    k = mixture.documents
    negative = math.ceil(k * mixture.noise - _EPSILON)
    pool = _without_answer(item, rng)
    if kind is Kind.counterfactual and mixture.noise < 1:
        correct = math.ceil(k * mixture.correct - _EPSILON)
        noise = list(islice(pool, negative))
        return _counterfactual(item, k - negative - correct, correct, noise, rng, k)
    wanted = k - negative
    if mixture.noise == 1 or k == 0:
        return _shuffled((), list(islice(pool, k)), (), rng, k)
    groups = [rng.sample(group, len(group)) for group in item.positive if group]
    chosen = _round_robin(groups, max(wanted, len(groups)))
    if len(chosen) != wanted:  # the ratio is kept rather than the number of documents
        negative = math.floor(len(chosen) * mixture.noise / (1 - mixture.noise) + 0.5)
    return _shuffled(tuple(chosen), list(islice(pool, negative)), (), rng, k)


def _without_answer(item: Item, rng: random.Random) -> Iterator[str]:
    """The negative documents in random order; RGB's own hold the answer in 16 % of questions."""
    for document in rng.sample(item.negative, len(item.negative)):
        if not any(holds(part, document) for part in item.parts):
            yield document


def _counterfactual(
    item: Item, false: int, correct: int, noise: list[str], rng: random.Random, k: int
) -> Sample:
    pairs = list(range(min(len(item.positive_wrong), len(item.positive[0]))))
    order = rng.sample(pairs, len(pairs))
    if correct and len(order) < false + correct:  # both kinds are needed for a disagreement
        false = max(1, round(len(order) * false / (false + correct)))
    wrong = tuple(item.positive_wrong[index] for index in order[:false])
    right = tuple(item.positive[0][index] for index in order[false : false + correct])
    return _shuffled(right, noise, wrong, rng, k)


def _shuffled(
    positive: tuple[str, ...],
    negative: list[str],
    false: tuple[str, ...],
    rng: random.Random,
    k: int,
) -> Sample:
    documents = [*positive, *negative, *false]
    rng.shuffle(documents)
    short = "" if len(documents) >= k else f"{len(documents)} of {k} documents"
    return Sample(tuple(documents), len(positive), len(negative), len(false), short)


def _round_robin(groups: list[list[str]], wanted: int) -> list[str]:
    """Return one document of each group first, then one more of each in turn."""
    longest = max((len(group) for group in groups), default=0)
    ordered = [group[i] for i in range(longest) for group in groups if i < len(group)]
    return ordered[:wanted]


def official_sample(item: Item, kind: Kind, mixture: Mixture) -> tuple[str, ...]:
    """Return the documents that the authors' code gives for this item."""
    k, noise = mixture.documents, mixture.noise
    if k == 0:
        return ()
    rng = random.Random(OFFICIAL_SEED)
    negative = math.ceil(k * noise)
    positive = k - negative
    if kind is Kind.integration:
        documents = _official_integration(item, positive, rng)
        negative = k - len(documents)
        documents += list(item.negative[:negative]) if negative > 0 else []
    elif kind is Kind.counterfactual:
        correct = math.ceil(k * mixture.correct)
        indices = list(range(len(item.positive[0])))
        # A negative number, as with noise 0.8 and correct 0.4, stops the authors' code here too.
        chosen = rng.sample(indices, min(len(indices), k - negative - correct))
        documents = [item.positive_wrong[i] for i in chosen]
        rest = [i for i in indices if i not in chosen]
        if correct > 0 and rest:
            picked = rng.sample(rest, min(len(rest), correct))
            documents += [item.positive[0][i] for i in picked]
        documents += list(item.negative[:negative]) if negative > 0 else []
    else:
        documents = _official_base(item, positive, negative, mixture)
    rng.shuffle(documents)
    return tuple(documents)


def _official_integration(item: Item, positive: int, rng: random.Random) -> list[str]:
    groups = [list(group) for group in item.positive]
    for group in groups:
        rng.shuffle(group)
    return _round_robin(groups, max(positive, len(groups)))


def _official_base(item: Item, positive: int, negative: int, mixture: Mixture) -> list[str]:
    first, others = item.positive[0], item.negative
    if mixture.noise < 1:
        if negative > len(others):
            negative = len(others)
            positive = mixture.documents - negative
        elif positive > len(first):
            positive = len(first)
            negative = mixture.documents - positive
    return [*first[:positive], *others[:negative]]


def reachable(testbed: Testbed, mixture: Mixture) -> int:
    """For how many items the authors' code reaches the noise asked for (issue 20 of RGB)."""
    negative = math.ceil(mixture.documents * mixture.noise)
    positive = mixture.documents - negative
    return sum(
        len(item.positive) <= positive
        and sum(len(group) for group in item.positive) >= positive
        and len(item.negative) >= negative
        for item in testbed.items
    )
