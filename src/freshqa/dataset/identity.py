"""Which question is which across releases, although ids and wordings move."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

from rapidfuzz import fuzz, process

from freshqa.dataset.question import Question, new_key, normalised_question

SURE = 90.0
POSSIBLE = 60.0
NONE: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True)
class Rewording:
    """Two wordings that are, or may be, the same question.

    Args:
        key: The key of the earlier one.
        old: Earlier wording.
        new: Wording in the incoming release.
        similarity: Of the two texts, 0 to 100.
        relation: `reworded`, `premise-maintained` or `replaced`, as far as can be told.
    """

    key: str
    old: str
    new: str
    similarity: float
    relation: str = "reworded"


@dataclass(frozen=True)
class Matching:
    """Incoming questions with their keys, and how they came by them.

    Args:
        questions: As they came in, each with a key.
        added: Those without a counterpart, with a new key.
        removed: Those of the base without a counterpart.
        reworded: Pairs taken for the same question.
        unsure: Pairs that a person should confirm; until then they count as added and removed.
    """

    questions: tuple[Question, ...]
    added: tuple[Question, ...]
    removed: tuple[Question, ...]
    reworded: tuple[Rewording, ...]
    unsure: tuple[Rewording, ...]


def match(
    incoming: Sequence[Question],
    base: Sequence[Question],
    *,
    aliases: Mapping[str, str] = NONE,
    confirmed: Mapping[str, str] = NONE,
) -> Matching:
    """Give every incoming question a key: that of the same question in the base, or a new one.

    Args:
        base: Questions with keys.
        aliases: Normalised earlier wording → key.
        confirmed: Incoming wording → key, as a person decided; "new" for no counterpart.
    """
    by_text = {normalised_question(q.text): q for q in base}
    by_key = {q.key: q for q in base}
    decided = {normalised_question(text): key for text, key in confirmed.items()}
    keys: dict[int, str] = {}
    for index, question in enumerate(incoming):
        text = normalised_question(question.text)
        key = decided.get(text) or (by_text[text].key if text in by_text else aliases.get(text, ""))
        if key in by_key and key not in keys.values():
            keys[index] = key
    reworded: list[Rewording] = []
    unsure: list[Rewording] = []
    left = [q for q in base if q.key not in set(keys.values())]
    open_ = [i for i in range(len(incoming)) if i not in keys]
    pairs: list[tuple[float, int, int]] = []
    if left and open_:
        scores = process.cdist(
            [normalised_question(incoming[i].text) for i in open_],
            [normalised_question(q.text) for q in left],
            scorer=fuzz.token_set_ratio,
        )
        pairs = [(float(s), i, j) for i, row in enumerate(scores) for j, s in enumerate(row)]
    taken: set[int] = set()
    for score, i, j in sorted(pairs, reverse=True):
        if score < POSSIBLE or open_[i] in keys or j in taken:
            continue
        pair = Rewording(left[j].key, left[j].text, incoming[open_[i]].text, score)
        taken.add(j)
        if score >= SURE:
            keys[open_[i]] = left[j].key
            reworded.append(pair)
        else:
            unsure.append(pair)
    questions = tuple(q.with_key(keys.get(i) or new_key(q.text)) for i, q in enumerate(incoming))
    matched = set(keys.values())
    return Matching(
        questions=questions,
        added=tuple(q for i, q in enumerate(questions) if i not in keys),
        removed=tuple(q for q in base if q.key not in matched),
        reworded=tuple(reworded),
        unsure=tuple(unsure),
    )
