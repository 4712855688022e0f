"""How far do words agree with a model's verdicts? 500 real answers, judged by both.

    python benchmarks/lexical_judge.py

The answers are FreshPrompt's of June 2024 (gpt-3.5-turbo-1106) with GPT-4-turbo's relaxed verdicts
against the release of 2024-03-11. Prints the agreement of the lexical judge with them by premise, two
simpler rules beside it, the paper's table for the recorded verdicts, and the same answers judged by
words against every release: what a fixed set of answers is worth as facts move.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import date
from pathlib import Path

from freshqa.dataset.identity import match
from freshqa.dataset.question import Question
from freshqa.dataset.release import read_release
from freshqa.evaluation.agreement import agreements
from freshqa.evaluation.breakdown import breakdown
from freshqa.evaluation.cases import Case, Gold, judge_case
from freshqa.evaluation.golds import Measure
from freshqa.evaluation.judgement import Judgement, Mode, Verdict
from freshqa.evaluation.lexical import LexicalJudge
from freshqa.evaluation.memory import memory
from freshqa.evaluation.presentation import title
from freshqa.evaluation.recorded import RecordedJudge, Verdicts, read_verdicts
from freshqa.evaluation.responses import Paired, pair, read_responses

DATA = Path(
    os.environ.get("FRESHQA_TEST_DATA", Path(__file__).parent.parent.parent / "shared" / "data")
)
LABELS = DATA / "labels" / "gpt-3.5-turbo-1106_freshprompt_2024-06-07.jsonl"
RELEASES = {
    "2023-11-13": "FreshQA_v11132023.csv",
    "2024-02-05": "FreshQA_v02052024.csv",
    "2024-03-11": "FreshQA_v03112024.csv",
    "2024-04-08": "FreshQA_v04082024.jsonl",
    "2024-05-27": "FreshQA_v05272024.xlsx",
    "2025-04-07": "FreshQA_v04072025.csv",
}
JUDGED_BY = "2024-03-11"


def releases() -> dict[str, dict[str, Question]]:
    """Return the date → key → row, with the same keys in every release."""
    by_day: dict[str, dict[str, Question]] = {}
    base: tuple[Question, ...] = ()
    for day, name in RELEASES.items():
        base = match(read_release(DATA / "freshqa" / name).questions, base).questions
        by_day[day] = {question.key: question for question in base}
    return by_day


def judge_all(paired: Paired, rows: Mapping[str, Question], day: str, judge) -> list[Judgement]:
    """Relaxed verdicts on every response whose question the release holds."""
    return [
        judge_case(
            Case(Gold(rows[q.key], 1, date.fromisoformat(day)), given.text),
            judge,
            mode=Mode.relaxed,
        )
        for q, given in paired.pairs
        if q.key in rows
    ]


def rule(name: str, holds: Callable[[str, str], bool]):
    """A judge by one rule over the accepted answers, for comparison."""

    class Rule:
        def judge(self, question: Question, response: str, *, mode: Mode) -> Judgement:
            is_held = any(holds(answer, response) for answer in question.answers)
            verdict = Verdict.correct if is_held else Verdict.incorrect
            return Judgement(question.text, verdict, mode, name, key=question.key)

    judge = Rule()
    judge.name = name  # type: ignore[attr-defined]
    return judge


def substring(answer: str, response: str) -> bool:
    return answer.lower() in response.lower()


def bounded(answer: str, response: str) -> bool:
    folded = [" ".join(re.findall(r"\w+", text.lower())) for text in (answer, response)]
    return f" {folded[0]} " in f" {folded[1]} "


def as_verdicts(name: str, judged: list[Judgement]) -> Verdicts:
    return Verdicts(name, {(j.mode, j.key): j for j in judged})


def main() -> None:
    golds = releases()
    rows = golds[JUDGED_BY]
    paired = pair(read_responses(LABELS).responses, list(rows.values()), split="")
    recorded = read_verdicts(LABELS, name="GPT-4-turbo")
    people = judge_all(paired, rows, JUDGED_BY, RecordedJudge(recorded))
    print(f"{len(people)} answers, {Counter(j.verdict.value for j in people)}")
    false = {key for key, row in rows.items() if row.false_premise}
    reference = as_verdicts("GPT-4-turbo", people)
    judges = (LexicalJudge(), rule("substring", substring), rule("token boundaries", bounded))
    print("\n| judge | premise | judged | left unrated | same verdict, % | kappa |")
    print("|---|---|---|---|---|---|")
    for judge in judges:
        judged = as_verdicts(judge.name, judge_all(paired, rows, JUDGED_BY, judge))
        for row in agreements([reference, judged], false_premise=false):
            if row.premise != "overall":
                rate = row.kappa.rate
                print(f"| {judge.name} | {row.premise} | {rate.n} | {rate.left_out} |"
                      f" {rate} | {row.kappa} |")  # fmt: skip
    confusion(people, as_verdicts("lexical", judge_all(paired, rows, JUDGED_BY, judges[0])), false)
    print("\n| questions | n | % |\n|---|---|---|")
    for cell in breakdown(people, rows, mode=Mode.relaxed).cells:
        print(f"| {title(cell.column.group, cell.column.label)} | {cell.rate.n} | {cell.rate} |")
    over_versions(golds, paired)


def confusion(people: list[Judgement], judged: Verdicts, false: set[str]) -> None:
    """How often a find is credited by the model too, and what a miss is worth."""
    pairs: Counter[tuple[str, str]] = Counter()
    for recorded in people:
        ours = judged.by_question.get((Mode.relaxed, recorded.key))
        if ours is not None and recorded.key not in false:
            pairs[ours.verdict.value, recorded.verdict.value] += 1
    print(f"\nValid premises, verdicts of (lexical, GPT-4-turbo): {dict(pairs)}")


def over_versions(golds: Mapping[str, Mapping[str, Question]], paired: Paired) -> None:
    """The same answers against every release, by words: accuracy on what changed since the first."""
    print("\n| release | judged | valid premise, % | changed since 2023-11-13, % (n) | unchanged, % "
          "| gives the former answer, % (n) |\n|---|---|---|---|---|---|")  # fmt: skip
    first = Measure(1, date.fromisoformat("2023-11-13"), golds["2023-11-13"])
    for day, rows in golds.items():
        judged = judge_all(paired, rows, day, LexicalJudge())
        valid = breakdown(judged, rows, mode=Mode.relaxed).cell("valid")
        split = memory(judged, rows, mode=Mode.relaxed, since=replace(first))
        print(f"| {day} | {len(judged)} | {valid} | {split.changed} (n {split.changed.n}) |"
              f" {split.unchanged} | {split.repeats} (n {split.repeats.n}) |")  # fmt: skip


if __name__ == "__main__":
    main()
