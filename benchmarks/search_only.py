"""What a refresh with `search-only` finds on real transitions and recorded searches.

    python benchmarks/search_only.py [--show]

flagged: a changed fact that does not come out `unchanged`. missed: one that does. false alarm: an
unchanged fact that does not. Policy `assisted` then decides every proposal; accepting an `unchanged`
for a fact that has changed contradicts the truth. `--show` lists misses.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, datetime, timezone
from typing import Any

from checking_data import SEARCHED_ON, WINDOWS, Case, cases

from freshqa.answering.methods import answer
from freshqa.checking.change_rate import ChangeHistory
from freshqa.evidence.search_engine import SearchResult
from freshqa.maintaining.acceptance_policy import decide_by_policy
from freshqa.maintaining.proposal import Action, CheckedQuestion, Outcome
from freshqa.maintaining.recheck import recheck

NOW = datetime.combine(SEARCHED_ON, datetime.min.time(), timezone.utc)


@dataclass(frozen=True)
class Recorded:
    """One recorded search, whatever is asked."""

    result: SearchResult
    name: str = "recorded"

    @property
    def parameters(self) -> Mapping[str, Any]:
        return {}

    def search(self, query: str, *, as_of: date) -> SearchResult:
        return self.result


def check(case: Case, known: bool) -> CheckedQuestion:
    """Check a case; `known`: the ledger knows when the question was last checked."""
    history = ChangeHistory(0, 0.0, date.fromisoformat(case.window)) if known else None
    return recheck(
        case.question.with_key(case.lineage),
        as_of=SEARCHED_ON,
        history=history,
        ask=lambda feedback, prior: answer(
            case.question.text,
            method="search-only",
            as_of=SEARCHED_ON,
            search=Recorded(case.search),
        ),
    )


def report(window: str, show: bool) -> None:
    counts: Counter[tuple[str, bool, bool]] = Counter()
    outcomes: Counter[tuple[bool, str]] = Counter()
    accepted = contradicted = 0
    for case in cases([window]):
        checked = check(case, known=True)
        kind = "false premise" if case.question.false_premise else case.question.fact_type
        flagged = checked.outcome is not Outcome.unchanged
        counts[kind, case.changed, flagged] += 1
        outcomes[case.changed, checked.outcome.value] += 1
        if show and case.changed and not flagged:
            print(f"  missed: {case.question.text} | {case.question.primary} | {checked.risk:.3f}")
        if checked.proposal is None:
            continue
        row = case.question.with_key(case.lineage)
        decided = decide_by_policy(checked.proposal, row, policy="assisted", now=NOW)
        if decided.action is Action.accept:
            accepted += 1
            contradicted += case.changed
    print(
        f"\n| {window} → | rows | changed | flagged | missed | false alarms |\n|---|---|---|---|---|---|"
    )
    for kind in ("fast-changing", "slow-changing", "never-changing", "false premise"):
        hit, miss = counts[kind, True, True], counts[kind, True, False]
        alarm, quiet = counts[kind, False, True], counts[kind, False, False]
        rows = hit + miss + alarm + quiet
        name = kind.removesuffix("-changing")
        print(f"| {name} | {rows} | {hit + miss} | {hit} | {miss} | {alarm} |")
    print("\nOutcomes, changed:", {o: n for (c, o), n in sorted(outcomes.items()) if c})
    print("Outcomes, unchanged:", {o: n for (c, o), n in sorted(outcomes.items()) if not c})
    print(f"`assisted` accepts {accepted}; of these, {contradicted} contradict the truth.")


if __name__ == "__main__":
    for start in WINDOWS:
        report(start, "--show" in sys.argv)
