"""The findings of validation, as plain records for store, pages and terminal."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from freshqa.dataset.question import Question
from freshqa.errors import BadData, Refused
from freshqa.json_record import JsonRecord

ERROR = "error"
WARNING = "warning"


@dataclass(frozen=True)
class Violation(JsonRecord):
    """One question, or the whole table, that breaks one rule.

    Args:
        rule: Name of the rule, as listed in `docs/expectations.md`.
        severity: `error` (blocks publication) or `warning` (recorded with the version).
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


@dataclass(frozen=True)
class Reason:
    """The reason for a change in a draft.

    Args:
        text: What a person or a policy gave as the reason.
        evidence: Texts that the change was taken from.
    """

    text: str = ""
    evidence: tuple[str, ...] = ()


@dataclass(frozen=True)
class ValidationReport(JsonRecord):
    """The report of the expectation suites on a snapshot or a draft.

    Args:
        success: True when nothing blocks: no new error, and every rule was evaluated.
        errors: New violations that block.
        warnings: New violations, recorded with the version.
        known: Violations that the base version had at the same place, errors and warnings alike.
        evaluated: How many rules were evaluated, counted from the results.
        skipped: Rules that were not evaluated, because the dataset does not have their column.
    """

    success: bool
    errors: tuple[Violation, ...]
    warnings: tuple[Violation, ...]
    known: tuple[Violation, ...] = ()
    evaluated: int = 0
    skipped: tuple[str, ...] = ()

    def require_success(self) -> None:
        """Raise `Refused` if there are errors that the base version does not have."""
        if not self.success:
            first = self.errors[0]
            raise Refused(
                f"Validation refused the draft: {len(self.errors)} errors, first {first.rule}: "
                f"{first.message}",
                "See `prefect-freshqa validate --draft`; fix the proposals, then publish again.",
            )


def require_storable(questions: Sequence[Question]) -> None:
    """Raise `BadData` for a row without a key, a key twice, or text that a database cannot hold."""
    seen: dict[str, int] = {}
    for position, question in enumerate(questions):
        where = f"Row {position} ({question.text[:60]!r})"
        if not question.key:
            raise BadData(f"{where} has no key.", "Match it with the newest version first.")
        if question.key in seen:
            raise BadData(
                f"{where} has the key {question.key!r} of row {seen[question.key]}.",
                "A version holds each question once. Remove one of the two rows.",
            )
        seen[question.key] = position
        for column, text in question.fields.items():
            if "\0" in text:
                raise BadData(f"{where}, column {column}: a NUL character.", "Remove it.")
            if not text.isascii() and not _is_encodable(text):
                raise BadData(
                    f"{where}, column {column}: an unpaired surrogate character.", "Remove it."
                )


def _is_encodable(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True
