"""The queue: pending proposals as a list that can be filtered, read from the ledger once each."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from freshqa.errors import NotFound
from freshqa.maintaining.choice import Reviewable
from freshqa.maintaining.decide import never_automatic
from freshqa.maintaining.proposal import Outcome
from freshqa.maintaining.review import has_value
from freshqa.store.database import Store
from freshqa.store.proposal_status import OpenProposal, open_proposals
from freshqa.store.reviewing import reviewable
from prefect_freshqa.desk.classes import risky_classes

BANDS = (("high", 0.5), ("medium", 0.2), ("low", 0.0))
"""Name of each band of risk, and the risk from which it counts."""
MOST_KEPT = 20_000


@dataclass(frozen=True)
class Entry:
    """A proposal as the queue shows it.

    Args:
        answer: Proposed or reported primary answer; "" when there is none.
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
    bulk: bool
    classes: frozenset[str]

    @property
    def band(self) -> str:
        """Name of its band of risk."""
        return next(name for name, least in BANDS if self.risk >= least)

    @property
    def words(self) -> str:
        """What the text filter looks into."""
        return f"{self.id} {self.question} {self.stored} {self.answer}".casefold()


@dataclass(frozen=True)
class Filters:
    """What a person looks at; "" stands for all."""

    run: str = ""
    outcome: str = ""
    band: str = ""
    type: str = ""
    flag: str = ""
    text: str = ""

    def match(self, entry: Entry) -> bool:
        """Return whether an entry is looked at."""
        return (
            self.run in ("", entry.run)
            and self.outcome in ("", entry.outcome)
            and self.band in ("", entry.band)
            and self.type in ("", entry.fact_type)
            and (not self.flag or self.flag in entry.flags)
            and all(word in entry.words for word in self.text.casefold().split())
        )


class Inbox:
    """Pending proposals of a store. What a proposal says never changes, so it is read once."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._entries: dict[int, Entry] = {}
        self._lock = threading.Lock()

    def pending(self) -> list[Entry]:
        """Return every pending proposal, highest risk first; redacted ones are left out."""
        found = open_proposals(self._store)
        with self._lock:
            self._read([one for one in found if one.id not in self._entries])
            return [self._entries[one.id] for one in found if one.id in self._entries]

    def _read(self, missing: Sequence[OpenProposal]) -> None:
        if not missing:
            return
        if len(self._entries) + len(missing) > MOST_KEPT:
            self._entries.clear()
        runs = {one.id: one.run for one in missing}
        try:
            shown = reviewable(self._store, list(runs))
        except NotFound:  # one was redacted: leave it out
            shown = []
            for id in runs:
                try:
                    shown += reviewable(self._store, [id])
                except NotFound:
                    continue
        for one in shown:
            self._entries[one.id] = _entry(one, runs[one.id])


def counts(entries: Sequence[Entry], of: Callable[[Entry], str]) -> list[tuple[str, int]]:
    """Return the value → number of entries, most first."""
    return Counter(of(entry) for entry in entries).most_common()


def _entry(one: Reviewable, run: str) -> Entry:
    proposal = one.proposal
    answer = proposal.changes.get("answer_0")
    new = answer.new if answer else ""
    if proposal.outcome is Outcome.reported:
        new = proposal.candidates[0].text
    rest = [f"{c}: {v.old} → {v.new}" for c, v in proposal.changes.items() if c != "answer_0"]
    return Entry(
        id=one.id,
        run=run,
        question=one.row.text,
        outcome=proposal.outcome.value,
        risk=proposal.risk,
        confidence=proposal.confidence,
        fact_type=one.row.fact_type,
        flags=proposal.flags,
        stored=one.row.primary,
        answer=new,
        other="" if new else "; ".join(rest),
        bulk=has_value(proposal) and not never_automatic(proposal, one.row),
        classes=risky_classes(proposal, one.row),
    )
