"""What each step of a check cost and changed, from the rounds that the ledger keeps."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any

from freshqa.checking.round import Move


@dataclass
class StepReport:
    """Sums over the checks of a run, by step.

    Attributes:
        taken: Step → how often it was taken.
        changed: Step → how often a decision afterwards was another one than before.
        searches, completions: Step → calls, reused ones included.
        usd: Step → money, of calls that were paid.
        second: How often a second opinion was asked for, agreed, and changed the outcome.
    """

    taken: Counter[str] = field(default_factory=Counter)
    changed: Counter[str] = field(default_factory=Counter)
    searches: Counter[str] = field(default_factory=Counter)
    completions: Counter[str] = field(default_factory=Counter)
    usd: dict[str, Decimal] = field(default_factory=dict)
    second: Counter[str] = field(default_factory=Counter)

    def add(self, rounds: tuple[Mapping[str, Any], ...]) -> None:
        """Count the steps of one check."""
        opinion = rounds[-1].get("second") if rounds else None
        if opinion:
            self.second["taken"] += 1
            self.second["agreed"] += opinion["agrees"] is True
            self.second["changed"] += opinion["changed"]
        before: Mapping[str, Any] = {}
        step = Move.answer.value
        for one in rounds:
            moves = [taken["move"] for taken in one.get("acquired", ())]
            if Move.search.value in moves:
                self.taken[Move.search.value] += 1
            stopped = bool(moves) and moves[-1] in (Move.keep.value, Move.escalate.value)
            if moves and stopped:
                self._spend(Move.search.value, one, before)
                return
            self.taken[step] += 1
            self._spend(step, one, before)
            self.changed[step] += _decides(one) != _decides(before)
            before, step = one, str(one.get("move"))

    def _spend(self, step: str, one: Mapping[str, Any], before: Mapping[str, Any]) -> None:
        now, then = one.get("spent", {}), before.get("spent", {})
        searches = now.get("searches", 0) - then.get("searches", 0)
        if not before and searches:  # the first search is a step of its own
            self.searches[Move.search.value] += 1
            searches -= 1
        self.searches[step] += searches
        self.completions[step] += now.get("completions", 0) - then.get("completions", 0)
        paid = Decimal(now.get("usd", "0")) - Decimal(then.get("usd", "0"))
        self.usd[step] = self.usd.get(step, Decimal(0)) + paid

    def to_json(self) -> dict[str, Any]:
        """Return the shape of `steps` in `refresh --json`, in the order of the steps."""
        steps = {step: dict(figures) for step, figures in self._rows()}
        return {**steps, "second-opinion": dict(self.second)} if self.second else steps

    def _rows(self) -> Iterator[tuple[str, Mapping[str, Any]]]:
        for move in (Move.search, Move.answer, Move.search_again, Move.revise):
            step = move.value
            if self.taken[step]:
                yield (
                    step,
                    {
                        "taken": self.taken[step],
                        "changed": self.changed[step],
                        "searches": self.searches[step],
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
