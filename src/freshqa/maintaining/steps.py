"""What each step of a check cost and changed, from the rounds that the ledger keeps."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from freshqa.checking.acquisition import keeps
from freshqa.checking.policy_features import risk_of
from freshqa.checking.round import Move

COMPUTED = "computed"
ORDER = (Move.search, Move.read, Move.answer, Move.search_again, Move.revise)
"""Steps by price."""


@dataclass
class StepReport:
    """Sums over the checks of a run, by step.

    Attributes:
        taken: Step → how often it was taken.
        changed: Step → how often a decision afterwards was another one than before. Of pages that
            were read before the first answer: how often the risk crossed the line between keeping
            the stored answer and asking a person.
        searches, completions, pages: Step → calls and pages, reused ones included.
        usd: Step → money, of calls that were paid.
        second: How often a second opinion was asked for, agreed, and changed the outcome.
    """

    taken: Counter[str] = field(default_factory=Counter)
    changed: Counter[str] = field(default_factory=Counter)
    searches: Counter[str] = field(default_factory=Counter)
    completions: Counter[str] = field(default_factory=Counter)
    pages: Counter[str] = field(default_factory=Counter)
    usd: dict[str, Decimal] = field(default_factory=dict)
    second: Counter[str] = field(default_factory=Counter)

    def add_computed(self, *, changes: bool) -> None:
        """Count a check that needed no search, and whether it gave another answer."""
        self.taken[COMPUTED] += 1
        self.changed[COMPUTED] += changes

    def add(self, rounds: tuple[Mapping[str, Any], ...]) -> None:
        """Count the steps of one check."""
        if opinion := rounds[-1].get("second") if rounds else None:
            self.second["taken"] += 1
            self.second["agreed"] += opinion["agrees"] is True
            self.second["changed"] += opinion["changed"]
        before: Mapping[str, Any] = {}
        step = Move.answer.value
        for one in rounds:
            moves = self._acquired(one)
            stopped = bool(moves) and moves[-1] in (Move.keep.value, Move.escalate.value)
            if moves and stopped:
                self._spend(Move.search.value, one, before, moves)
                return
            self.taken[step] += 1
            self._spend(step, one, before, moves)
            self.changed[step] += _decides(one) != _decides(before)
            before, step = one, str(one.get("move"))

    def _acquired(self, one: Mapping[str, Any]) -> list[str]:
        """Count the search and the pages before an answer; returns all moves before it."""
        acquired = one.get("acquired", ())
        moves = [str(taken["move"]) for taken in acquired]
        for place, move in enumerate(moves):
            self.taken[move] += move in (Move.search.value, Move.read.value)
            if move == Move.read.value and place + 1 < len(moves):
                then, now = (risk_of(acquired[n]["features"]) for n in (place, place + 1))
                self.changed[move] += keeps(then) != keeps(now)
        return moves

    def _spend(
        self, step: str, one: Mapping[str, Any], before: Mapping[str, Any], moves: list[str]
    ) -> None:
        now, then = one.get("spent", {}), before.get("spent", {})
        searches = now.get("searches", 0) - then.get("searches", 0)
        if not before and searches:  # the first search is a step of its own
            self.searches[Move.search.value] += 1
            searches -= 1
        self.searches[step] += searches
        self.completions[step] += now.get("completions", 0) - then.get("completions", 0)
        read = Move.read.value if Move.read.value in moves else step
        self.pages[read] += now.get("pages", 0) - then.get("pages", 0)
        paid = Decimal(now.get("usd", "0")) - Decimal(then.get("usd", "0"))
        self.usd[step] = self.usd.get(step, Decimal(0)) + paid

    def to_json(self) -> dict[str, Any]:
        """Return the shape of `steps` in `refresh --json`, in the order of the steps."""
        steps = {step: dict(figures) for step, figures in self._rows()}
        return {**steps, "second-opinion": dict(self.second)} if self.second else steps

    def _rows(self) -> Iterator[tuple[str, Mapping[str, Any]]]:
        for step in (COMPUTED, *(move.value for move in ORDER)):
            if self.taken[step]:
                yield (
                    step,
                    {
                        "taken": self.taken[step],
                        "changed": self.changed[step],
                        "searches": self.searches[step],
                        "pages": self.pages[step],
                        "completions": self.completions[step],
                        "cost_usd": str(self.usd.get(step, Decimal(0))),
                    },
                )


def _decides(one: Mapping[str, Any]) -> tuple[Any, ...]:
    """What a round would be decided by; before the first answer the stored one is kept."""
    if not one:
        return (True, True)
    guarded = all(guard["passed"] for guard in one.get("guards", ()))
    return (one.get("agrees"), True) if one.get("agrees") else (one.get("answer"), guarded)
