"""Pending proposals as a sheet that a person fills, and the filled sheet as decisions.

Columns before `decision` are for reading. `decision` takes the words of
`freshqa.maintaining.choice.read_action` (accept, candidate 1, keep, …); `reason` takes a reason.
Every `new …` column holds what the proposal would write; text typed over it is an edit, unless it
looks as if the spreadsheet had rewritten it: that is asked about.
A sheet with a broken row decides nothing and says all that is wrong with it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Protocol

from freshqa.dataset.question import ANSWER_COLUMNS, FIELD_COLUMNS
from freshqa.errors import BadData, FreshQAError
from freshqa.maintaining.choice import Choice, Reviewable, read_action
from freshqa.maintaining.draft import proposed_answers
from freshqa.maintaining.proposal import Decision, Proposal
from freshqa.maintaining.respelled import respelled, same_text, unchanged
from freshqa.maintaining.review import decision_of
from freshqa.maintaining.sheet_table import read_table, write_table

EDITABLE = (
    *ANSWER_COLUMNS,
    "effective_year",
    "next_review",
    "false_premise",
    "fact_type",
    "num_hops",
    "source",
    "question",
)
_READING = (
    "proposal",
    "base",
    "question",
    "outcome",
    "risk",
    "confidence",
    "stored answers",
    "proposed answers",
    "evidence",
    "flags",
    "reasons",
    "candidates",
    "suggestions",
)
_FILLING = ("decision", "reason", *(f"new {column}" for column in EDITABLE))
COLUMNS = (*_READING, *_FILLING)
_LATER = ("new num_hops",)
"""Columns that sheets of earlier releases do not have."""
_BASE_LENGTH = 12
_BASE_MARK = "r"  # without such a letter, a spreadsheet would read 929015633761 as a number


class Pending(Protocol):
    """A proposal that waits, with its number in the ledger."""

    @property
    def id(self) -> int:
        """Number in the ledger."""
        ...

    @property
    def proposal(self) -> Proposal:
        """The proposal."""
        ...


def write_review_sheet(pending: Sequence[Pending], *, format: str) -> bytes:
    """Return the proposals as a file, in the order given.

    Args:
        pending: What waits for a decision.
        format: `csv` or `xlsx`; XLSX keeps spreadsheets from turning dates into something else.

    Raises:
        UsageError: Another format.
    """
    return write_table(COLUMNS, [_row(item) for item in pending], format)


def read_review_sheet(
    data: bytes, *, pending: Sequence[Reviewable], by: str, now: datetime, name: str
) -> list[Decision]:
    """Return the decisions that a person has filled in; rows without a decision are left alone.

    Args:
        data: The file, CSV or XLSX.
        pending: What waits for a decision now, with the rows that it is about.
        by: Who filled it.
        now: When it is read (aware, UTC).
        name: Name of the file, for messages.

    Raises:
        BadData: The file is unreadable, lacks columns, or has broken rows; all are listed, and no
            decision is made.
    """
    records = read_table(data, name=name)
    header = set(records[0]) if records else set(COLUMNS)
    needed = [column for column in ("proposal", "base", *_FILLING) if column not in _LATER]
    missing = [column for column in needed if column not in header]
    if missing:
        raise BadData(
            f"{name} lacks the columns {', '.join(missing)}.",
            "Export the sheet again and fill in the new file.",
        )
    waiting = {item.id: item for item in pending}
    decisions, problems, seen = [], [], set[int]()
    for number, record in enumerate(records, 2):
        try:
            item = _identify(record, waiting)
            choice = _choice(record, item)
            if choice is not None and item.id in seen:
                raise ValueError(f"proposal {item.id} is decided twice in this sheet")
            decision = decision_of(choice, item, by=by, at=now) if choice else None
        except (ValueError, FreshQAError) as problem:
            problems.append(f"row {number}: {problem}")
        else:
            seen |= {item.id} if choice else set()
            decisions += [decision] if decision else []
    if problems:
        raise BadData(
            f"{name} has {len(problems)} invalid rows, so nothing was decided: "
            + "; ".join(problems),
            "Fix these rows and import the sheet again.",
        )
    return decisions


def _row(item: Pending) -> list[str]:
    proposal = item.proposal
    new = {column: change.new for column, change in proposal.changes.items()}
    reading = [
        str(item.id),
        _BASE_MARK + proposal.base_revision[:_BASE_LENGTH],
        proposal.question,
        proposal.outcome.value,
        f"{proposal.risk:.3f}",
        f"{proposal.confidence:.3f}",
        " | ".join(proposal.stored),
        " | ".join(proposed_answers(proposal)),
        _evidence(proposal),
        ", ".join(proposal.flags),
        "\n".join(proposal.reasons),
        "\n".join(
            f"candidate {n}: {candidate}" for n, candidate in enumerate(proposal.candidates, 1)
        ),
        "\n".join(f"{column}: {words}" for column, words in proposal.suggestions.items()),
    ]
    return [*reading, "", "", *(new.get(column, "") for column in EDITABLE)]


def _evidence(proposal: Proposal) -> str:
    """Return each finding on a line, quoted ones first, with the quote marked."""
    quoted = [finding for finding in proposal.evidence if finding.id in proposal.quotes]
    others = [finding for finding in proposal.evidence if finding.id not in proposal.quotes]
    lines = []
    for finding in (*quoted, *others):
        quote = proposal.quotes.get(finding.id, "")
        text = " ".join(part for part in (finding.snippet, finding.highlight) if part)
        marked = text.replace(quote, f"»{quote}«", 1) if quote else text
        dated = finding.date.isoformat() if finding.date else "undated"
        lines.append(f"{marked or finding.title} ({finding.domain}, {dated}) {finding.url}".strip())
    return "\n".join(lines)


def _choice(record: Mapping[str, str | None], item: Reviewable) -> Choice | None:
    """What a row chooses, None when it chooses nothing; ValueError says what is wrong with it."""
    words = (record["decision"] or "").strip()
    edits = _edits(record, item.proposal)
    if not words:
        if edits:
            raise ValueError(f"{_listed(edits)} edited, but no decision; write edit or undo it")
        return None
    read = read_action(words)
    reason = (record["reason"] or "").strip()
    return replace(read, proposal=item.id, edits=edits, reason=reason)


def _identify(record: Mapping[str, str | None], waiting: Mapping[int, Reviewable]) -> Reviewable:
    text = (record["proposal"] or "").strip()
    if not text.isdigit():
        raise ValueError(f"{text!r} in column proposal is not a number")
    item = waiting.get(int(text))
    if item is None:
        raise ValueError(f"proposal {text} is not pending (already decided or outdated)")
    base = (record["base"] or "").strip().removeprefix(_BASE_MARK)
    if base != item.proposal.base_revision[:_BASE_LENGTH]:
        raise ValueError(f"proposal {text} differs between this store and the sheet")
    question = record.get("question")
    if question is not None and not same_text(item.proposal.question, question):
        raise ValueError(
            f"the question is not that of proposal {text}: {question[:60]!r}; undo what changed it, "
            "such as sorting a part of the columns"
        )
    return item


def _edits(record: Mapping[str, str | None], proposal: Proposal) -> dict[str, str]:
    """Column → text for every `new …` cell that differs from what the proposal would write."""
    edits = {}
    for column in EDITABLE:
        if f"new {column}" in _LATER and f"new {column}" not in record:
            continue
        cell = record[f"new {column}"]
        if cell is None:
            raise ValueError(f"new {column} was turned into a date; format the cell as text")
        change = proposal.changes.get(column)
        proposed = change.new if change else ""
        text = cell.replace("\r\n", "\n").replace("\r", "\n").strip()
        if unchanged(proposed, text):
            continue
        if why := respelled(proposed, text):
            was = f", exported as {proposed!r}" if proposed else ""
            raise ValueError(
                f"new {column} is {text!r}{was}: it {why}; restore it, write it as a sentence would "
                f"(June 4, 2022), or decide with: prefect-freshqa review edit ID --set {column}=TEXT"
            )
        edits[column] = text
    return edits


def _listed(edits: Mapping[str, str]) -> str:
    return ", ".join(f"new {column}" for column in FIELD_COLUMNS if column in edits)
