"""Damage to cells by spreadsheets, wrong encodings and readers, and its repair."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

from freshqa.dataset import excel_damage
from freshqa.dataset.mojibake import established, suspicious, undo
from freshqa.dataset.question import ANSWER_COLUMNS, FIELD_COLUMNS, FactType, Question
from freshqa.dataset.table import Placed
from freshqa.dates.forms import official_date
from freshqa.dates.review import parse_review
from freshqa.dates.spreadsheet import guesses, shows_no_day
from freshqa.json_record import JsonRecord

NULL_WORDS = ("nan", "None", "null", "NaN", "NULL", "<NA>")


@dataclass(frozen=True)
class Damage(JsonRecord):
    """One cell that differs from what its author wrote.

    Args:
        row: Row number as a spreadsheet shows it (from 1, header and preamble counted).
        column: Official column.
        kind: `mojibake`, `excel-date`, `excel-time`, `excel-number`, `excel-error`,
            `zeros-stripped`, `collapsed-alternatives`, `boolean-case`, `null-marker`, `null-word`,
            `malformed-review` or `typed-date`.
        text: What the file says.
        repaired: What it probably said; None when that cannot be told.
        certain: Whether no other original is possible.
    """

    row: int
    column: str
    kind: str
    text: str
    repaired: str | None = None
    certain: bool = False

    def undone_by(self, repair: str) -> bool:
        """Return whether a way of reading repairs it: `none`, `certain` or `all`."""
        return self.repaired is not None and (
            repair == "all" or (repair == "certain" and self.certain)
        )


def find_damage(placed: Sequence[Placed]) -> tuple[Damage, ...]:
    """Every cell with a sign of damage, at most one finding a cell, in the order of the rows."""
    findings: dict[tuple[int, str], Damage] = {}
    for finder in (_booleans, _nulls, _mojibake, _typed_reviews, _spreadsheet, _reviews):
        for damage in finder(placed):
            findings.setdefault((damage.row, damage.column), damage)
    order = {column: index for index, column in enumerate(FIELD_COLUMNS)}
    return tuple(sorted(findings.values(), key=lambda d: (d.row, order[d.column])))


def apply_repairs(
    placed: Sequence[Placed], findings: Sequence[Damage], repair: str
) -> list[Placed]:
    """The rows with what could be repaired: nothing (`none`), what is `certain`, or `all`."""
    changes: dict[int, dict[str, str]] = {}
    for damage in findings:
        if damage.repaired is not None and damage.undone_by(repair):
            changes.setdefault(damage.row, {})[damage.column] = damage.repaired
    return [
        replace(entry, question=entry.question.with_changes(changes[entry.row]))
        if entry.row in changes
        else entry
        for entry in placed
    ]


def _booleans(placed: Sequence[Placed]) -> Iterator[Damage]:
    for entry in placed:
        text = entry.question.fields["false_premise"]
        if text not in ("TRUE", "FALSE") and text.strip().upper() in ("TRUE", "FALSE"):
            yield Damage(
                entry.row, "false_premise", "boolean-case", text, text.strip().upper(), True
            )


def _nulls(placed: Sequence[Placed]) -> Iterator[Damage]:
    """`N/A` that a reader read as missing, and missing cells that it wrote as words.

    The official sheet has no empty review or source. CSV readers lose every `N/A` of a file, JSON
    conversions those of one column: where no review says `N/A` any more and all never-changing rows
    have an empty one, their cadence was lost. Other datasets, exported in the official columns, do
    have empty ones.
    """
    some = any(
        entry.question.fields[c] == "N/A" for entry in placed for c in ("next_review", "source")
    )
    cadence_lost = all(
        not entry.question.next_review.strip() for entry in placed if _never_changing(entry)
    ) and not any(entry.question.next_review == "N/A" for entry in placed)
    exported = any(entry.question.attributes for entry in placed) or not any(
        entry.question.fact_type or entry.question.fields["num_hops"] for entry in placed
    )
    notes = Counter(entry.question.fields["note"] for entry in placed)
    word = next((w for w in NULL_WORDS if notes[w] == len(placed) > 1), None)
    for entry in placed:
        fields = entry.question.fields
        for column in ("next_review", "source"):
            if not fields[column].strip() and not exported:
                certain = not some or (
                    column == "next_review" and cadence_lost and _never_changing(entry)
                )
                yield Damage(entry.row, column, "null-marker", fields[column], "N/A", certain)
        for column in (*ANSWER_COLUMNS[1:], "note") if word else ():
            if fields[column] == word:
                yield Damage(entry.row, column, "null-word", word, "", True)


def _never_changing(entry: Placed) -> bool:
    return entry.question.fact_type == FactType.never_changing.value


def _mojibake(placed: Sequence[Placed]) -> Iterator[Damage]:
    undone = {
        (entry.row, column): result
        for entry in placed
        for column, text in entry.question.fields.items()
        if not text.isascii() and (result := undo(text))
    }
    sure = established(undone.values())
    wide = any(chain[0] == "gbk" for chain in sure)
    for entry in placed:
        for column, text in entry.question.fields.items():
            result = undone.get((entry.row, column))
            if result:
                certain = result.chain in sure
                yield Damage(entry.row, column, "mojibake", text, result.text, certain)
            elif suspicious(text) or (wide and _has_wide(text)):
                yield Damage(entry.row, column, "mojibake", text)


def _has_wide(text: str) -> bool:
    return any("\u2e80" <= character <= "\ufaff" for character in text)


def _typed_reviews(placed: Sequence[Placed]) -> Iterator[Damage]:
    """Reviews typed as a date and shown day first or in words: the workbook has the day.

    A cell that shows only a month is kept, because the spreadsheet made up its day.
    """
    for entry in placed:
        typed, text = entry.dates.get("next_review"), entry.question.next_review
        if not typed or shows_no_day(text):
            continue
        day = date.fromisoformat(typed)
        if parse_review(text).due_on != day:
            yield Damage(entry.row, "next_review", "typed-date", text, official_date(day), True)


def _spreadsheet(placed: Sequence[Placed]) -> Iterator[Damage]:
    sure = {entry.row: excel_damage.sure_signs(entry.question) for entry in placed}
    spreadsheet = any(sure.values())
    for entry in placed:
        signs = sure[entry.row] + excel_damage.weak_signs(entry.question, spreadsheet=spreadsheet)
        original = _originals(entry.question, entry.dates) if signs else {}
        for sign in signs:
            text = entry.question.fields[sign.column]
            yield Damage(entry.row, sign.column, sign.kind, text, original.get(sign.column))
        for column in excel_damage.collapsed(entry.question):
            text = entry.question.fields[column]
            kind = "collapsed-alternatives"
            yield Damage(entry.row, column, kind, text, original.get(column))


def _reviews(placed: Sequence[Placed]) -> Iterator[Damage]:
    """Review texts that are malformed; unreadable ones count as due."""
    for entry in placed:
        text = entry.question.next_review
        review = parse_review(text)
        if review.problem:
            meant = official_date(review.due_on) if review.due_on else None
            yield Damage(entry.row, "next_review", "malformed-review", text, meant)


def _originals(question: Question, dates: Mapping[str, str]) -> dict[str, str]:
    trimmed = {
        column: question.fields[column].rstrip()
        for column in ANSWER_COLUMNS
        if excel_damage.WEAK_SIGNS[-1][1].fullmatch(question.fields[column])
    }
    return {**trimmed, **guesses(question.fields, dates)}
