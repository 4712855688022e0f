"""Choose rows of a version: a window of time, question types, a stratified random sample."""

from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from pydantic import TypeAdapter

from freshqa.dataset.question import FIELD_COLUMNS, Question
from freshqa.errors import NothingToDo, UsageError


@dataclass(frozen=True)
class Selection:
    """A selection of rows of a version; the default is all of them.

    Args:
        changed_since: Version or date: rows that are new, or have another answer, since then.
        valid_on: Day: rows whose answer in the version of that day is still the answer.
        types: Values of `fact_type`, or `false-premise`; a row needs one of them.
        sample: Number of rows to draw; None for all.
        stratify: Columns whose shares the sample keeps.
        seed: Of the sample.
    """

    changed_since: str = ""
    valid_on: date | None = None
    types: tuple[str, ...] = ()
    sample: int | None = None
    stratify: tuple[str, ...] = ()
    seed: int = 0

    def __post_init__(self) -> None:
        unknown = [column for column in self.stratify if column not in FIELD_COLUMNS]
        if unknown:
            raise UsageError(
                f"Unknown column {unknown[0]!r} in --stratify.", f"Use: {', '.join(FIELD_COLUMNS)}."
            )
        if self.sample is not None and self.sample < 1:
            raise UsageError(
                f"Invalid sample size {self.sample}.", "Expected a positive number of rows."
            )

    def __bool__(self) -> bool:
        return self != Selection()

    def to_json(self) -> dict[str, Any]:
        """Return the options that are set, as a citation and the output of `pull` name them."""
        adapter = TypeAdapter(Selection)
        record: dict[str, Any] = adapter.dump_python(self, mode="json", exclude_defaults=True)
        return record if self.sample is None else {**record, "seed": self.seed}

    def describe(self) -> str:
        """Return the selection in one line, such as `sample=100, stratify=fact_type, seed=7`."""
        return ", ".join(
            f"{name}={'+'.join(value) if isinstance(value, list) else value}"
            for name, value in self.to_json().items()
        )


def select(
    questions: Sequence[Question], selection: Selection, *, within: Collection[str] | None = None
) -> tuple[Question, ...]:
    """Return the selected questions, in the order of the version.

    The same rows are selected on every platform and database: a row's place in the draw is a hash
    of the seed and its key.

    Args:
        questions: Rows of a version, with keys.
        selection: Types and sample; its window of time is resolved in `within`.
        within: Keys that the window of time leaves; None for all.

    Raises:
        UsageError: fewer rows are left than the sample needs.
        NothingToDo: no row is left.
    """
    left = [q for q in questions if within is None or q.key in within]
    if selection.types:
        left = [q for q in left if types_of(q) & set(selection.types)]
    if not left:
        raise NothingToDo(f"No question matches the selection ({selection.describe()}).")
    if selection.sample is None:
        return tuple(left)
    if selection.sample > len(left):
        raise UsageError(
            f"--sample {selection.sample} exceeds the {len(left)} matching questions.",
            "Use a smaller sample.",
        )
    drawn = _draw(left, selection)
    return tuple(q for q in left if q.key in drawn)


def types_of(question: Question) -> set[str]:
    """Return the names that `--type` selects a question by."""
    return {question.fact_type} | ({"false-premise"} if question.false_premise else set())


def _draw(questions: Sequence[Question], selection: Selection) -> set[str]:
    strata: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for question in questions:
        strata[tuple(question.fields[c] for c in selection.stratify)].append(question.key)
    sizes = {stratum: len(keys) for stratum, keys in strata.items()}
    share = allocate(sizes, selection.sample or 0)
    return {
        key
        for stratum, keys in strata.items()
        for key in sorted(keys, key=lambda key: _place(selection.seed, key))[: share[stratum]]
    }


def allocate(sizes: Mapping[tuple[str, ...], int], total: int) -> dict[tuple[str, ...], int]:
    """Share `total` rows among strata in proportion to their sizes, by the largest remainders.

    Each share is within one row of the exact proportion.
    """
    everything = sum(sizes.values())
    shares = {stratum: total * size // everything for stratum, size in sizes.items()}
    by_remainder = sorted(sizes, key=lambda s: (-(total * sizes[s] % everything), s))
    for stratum in by_remainder[: total - sum(shares.values())]:
        shares[stratum] += 1
    return shares


def _place(seed: int, key: str) -> bytes:
    return hashlib.sha256(f"{seed}\0{key}".encode()).digest()
