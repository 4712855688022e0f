"""Rows of a frame as lists of text, for the conditions that read several columns."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pandas

from freshqa.dataset.question import Question
from prefect_freshqa.expectations.rule import filled


def texts(columns: pandas.DataFrame) -> Iterator[list[str]]:
    """One list a row, "" for an empty cell."""
    for row in columns.itertuples(index=False, name=None):
        yield [filled(cell) for cell in row]


def rowwise(
    columns: pandas.DataFrame, holds: Callable[[Sequence[str]], bool]
) -> pandas.Series[Any]:
    """Whether a condition holds, row by row, under the index of the frame."""
    return pandas.Series([bool(holds(row)) for row in texts(columns)], columns.index, dtype=bool)


def without(columns: pandas.DataFrame, positions: set[int]) -> pandas.Series[Any]:
    """False at the given row positions, true elsewhere, under the index of the frame."""
    holds = [position not in positions for position in range(len(columns))]
    return pandas.Series(holds, columns.index, dtype=bool)


def questions(columns: pandas.DataFrame, names: Sequence[str]) -> Iterator[Question]:
    """The rows as questions, whatever their columns are called in the frame.

    Args:
        columns: The columns an expectation was given, in its order.
        names: The official name of each.
    """
    for row in texts(columns):
        yield Question(dict(zip(names, row, strict=True)))
