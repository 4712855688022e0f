"""Match questions across releases, although ids and wordings change."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Annotated

from pydantic import PlainSerializer
from rapidfuzz import fuzz, process

from freshqa.dataset.assignment import Pair, assign
from freshqa.dataset.question import Question, new_key
from freshqa.dataset.question_similarity import POSSIBLE, Likeness, likeness, relation
from freshqa.dataset.wording import normalised_question
from freshqa.errors import Refused, UsageError
from freshqa.json_record import JsonRecord

NONE: Mapping[str, str] = MappingProxyType({})
KEY = re.compile(r"q-[0-9a-f]{12}")
MAX_PAIRS = 50_000_000
CHUNK = 200_000


@dataclass(frozen=True)
class Rewording(JsonRecord):
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
    similarity: Annotated[float, PlainSerializer(lambda value: round(value, 1))]
    relation: str = "reworded"


@dataclass(frozen=True)
class Matching:
    """Incoming questions with their keys, and how they came by them.

    Args:
        questions: As they came in, each with a key.
        added: Those without a counterpart in the base.
        removed: Those of the base without a counterpart.
        reworded: Pairs taken for the same question although the wording differs.
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

    In this order: what a person confirmed, a key that came with our own export, the same
    normalised wording, an earlier wording, and the likeliest pairing of what is left.

    Args:
        base: Questions with keys.
        aliases: Normalised earlier wording → key.
        confirmed: Incoming wording → key it continues; "" when it continues none.

    Raises:
        UsageError: A confirmation that names no question, or two for one key.
        Refused: Too little in common to compare what is left.
    """
    keys = _confirmed(incoming, base, confirmed)
    known = {q.key for q in base}
    _take(keys, {i: q.key for i, q in enumerate(incoming) if q.key in known})
    texts = [normalised_question(q.text) for q in incoming]
    by_text = {normalised_question(q.text): q.key for q in base}
    for names in (by_text, aliases):
        _take(keys, {i: names[text] for i, text in enumerate(texts) if text in names})
    pairs = _likely(incoming, base, keys)
    _take(keys, {i: key for i, (key, like) in pairs.items() if like.sure})
    questions = _with_keys(incoming, keys)
    unsure = {i: pair for i, pair in pairs.items() if not pair[1].sure}
    return _matching(questions, base, unsure)


def _confirmed(
    incoming: Sequence[Question], base: Sequence[Question], confirmed: Mapping[str, str]
) -> dict[int, str]:
    """Return index → key as confirmed by the user; "" for a question that continues none."""
    known = {q.key for q in base}
    index_of = {normalised_question(q.text): index for index, q in enumerate(incoming)}
    keys: dict[int, str] = {}
    for text, key in confirmed.items():
        index = index_of.get(normalised_question(text))
        if index is None:
            raise UsageError(f"Incoming question not found: {text!r}.", "Copy it from `unmatched`.")
        if key and key not in known:
            raise UsageError(
                f"Question key not found in the base version: {key}.", "See `unmatched`."
            )
        if key and key in keys.values():
            raise UsageError(
                f"Two questions were confirmed as the successor of {key}.", "Confirm one of them."
            )
        keys[index] = key
    return keys


def _take(keys: dict[int, str], further: Mapping[int, str]) -> None:
    """Add keys that are not taken yet."""
    used = set(keys.values())
    for index, key in further.items():
        if index not in keys and key not in used:
            keys[index] = key
            used.add(key)


def _likely(
    incoming: Sequence[Question], base: Sequence[Question], keys: Mapping[int, str]
) -> dict[int, tuple[str, Likeness]]:
    """Return the best pairing of the remaining questions: index → key and similarity."""
    used = set(keys.values())
    old = [q for q in base if q.key not in used]
    new = [i for i in range(len(incoming)) if i not in keys]
    if len(old) * len(new) > MAX_PAIRS:
        raise Refused(
            f"{len(new):,} of {len(incoming):,} questions are not among the {len(base):,} of the base version.",
            "This looks like another dataset. Import it under another name.",
        )
    likes = {
        (i, j): like
        for i, j in _candidates([incoming[i] for i in new], old)
        if (like := likeness(old[j], incoming[new[i]])).text >= POSSIBLE
    }
    chosen = assign({pair: like.score for pair, like in likes.items()})
    return {new[i]: (old[j].key, likes[i, j]) for i, j in chosen}


def _candidates(new: Sequence[Question], old: Sequence[Question]) -> list[Pair]:
    """Pairs that share enough words to be compared, found one block of rows at a time."""
    rows = max(1, CHUNK // max(1, len(old)))
    old_texts = [normalised_question(q.text) for q in old]
    pairs: list[Pair] = []
    for start in range(0, len(new) if old else 0, rows):
        texts = [normalised_question(q.text) for q in new[start : start + rows]]
        scores = process.cdist(texts, old_texts, scorer=fuzz.token_set_ratio, score_cutoff=50)
        pairs += [(start + int(i), int(j)) for i, j in zip(*scores.nonzero(), strict=True)]
    return pairs


def _with_keys(incoming: Sequence[Question], keys: Mapping[int, str]) -> tuple[Question, ...]:
    """Return the questions under the keys found for them, their own, or new ones."""
    used = set(keys.values())
    questions = []
    for index, question in enumerate(incoming):
        key = keys.get(index, "")
        if not key:
            key = question.key if KEY.fullmatch(question.key) else new_key(question.text)
            while key in used:
                key = new_key(key)
            used.add(key)
        questions.append(question.with_key(key))
    return tuple(questions)


def _matching(
    questions: tuple[Question, ...],
    base: Sequence[Question],
    unsure: Mapping[int, tuple[str, Likeness]],
) -> Matching:
    before = {q.key: q for q in base}
    after = {q.key for q in questions}
    reworded = [
        (before[q.key], q)
        for q in questions
        if q.key in before
        and normalised_question(before[q.key].text) != normalised_question(q.text)
    ]
    open_pairs = [(before[key], questions[index]) for index, (key, _) in unsure.items()]
    return Matching(
        questions=questions,
        added=tuple(q for q in questions if q.key not in before),
        removed=tuple(q for q in base if q.key not in after),
        reworded=tuple(_rewording(old, new) for old, new in reworded),
        unsure=tuple(_rewording(old, new) for old, new in open_pairs),
    )


def _rewording(old: Question, new: Question) -> Rewording:
    return Rewording(old.key, old.text, new.text, likeness(old, new).text, relation(old, new))
