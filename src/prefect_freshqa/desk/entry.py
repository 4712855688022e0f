"""A proposal as the queue lists it, and the filters of the queue."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from freshqa.maintaining.acceptance_policy import never_automatic
from freshqa.maintaining.choice import Reviewable
from freshqa.maintaining.proposal import FieldChange, Outcome
from freshqa.maintaining.review import has_value
from prefect_freshqa.desk.classes import risky_classes
from prefect_freshqa.desk.labels import label, sorted_columns


class Band(NamedTuple):
    """A band of risk, from its lowest risk up to the band above."""

    name: str
    lowest: float


BANDS = (Band("high", 0.5), Band("medium", 0.2), Band("low", 0.0))


@dataclass(frozen=True)
class Entry:
    """A proposal as the queue shows it.

    Args:
        answer: Proposed or reported primary answer; "" when there is none.
        other: Changes of other columns; "" beside an answer.
        candidates: Answers to pick from, where none is proposed.
        bulk: Whether it may be accepted together with others: no policy forbids its acceptance.
        classes: Risky classes it belongs to.
    """

    id: int
    run: str
    question: str
    outcome: str
    risk: float
    confidence: float
    fact_type: str
    flags: tuple[str, ...]
    stored: str
    answer: str
    other: str
    candidates: tuple[str, ...]
    bulk: bool
    classes: frozenset[str]

    @cached_property
    def band(self) -> str:
        """Name of its band of risk."""
        return next(band.name for band in BANDS if self.risk >= band.lowest)

    @cached_property
    def searchable_text(self) -> str:
        """Number, question and answers in lower case, for the text filter."""
        return f"{self.id} {self.question} {self.stored} {self.answer} {self.other}".casefold()


@dataclass(frozen=True)
class Filters:
    """The filters of a person; "" means all."""

    run: str = ""
    outcome: str = ""
    band: str = ""
    type: str = ""
    flag: str = ""
    text: str = ""

    def match(self, entry: Entry) -> bool:
        """Return True when an entry passes all filters."""
        return self == EVERYTHING or (
            self.run in ("", entry.run)
            and self.outcome in ("", entry.outcome)
            and self.band in ("", entry.band)
            and self.type in ("", entry.fact_type)
            and (not self.flag or self.flag in entry.flags)
            and all(word in entry.searchable_text for word in self.text.casefold().split())
        )


EVERYTHING = Filters()


def entry_of(item: Reviewable, run: str) -> Entry:
    """Return the entry of a proposal that the run with this key made."""
    proposal = item.proposal
    answer = proposal.changes.get("answer_0")
    new = answer.new if answer else ""
    if proposal.outcome is Outcome.reported:
        new = proposal.candidates[0].text
    rest = [_told(column, proposal.changes[column]) for column in sorted_columns(proposal.changes)]
    return Entry(
        id=item.id,
        run=run,
        question=item.row.text,
        outcome=proposal.outcome.value,
        risk=proposal.risk,
        confidence=proposal.confidence,
        fact_type=item.row.fact_type,
        flags=proposal.flags,
        stored=item.row.primary,
        answer=new,
        other="" if new else "; ".join(rest),
        candidates=()
        if new or rest
        else tuple(candidate.text for candidate in proposal.candidates),
        bulk=has_value(proposal) and not never_automatic(proposal, item.row),
        classes=risky_classes(proposal, item.row),
    )


def _told(column: str, change: FieldChange) -> str:
    old = f"{change.old} → " if change.old else ""
    return f"{label(column)}: {old}{change.new or 'none'}"
