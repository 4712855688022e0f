"""A rule: one expectation with a name, a severity and a message."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import pandas

from freshqa.dataset.validation import ERROR

if TYPE_CHECKING:
    from great_expectations.expectations.expectation import Expectation

VALUE_LENGTH = 200
"""Characters of a value that a violation quotes."""
SEVERITIES = {"error": "critical", "warning": "warning"}
"""Our severities as Great Expectations names them."""


@dataclass(frozen=True)
class Rule:
    """One expectation of a suite.

    Args:
        name: Stable name, as reported ("review-date-readable").
        severity: `error` or `warning`.
        expectation: What must hold.
        column: Official column a violation is reported for; "" for several or none.
        says: What is wrong when it does not hold; `{column}` names are filled from the row.
        why: Where the rule or its threshold comes from.
        where: Column and value that pick the rows it speaks about; None for all rows.
    """

    name: str
    severity: str
    expectation: Expectation
    column: str
    says: str
    why: str = ""
    where: tuple[str, str] | None = None

    @property
    def blocks(self) -> bool:
        """True when a new violation stops a publication."""
        return self.severity == ERROR

    @cached_property
    def configured(self) -> Expectation:
        """The expectation as Great Expectations runs it: named, with severity and condition."""
        from great_expectations.expectations.row_conditions import Column

        changes: dict[str, Any] = {
            "severity": SEVERITIES[self.severity],
            "meta": {"rule": self.name},
            "notes": self.why or None,
        }
        if self.where is not None:
            column, value = self.where
            changes["row_condition"] = Column(column) == value
        return type(self.expectation)(**{**self.expectation.dict(exclude_unset=True), **changes})

    def message(self, row: Mapping[str, Any]) -> str:
        """Return what is wrong with this row, in one line."""
        return " ".join(self.says.format_map(_Filled(row)).split())


@dataclass(frozen=True)
class Table:
    """A frame and the rules that read it; the unit Great Expectations validates.

    Tables of one name are chunks of one: their rules speak about single rows.

    Args:
        suite: Name of the suite the rules belong to (`dataset`, `update`).
        part: What a row of the frame is (`questions`, `cells`, `changes`), or that the rules read
            all rows beside one another (`together`, `order`).
        frame: The rows, numbered from 0 in `row`, with the `key` and the wording (`asked`) of the
            question each belongs to.
        rules: At least one.
        told: What a violation tells of a row beside its columns, by name: worked out only for
            rows that break a rule.
    """

    suite: str
    part: str
    frame: pandas.DataFrame
    rules: tuple[Rule, ...]
    told: Mapping[str, Callable[[Mapping[str, Any]], object]] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """Suite and part."""
        return f"{self.suite}-{self.part}"


def filled(cell: object) -> str:
    """Return the text of a cell, nothing for an empty one."""
    empty = cell is None or cell is pandas.NA or (isinstance(cell, float) and math.isnan(cell))
    return "" if empty else str(cell)


def shown(value: object) -> str:
    """Return the text of a cell as a violation quotes it."""
    text = filled(value)
    return text if len(text) <= VALUE_LENGTH else text[: VALUE_LENGTH - 1] + "…"


class _Filled(dict[str, Any]):
    """Values for a message: "" for an empty cell or a missing column."""

    def __init__(self, row: Mapping[str, Any]) -> None:
        super().__init__({name: filled(value) for name, value in row.items()})

    def __missing__(self, name: str) -> str:
        return f"({name})"
