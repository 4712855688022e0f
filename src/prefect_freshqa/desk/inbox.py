"""The queue: pending proposals as a list that can be filtered, read when the ledger has changed."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NamedTuple

from freshqa.errors import NotFound
from freshqa.store.database import Store
from freshqa.store.opinions_and_reports import Opinion, open_opinions
from freshqa.store.proposal_status import (
    LedgerMark,
    OpenProposal,
    decided_since,
    ledger_mark,
    open_proposals,
)
from freshqa.store.proposals import reviewable
from prefect_freshqa.desk.entry import Entry, entry_of

MAX_KEPT = 20_000
"""Entries that are kept in memory."""


class ValueCount(NamedTuple):
    """A value of a filter, and the number of entries that have it."""

    value: str
    entries: int


@dataclass(frozen=True)
class Facet:
    """A filter as the page offers it.

    Args:
        filter: Name of the field of `Filters`.
        title: For people.
        counts: The values that occur.
    """

    filter: str
    title: str
    counts: Sequence[ValueCount]


@dataclass(frozen=True)
class Waiting:
    """The pending proposals at one moment of the ledger.

    Args:
        entries: Pending proposals, highest risk first; redacted ones are left out.
        opinions: Number of a proposal → its opinions, where there is no decision yet.
        decided: Reviewer → number of proposals decided this week.
        facets: The filters with their values, in the order of the page.
    """

    entries: tuple[Entry, ...]
    opinions: dict[int, tuple[Opinion, ...]]
    decided: Counter[str]
    facets: tuple[Facet, ...]


class _Kept(NamedTuple):
    """The queue as it was read last, and the state of the ledger that it was read from."""

    mark: LedgerMark
    since: datetime
    waiting: Waiting


class Inbox:
    """Pending proposals of a store, read again when the ledger has changed. Thread-safe."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._entries: dict[int, Entry] = {}
        self._redacted = 0
        self._kept: _Kept | None = None
        self._lock = threading.Lock()

    def waiting(self, at: datetime) -> Waiting:
        """Return the pending proposals, read again when the ledger or the week has changed.

        Args:
            at: Now; decisions since the Monday before it are counted.
        """
        mark = ledger_mark(self._store)
        since = monday(at)
        with self._lock:
            if self._kept is None or (self._kept.mark, self._kept.since) != (mark, since):
                if mark.redacted != self._redacted:  # texts may have been removed
                    self._entries.clear()
                    self._redacted = mark.redacted
                self._kept = _Kept(mark, since, self._read(since))
            return self._kept.waiting

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
        """Read the entries that are not in memory; the text of a proposal never changes."""
        if not missing:
            return
        if len(self._entries) + len(missing) > MAX_KEPT:
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
            self._entries[item.id] = entry_of(item, runs[item.id])


def monday(at: datetime) -> datetime:
    """Return the start of the week: Monday, 00:00 UTC."""
    day = at.replace(hour=0, minute=0, second=0, microsecond=0)
    return day - timedelta(days=day.weekday())


def _facets(entries: Sequence[Entry]) -> tuple[Facet, ...]:
    flags = _most_common(flag for entry in entries for flag in set(entry.flags))
    return (
        Facet("band", "Risk", _most_common(entry.band for entry in entries)),
        Facet("outcome", "Outcome", _most_common(entry.outcome for entry in entries)),
        Facet("type", "Fact type", _most_common(entry.fact_type for entry in entries)),
        Facet("run", "Run", _most_common(entry.run for entry in entries)),
        Facet("flag", "Flag", sorted(flags)),
    )


def _most_common(values: Iterable[str]) -> list[ValueCount]:
    """Count each value, the most common first."""
    return [ValueCount(*counted) for counted in Counter(values).most_common()]
