"""The validation report for people: markdown, and rows of a table artifact."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from freshqa.dataset.validation import ValidationReport, Violation

MOST = 100
"""Violations written out per section; the report in the ledger holds all."""


def headline(report: ValidationReport) -> str:
    """Return one line: passed or refused, and the counts."""
    return (
        f"{'Passed' if report.success else 'Refused'}: {_count(report.errors, 'error')}, "
        f"{_count(report.warnings, 'warning')}, {len(report.known)} known from the base, "
        f"{report.evaluated} rules evaluated."
    )


def validation_markdown(report: ValidationReport, *, docs: str = "") -> str:
    """Return the report as a page: every error, warnings by rule, and where the Data Docs are.

    Args:
        docs: Address of the Data Docs, or "".
    """
    parts = [f"## {headline(report)}"]
    if docs:
        parts.append(f"Data Docs: <{docs}>")
    if report.errors:
        parts.append("### Errors: they block publication\n\n" + _list(report.errors))
    if report.warnings:
        parts.append(
            "### Warnings: they are recorded with the version\n\n" + _list(report.warnings)
        )
    if report.known:
        counts = Counter(violation.rule for violation in report.known)
        lines = (f"- {rule}: {count}" for rule, count in sorted(counts.items()))
        parts.append("### Known: the base version breaks the same rules\n\n" + "\n".join(lines))
    return "\n\n".join(parts)


def _list(violations: Sequence[Violation]) -> str:
    """One line per violation; lines wrap on the narrow page of an artifact, where a table is cut off."""
    lines = [_line(violation) for violation in violations[:MOST]]
    if len(violations) > MOST:
        lines.append(f"\n… and {len(violations) - MOST} more in the ledger.")
    return "\n".join(lines)


def _line(violation: Violation) -> str:
    where = f"{violation.column} “{violation.value}”" if violation.value else violation.column
    parts = (violation.question, where, violation.message)
    said = " · ".join(_escaped(part) for part in parts if part)
    return f"- **{_escaped(violation.rule)}** {said}"


def _escaped(text: str) -> str:
    """Return external text escaped for markdown."""
    shown = " ".join(text.split())
    return "".join(f"\\{c}" if c in r"\`*_{}[]<>#|!" else c for c in shown)


def _count(violations: Sequence[Violation], noun: str) -> str:
    return f"{len(violations)} {noun}{'' if len(violations) == 1 else 's'}"
