"""Read the decisions of an annotator from a review sheet, for comparison with another."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from freshqa.errors import BadData, FreshQAError, UsageError
from freshqa.maintaining.choice import Chosen, read_action
from freshqa.maintaining.sheet_table import read_table


@dataclass(frozen=True)
class Annotation:
    """One decided row of a sheet.

    Args:
        question: Its question.
        action: What was chosen; a candidate's number belongs to it.
        texts: The cells `new …` unchanged; compared for an edit.
        reason: Why, in words.
    """

    question: str
    action: str
    texts: tuple[str, ...]
    reason: str

    def agrees(self, other: Annotation) -> bool:
        """Return whether both mean the same decision."""
        same_texts = self.action != Chosen.edit.value or self.texts == other.texts
        return self.action == other.action and same_texts


def is_review_sheet(data: bytes, *, name: str) -> bool:
    """Return whether a file is a sheet of `review export`, by its columns."""
    try:
        records = read_table(data, name=name)
    except FreshQAError:
        return False
    return bool(records) and {"proposal", "base", "decision"} <= set(records[0])


def read_annotations(data: bytes, *, name: str) -> dict[str, Annotation | None]:
    """Return the proposals of a sheet, each with its decision; None where it was left open.

    Raises:
        BadData: A decision cannot be read, or a proposal occurs twice; the row is named.
    """
    by_proposal: dict[str, Annotation | None] = {}
    for number, record in enumerate(read_table(data, name=name), 2):
        proposal = (record["proposal"] or "").strip()
        if not proposal or proposal in by_proposal:
            why = f"proposal {proposal} occurs twice" if proposal else "no proposal number"
            raise BadData(f"{name}, row {number}: {why}.", "Export the sheet again and fill it in.")
        try:
            by_proposal[proposal] = _annotation(record)
        except UsageError as wrong:
            raise BadData(
                f"{name}, row {number}, decision: {wrong.message}", wrong.remedy
            ) from None
    return by_proposal


def _annotation(record: Mapping[str, str | None]) -> Annotation | None:
    choice = read_action(record["decision"] or "")
    if choice.action is Chosen.defer:
        return None
    action = choice.action.value
    action += f" candidate {choice.candidate}" if choice.candidate else ""
    action += " with suggestions" if choice.with_suggestions else ""
    texts = tuple(
        " ".join((text or "").split())
        for column, text in record.items()
        if column.startswith("new ")
    )
    return Annotation(record.get("question") or "", action, texts, record.get("reason") or "")
