"""What validation found, as plain records that a store, a page and a terminal can keep."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

ERROR = "error"
WARNING = "warning"


@dataclass(frozen=True)
class Violation:
    """One question, or the whole table, that breaks one rule.

    Args:
        rule: Name of the rule, as listed in `docs/expectations.md`.
        severity: `error` (blocks publication) or `warning` (travels with the version).
        question: Wording of the question, or "" when the table as a whole breaks the rule.
        column: Official column concerned, or "" when it is not about one column.
        value: The text of the cell, shortened to 200 characters.
        message: What is wrong, in one line.
        known: True when the base version breaks the same rule at the same place.
        key: Stable key of the question, or "" for the whole table.
    """

    rule: str
    severity: str
    question: str
    column: str
    value: str
    message: str
    known: bool = False
    key: str = ""

    @property
    def place(self) -> tuple[str, str, str]:
        """Rule, column and key: a violation at the same place of the base is not a new one."""
        return (self.rule, self.column, self.key)

    def to_json(self) -> dict[str, Any]:
        """Return one flat JSON object; `from_json` reads it back."""
        return asdict(self)

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> Violation:
        """Return the violation that `to_json` wrote; keys it does not know are ignored."""
        names = {field.name for field in fields(cls)}
        return cls(**{name: value for name, value in record.items() if name in names})


@dataclass(frozen=True)
class Reason:
    """Why a draft changes a question.

    Args:
        text: What a person or a policy gave as the reason.
        evidence: Texts that the change was taken from.
    """

    text: str = ""
    evidence: tuple[str, ...] = ()


@dataclass(frozen=True)
class ValidationReport:
    """What the expectation suites say about a snapshot or a draft.

    Args:
        success: True when nothing blocks: no new error, and every rule was really evaluated.
        errors: New violations that block.
        warnings: New violations that travel with the version.
        known: Violations that the base version had at the same place, errors and warnings alike.
        evaluated: How many rules were evaluated, counted from the results.
    """

    success: bool
    errors: tuple[Violation, ...]
    warnings: tuple[Violation, ...]
    known: tuple[Violation, ...] = ()
    evaluated: int = 0

    def to_json(self) -> dict[str, Any]:
        """Return the shape printed by `validate --json`; `from_json` reads it back."""
        return {
            "success": self.success,
            "errors": [violation.to_json() for violation in self.errors],
            "warnings": [violation.to_json() for violation in self.warnings],
            "known": [violation.to_json() for violation in self.known],
            "evaluated": self.evaluated,
        }

    @classmethod
    def from_json(cls, record: Mapping[str, Any]) -> ValidationReport:
        """Return the report that `to_json` wrote; keys it does not know are ignored."""
        return cls(
            success=record["success"],
            errors=tuple(Violation.from_json(v) for v in record["errors"]),
            warnings=tuple(Violation.from_json(v) for v in record["warnings"]),
            known=tuple(Violation.from_json(v) for v in record.get("known", ())),
            evaluated=record.get("evaluated", 0),
        )
