"""A reviewer's choice for a proposal; `freshqa.maintaining.review` turns it into a decision."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import Enum

from freshqa.dataset.question import Question
from freshqa.errors import UsageError
from freshqa.maintaining.proposal import Proposal


class Chosen(str, Enum):
    """The choices of a reviewer."""

    accept = "accept"  # the proposed value, or a candidate
    reject = "reject"  # the stored row and its review date stay
    edit = "edit"  # another value than the proposed one
    keep = "keep"  # the stored answer is confirmed; its review date moves on
    defer = "defer"  # left open


_WORDS = re.compile(
    r"(?P<action>accept|reject|edit|keep|defer|skip)?,?\s*(?:candidate\s*(?P<candidate>\d+)\b"
    r"(?:\s*:[^\n]*)?)?,?\s*(?P<suggestions>with[ _-]suggestions)?(?:\s*:[^\n]*)?",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Choice:
    """A reviewer's choice for one proposal.

    Args:
        proposal: Ledger id of the proposal.
        action: What to do with it.
        edits: Official column → text that the reviewer wrote.
        candidate: Number, from 1, of the entry of `Proposal.candidates` that is the answer.
        with_suggestions: Apply `Proposal.suggested_values` too.
        at: When it was chosen (aware, UTC); None: when it is recorded.
    """

    proposal: int
    action: Chosen
    edits: Mapping[str, str] = field(default_factory=dict)
    candidate: int | None = None
    with_suggestions: bool = False
    reason: str = ""
    at: datetime | None = None


@dataclass(frozen=True)
class Reviewable:
    """A proposal that a reviewer was shown, with the row that it is about.

    Args:
        row: The stored row that was checked.
    """

    id: int
    proposal: Proposal
    row: Question


def read_action(words: str) -> Choice:
    """Return a choice in words, as a cell or a field of a form holds it; its proposal is number 0.

    `accept`, `accept with suggestions`, `candidate 2`, `accept candidate 2: Oppenheimer`,
    `keep`, `edit`, `reject`, `defer` (also `skip`, or nothing at all).

    Raises:
        UsageError: The words are none of these.
    """
    match = _WORDS.fullmatch(words.strip())
    if match is None:
        raise UsageError(
            f"Invalid decision {words!r}.",
            "Use accept, accept with suggestions, candidate NUMBER, keep, edit, reject or defer.",
        )
    name = (match["action"] or "").casefold()
    number = int(match["candidate"]) if match["candidate"] else None
    suggestions = match["suggestions"] is not None
    if not name:
        name = "accept" if number is not None or suggestions else "defer"
    action = Chosen.defer if name == "skip" else Chosen(name)
    return Choice(0, action, candidate=number, with_suggestions=suggestions)
