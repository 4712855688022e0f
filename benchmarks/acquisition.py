"""What the steps of a check find and cost on the recorded windows.

    python -m benchmarks.acquisition [--show]

`everything` takes every step for every row: the search, the pages behind it, the further searches
(recent pages, whether there are sub-questions, a statement), an answer and another answer. `default`
is a refresh with `--read-pages`: the calendar first, pages where the risk is not low, further searches
while the row is uncertain. `needed` is that with `--stop-early`: no answer where it would not be worth
its cost. The answers are those of a made-up reader that always
gives the answer of 2024-03-11 (`knows`) or always the stored one (`remembers`): no recording has a
model's responses beside its evidence. Further searches and pages were not recorded either; they add
nothing here and are counted nevertheless. `found` is a changed fact whose outcome is not `unchanged`.
`calls` are searches and completions; `pages` are rows whose pages were read.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timezone
from typing import Any

from benchmarks.checking_data import SEARCHED_ON, WINDOWS, Case, cases
from freshqa.answering.further_search import FurtherSearch
from freshqa.answering.language_model import Completion, Message
from freshqa.answering.response import Response
from freshqa.answering.settings import DEFAULT_ROUNDS, SETTINGS
from freshqa.checking.change_rate import ChangeHistory
from freshqa.checking.loop import Tools
from freshqa.evidence.search_engine import SearchResult
from freshqa.maintaining.proposal import CheckedQuestion, Outcome
from freshqa.maintaining.recheck import CheckSettings, Helpers, recheck
from freshqa.maintaining.without_search import check_without_search

NOW = datetime.combine(SEARCHED_ON, datetime.min.time(), timezone.utc)
EMPTY = {"search_information": {"organic_results_state": "Fully empty"}, "organic_results": []}
PAGES = "rows with pages"
PRICES = {"search": 0.015, "completion": 0.01}
"""Dollars: SerpApi's as the block has it; 3,500 tokens of a prompt at 2.50 dollars a million, and the
reply, are about a cent."""
ASKED_AGAIN = 2
"""Rounds when everything is done; a refresh asks `DEFAULT_ROUNDS` times."""


@dataclass
class Providers:
    """The recorded search and a made-up reader; both count their calls."""

    case: Case
    answer: str
    calls: Counter[str] = field(default_factory=Counter)
    name: str = "made-up"

    def __post_init__(self) -> None:
        self.evidence = self.case.evidence

    def search(self, query: str, *, as_of: date) -> SearchResult:
        """The recorded search for the question itself, nothing for other words."""
        if query == self.case.question.text:
            return self.case.search
        self.calls["further search"] += 1
        return SearchResult("serpapi", query, EMPTY, NOW)

    def complete(self, messages: Sequence[Message], **asked: Any) -> Completion:
        """Ask no sub-question."""
        self.calls["sub-question"] += 1
        return Completion("No.\nSo the final answer is: unknown", self.name, "0" * 64, NOW)

    def ask(self, feedback: str, prior: Response | None) -> Response:
        """Give the answer, whatever was read."""
        self.calls["another answer" if prior else "answer"] += 1
        reply = Completion(self.answer, self.name, "0" * 64, NOW)
        return Response(
            question=self.case.question.text,
            method="freshprompt",
            text=self.answer,
            answer=self.answer,
            evidence=self.evidence,
            searches=(self.case.search,),
            completions=(*(prior.completions if prior else ()), reply),
            premise_rejected=self.case.question.false_premise,
        )

    def read(self) -> Response:
        """Count the pages behind the search; nothing of them was recorded."""
        self.calls[PAGES] += 1
        return self.response()

    def look_up(self) -> Response:
        """The recorded search alone."""
        self.calls["search"] += 1
        return self.response()

    def response(self) -> Response:
        text = self.case.question.text
        return Response(text, "none", "", "", self.evidence, searches=(self.case.search,))


def check(
    case: Case, answer: str, *, rounds: int = DEFAULT_ROUNDS, stop_early: bool = False
) -> tuple[CheckedQuestion, Mapping[str, int]]:
    """Check a case by the loop of a refresh; returns the calls made as well."""
    asked = Providers(case, answer)
    question = case.question.with_key(case.lineage)
    known = check_without_search(question, as_of=SEARCHED_ON, what="calendar")
    if known is not None and rounds == DEFAULT_ROUNDS:
        return known, asked.calls
    further = FurtherSearch(question, SEARCHED_ON, asked, asked, SETTINGS["best"])
    tools = Tools(asked.look_up, asked.ask, lambda: True, further, asked.read)
    checked = recheck(
        question,
        as_of=SEARCHED_ON,
        ask=asked.ask,
        settings=CheckSettings(rounds, stop_early=stop_early),
        history=ChangeHistory(0, 0.0, date.fromisoformat(case.window)),
        helpers=Helpers(tools=tools),
    )
    return checked, asked.calls


def everything(case: Case, answer: str) -> Counter[str]:
    """Return the calls of every step, taken whatever the one before has shown."""
    asked = Providers(case, answer)
    question = case.question.with_key(case.lineage)
    further = FurtherSearch(question, SEARCHED_ON, asked, asked, SETTINGS["best"])
    asked.look_up()
    further(asked.read())
    asked.ask("again", asked.ask("", None))
    return asked.calls


def dollars(spent: Counter[str]) -> float:
    """Return what calls cost at `PRICES`."""
    searches = sum(spent[call] for call in ("search", "further search"))
    answers = spent.total() - spent[PAGES] - searches
    return PRICES["search"] * searches + PRICES["completion"] * answers


def line(
    name: str, rows: Sequence[tuple[Case, CheckedQuestion]], spent: Counter[str], full: Counter[str]
) -> str:
    flagged = [case for case, result in rows if result.outcome is not Outcome.unchanged]
    changed_and_flagged = sum(case.changed for case in flagged)
    changed = sum(case.changed for case, _ in rows)
    calls, most = (each.total() - each[PAGES] for each in (spent, full))
    return (
        f"| {name} | {len(rows)} | {changed} | {changed_and_flagged} | {len(flagged) - changed_and_flagged} | {calls} "
        f"| {calls / most:.1%} | {calls / max(1, changed_and_flagged):.1f} | {dollars(spent) / max(1, changed_and_flagged):.2f} "
        f"| {spent[PAGES]} | {spent[PAGES] / full[PAGES]:.1%} |"
    )


def window(start: str, reader: str, show: bool) -> None:
    """Print the rows of one window and reader."""
    known = cases([start])
    answers = [c.answers_now[0] if reader == "knows" else c.question.primary for c in known]
    pairs = list(zip(known, answers, strict=True))
    full = [(case, check(case, answer, rounds=ASKED_AGAIN)) for case, answer in pairs]
    most = sum((everything(case, answer) for case, answer in pairs), Counter[str]())
    print(line(f"{start}, {reader}, everything", _checks(full), most, most))
    some = [(case, check(case, answer)) for case, answer in pairs]
    print(line(f"{start}, {reader}, default", _checks(some), _calls(some), most))
    short = [(case, check(case, answer, stop_early=True)) for case, answer in pairs]
    spent = _calls(short)
    print(line(f"{start}, {reader}, needed", _checks(short), spent, most))
    print(f"<!-- everything {dict(most)}, needed {dict(spent)} -->", file=sys.stderr)
    if show:
        for (case, (before, _)), (_, (after, _)) in zip(full, short, strict=True):
            if case.changed and before.outcome is not after.outcome:
                print(
                    f"  other outcome: {case.question.text} | {before.outcome} | {after.risk:.3f}"
                )


Checked = Sequence[tuple[Case, tuple[CheckedQuestion, Mapping[str, int]]]]


def _checks(rows: Checked) -> list[tuple[Case, CheckedQuestion]]:
    return [(case, checked) for case, (checked, _) in rows]


def _calls(rows: Checked) -> Counter[str]:
    return sum((Counter(calls) for _, (_, calls) in rows), Counter[str]())


def main() -> None:
    print(
        "| window, reader, steps | rows | changed | found | false alarms | calls | of everything | calls a change | $ a change ",
        end="",
    )
    print("| pages | of everything |\n|" + "---|" * 11)
    for reader in ("knows", "remembers"):
        for start in WINDOWS:
            window(start, reader, "--show" in sys.argv)


if __name__ == "__main__":
    main()
