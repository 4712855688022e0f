"""A version to share, with the description that its files carry."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from freshqa.dataset.citation import Citation
from freshqa.dataset.diff import DatasetDiff
from freshqa.dataset.question import Question

COUNTED = ("split", "fact_type", "false_premise", "num_hops")
"""Columns whose values the statistics count."""


@dataclass(frozen=True)
class Edition:
    """One version in the list of a dataset card.

    Args:
        number: Of the version.
        as_of: The day that its content describes.
        questions: How many it holds.
        content_hash: Of its rows.
        message: The note kept with it.
    """

    number: int
    as_of: date
    questions: int
    content_hash: str
    message: str = ""


@dataclass(frozen=True)
class SharedVersion:
    """A version with its history.

    Args:
        citation: Dataset, number, date and content hash.
        questions: Its rows, in order, with keys.
        license: Identifier of the licence of the data, such as `cc-by-4.0`.
        editions: This version and those before it, newest first.
        changes: What differs from the version before; None for the first.
        canary: String that every row carries; "" for none.
    """

    citation: Citation
    questions: Sequence[Question]
    license: str
    editions: Sequence[Edition]
    changes: DatasetDiff | None = None
    canary: str = ""

    @property
    def tag(self) -> str:
        """Name of the version where versions are Git tags."""
        return f"v{self.citation.number}"


def counts(questions: Sequence[Question]) -> dict[str, dict[str, int]]:
    """Column → value → number of questions, the most frequent value first."""
    by_column = {}
    for column in COUNTED:
        values = Counter(question.fields[column].strip() or "unknown" for question in questions)
        by_column[column] = dict(sorted(values.items(), key=lambda pair: (-pair[1], pair[0])))
    return by_column


def changes_by_kind(changes: DatasetDiff) -> dict[str, int]:
    """What changed → number of questions: added, removed, and every kind of change."""
    kinds = Counter(kind for change in changes.changed for kind in change.kinds)
    return {
        "added": len(changes.added),
        "removed": len(changes.removed),
        "changed": len(changes.changed),
        **dict(sorted(kinds.items(), key=lambda pair: (-pair[1], pair[0]))),
    }
