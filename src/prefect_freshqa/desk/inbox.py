"""The queue: pending proposals as a list that can be filtered, read when the ledger has changed."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property

from freshqa.errors import NotFound
from freshqa.maintaining.acceptance_policy import never_automatic
from freshqa.maintaining.choice import Reviewable
from freshqa.maintaining.proposal import FieldChange, Outcome
from freshqa.maintaining.review import has_value
from freshqa.store.database import Store
from freshqa.store.opinions_and_reports import Opinion, open_opinions
from freshqa.store.proposal_status import (
    OpenProposal,
    decided_since,
    ledger_mark,
    open_proposals,
)
from freshqa.store.proposals import reviewable
from prefect_freshqa.desk.classes import risky_classes
from prefect_freshqa.desk.labels import in_order, label

BANDS = (("high", 0.5), ("medium", 0.2), ("low", 0.0))
"""Name of each band of risk, and the risk from which it counts."""
MOST_KEPT = 20_000
"""Entries that are kept in memory."""


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
        return next(name for name, least in BANDS if self.risk >= least)

    @cached_property
    def words(self) -> str:
        """The texts that the text filter searches."""
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
        """Return whether an entry is looked at."""
        return self == EVERYTHING or (
            self.run in ("", entry.run)
            and self.outcome in ("", entry.outcome)
            and self.band in ("", entry.band)
            and self.type in ("", entry.fact_type)
            and (not self.flag or self.flag in entry.flags)
            and all(word in entry.words for word in self.text.casefold().split())
        )


EVERYTHING = Filters()


@dataclass(frozen=True)
class Waiting:
    """The pending proposals at one moment of the ledger.

    Args:
        entries: Pending proposals, highest risk first; redacted ones are left out.
        opinions: Number of a proposal → its opinions, where there is no decision yet.
        decided: Reviewer → number of proposals decided this week.
        facets: Name of a filter, its title, and the number of entries for each of its values.
    """

    entries: tuple[Entry, ...]
    opinions: dict[int, tuple[Opinion, ...]]
    decided: Counter[str]
    facets: tuple[tuple[str, str, list[tuple[str, int]]], ...]


class Inbox:
    """Pending proposals of a store, read again when the ledger has changed. Thread-safe."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._entries: dict[int, Entry] = {}
        self._redacted = 0
        self._kept: tuple[object, Waiting] | None = None
        self._lock = threading.Lock()

    def waiting(self, at: datetime) -> Waiting:
        """Return what waits.

        Args:
            at: Now; decisions since the Monday before it are counted.
        """
        mark = ledger_mark(self._store)
        since = monday(at)
        with self._lock:
            if self._kept is None or self._kept[0] != (mark, since):
                if mark[0] != self._redacted:  # texts may have been removed
                    self._entries.clear()
                    self._redacted = mark[0]
                self._kept = (mark, since), self._read(since)
            return self._kept[1]

    def _read(self, since: datetime) -> Waiting:
        pending = open_proposals(self._store)
        self._read_entries([proposal for proposal in pending if proposal.id not in self._entries])
        entries = tuple(
            self._entries[proposal.id] for proposal in pending if proposal.id in self._entries
        )
        return Waiting(
            entries=entries,
            opinions=open_opinions(self._store),
            decided=decided_since(self._store, since),
            facets=_facets(entries),
        )

    def _read_entries(self, missing: Sequence[OpenProposal]) -> None:
        """Read entries that are not known. What a proposal says never changes."""
        if not missing:
            return
        if len(self._entries) + len(missing) > MOST_KEPT:
            self._entries.clear()
        runs = {proposal.id: proposal.run for proposal in missing}
        try:
            shown = reviewable(self._store, list(runs))
        except NotFound:  # one was redacted: leave it out
            shown = []
            for id in runs:
                try:
                    shown += reviewable(self._store, [id])
                except NotFound:
                    continue
        for item in shown:
            self._entries[item.id] = _entry(item, runs[item.id])


def monday(at: datetime) -> datetime:
    """Return the start of the week (UTC)."""
    day = at.replace(hour=0, minute=0, second=0, microsecond=0)
    return day - timedelta(days=day.weekday())


def _facets(entries: Sequence[Entry]) -> tuple[tuple[str, str, list[tuple[str, int]]], ...]:
    flags = Counter(flag for entry in entries for flag in set(entry.flags))
    return (
        ("band", "Risk", counts(entries, lambda entry: entry.band)),
        ("outcome", "Outcome", counts(entries, lambda entry: entry.outcome)),
        ("type", "Fact type", counts(entries, lambda entry: entry.fact_type)),
        ("run", "Run", counts(entries, lambda entry: entry.run)),
        ("flag", "Flag", sorted(flags.items())),
    )


def counts(entries: Sequence[Entry], of: Callable[[Entry], str]) -> list[tuple[str, int]]:
    """Return the value → number of entries, most first."""
    return Counter(of(entry) for entry in entries).most_common()


def _entry(item: Reviewable, run: str) -> Entry:
    proposal = item.proposal
    answer = proposal.changes.get("answer_0")
    new = answer.new if answer else ""
    if proposal.outcome is Outcome.reported:
        new = proposal.candidates[0].text
    rest = [_told(column, proposal.changes[column]) for column in in_order(proposal.changes)]
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
