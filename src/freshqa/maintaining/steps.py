"""Cost and effect of each step of a check, from the rounds in the ledger."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from freshqa.checking.acquisition import keeps
from freshqa.checking.policy_features import risk_of
from freshqa.checking.round import Move
from freshqa.json_record import JsonRecord

COMPUTED = "computed"
ORDER = (Move.search, Move.read, Move.answer, Move.search_again, Move.revise)
"""Steps by price."""


@dataclass
class Step(JsonRecord):
    """Sums over the checks of a run, of one step.

    Attributes:
        taken: How often it was taken.
        changed: How often a decision afterwards was another one than before. Of pages that were
            read before the first answer: how often the risk crossed the line between keeping the
            stored answer and asking a person.
        searches, pages, completions: Calls and pages, reused ones included.
        cost_usd: Money, of calls that were paid.
    """

    taken: int = 0
    changed: int = 0
    searches: int = 0
    pages: int = 0
    completions: int = 0
    cost_usd: Decimal = Decimal(0)


@dataclass
class StepReport:
    """Cost and effect of the checks of a run, step by step.

    Attributes:
        steps: `computed`, or the value of a `Move` → its sums.
        second: How often a second opinion was asked for, agreed, and changed the outcome.
    """

    steps: defaultdict[str, Step] = field(default_factory=lambda: defaultdict(Step))
    second: Counter[str] = field(default_factory=Counter)

    def add_computed(self, *, changes: bool) -> None:
        """Count a check that needed no search, and whether it gave another answer."""
        self.steps[COMPUTED].taken += 1
        self.steps[COMPUTED].changed += changes

    def add(self, rounds: tuple[Mapping[str, Any], ...]) -> None:
        """Count the steps of one check."""
        if opinion := rounds[-1].get("second") if rounds else None:
            self.second["taken"] += 1
            self.second["agreed"] += opinion["agrees"] is True
            self.second["changed"] += opinion["changed"]
        before: Mapping[str, Any] = {}
        step = Move.answer.value
        for record in rounds:
            moves = self._acquired(record)
            stopped = bool(moves) and moves[-1] in (Move.keep.value, Move.escalate.value)
            if moves and stopped:
                self._spend(Move.search.value, record, before, moves)
                return
            self.steps[step].taken += 1
            self._spend(step, record, before, moves)
            self.steps[step].changed += _decides(record) != _decides(before)
            before, step = record, str(record.get("move"))

    def _acquired(self, record: Mapping[str, Any]) -> list[str]:
        """Count the search and the pages before an answer; returns all moves before it."""
        acquired = record.get("acquired", ())
        moves = [str(taken["move"]) for taken in acquired]
        for place, move in enumerate(moves):
            self.steps[move].taken += move in (Move.search.value, Move.read.value)
            if move == Move.read.value and place + 1 < len(moves):
                then, now = (risk_of(acquired[n]["features"]) for n in (place, place + 1))
                self.steps[move].changed += keeps(then) != keeps(now)
        return moves

    def _spend(
        self, step: str, record: Mapping[str, Any], before: Mapping[str, Any], moves: list[str]
    ) -> None:
        now, then = record.get("spent", {}), before.get("spent", {})
        searches = now.get("searches", 0) - then.get("searches", 0)
        if not before and searches:  # the first search is a step of its own
            self.steps[Move.search.value].searches += 1
            searches -= 1
        self.steps[step].searches += searches
        self.steps[step].completions += now.get("completions", 0) - then.get("completions", 0)
        read = Move.read.value if Move.read.value in moves else step
        self.steps[read].pages += now.get("pages", 0) - then.get("pages", 0)
        paid = Decimal(now.get("usd", "0")) - Decimal(then.get("usd", "0"))
        self.steps[step].cost_usd += paid

    def to_json(self) -> dict[str, Any]:
        """Return the shape of `steps` in `refresh --json`, in the order of the steps."""
        names = (COMPUTED, *(move.value for move in ORDER))
        steps = {name: self.steps[name].to_json() for name in names if self.steps[name].taken}
        return {**steps, "second-opinion": dict(self.second)} if self.second else steps


def _decides(record: Mapping[str, Any]) -> tuple[Any, ...]:
    """The decision after a round; before the first answer the stored one is kept."""
    if not record:
        return (True, True)
    guarded = all(guard["passed"] for guard in record.get("guards", ()))
    return (record.get("agrees"), True) if record.get("agrees") else (record.get("answer"), guarded)
