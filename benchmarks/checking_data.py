"""Real transitions of the benchmark, and the recorded searches of 2024-03-13, as rows to measure on."""

from __future__ import annotations

import json
import os
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timezone
from pathlib import Path
from typing import Any

from freshqa.dataset.question import Question
from freshqa.dataset.release import read_release
from freshqa.dataset.wording import normalised_question
from freshqa.evidence.consolidate import consolidate
from freshqa.evidence.evidence import Evidence
from freshqa.evidence.parsing import parse
from freshqa.evidence.profile import PROFILES
from freshqa.evidence.search_engine import SearchResult

DATA = Path(
    os.environ.get("FRESHQA_TEST_DATA", Path(__file__).parent.parent.parent / "shared" / "data")
)
RELEASES = {
    "2023-11-13": "FreshQA_v11132023.csv",
    "2023-11-23": "FreshQA_v11232023.csv",
    "2024-02-05": "FreshQA_v02052024.csv",
    "2024-03-04": "FreshQA_v03042024.csv",
    "2024-03-11": "FreshQA_v03112024.csv",
}
SEARCHED_ON = date(2024, 3, 13)
LAST_RELEASE = "2024-03-11"
WINDOWS = ("2023-11-13", "2024-02-05", "2024-03-04")
"""Releases from which a window runs to 2024-03-11, the release that the searches fit."""


@dataclass(frozen=True)
class Transition:
    """One question between two consecutive releases."""

    lineage: str
    question: Question
    from_day: date
    to_day: date
    changed: bool
    kinds: tuple[str, ...]
    old_answers: tuple[str, ...]
    new_answers: tuple[str, ...]


@dataclass(frozen=True)
class Case:
    """A stored row of an earlier release, the search of 2024-03-13, and what had become of it."""

    lineage: str
    question: Question
    window: str
    search: SearchResult
    changed: bool
    answers_now: tuple[str, ...]
    premise_now: bool

    @property
    def evidence(self) -> tuple[Evidence, ...]:
        """What a refresh reads of the search with the default profile."""
        findings = parse(self.search)
        return consolidate(findings, question=self.question.text, profile=PROFILES["paper-gpt4"])


def jsonl(path: Path) -> Iterator[dict[str, Any]]:
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            yield json.loads(line)


def releases() -> dict[str, tuple[Question, ...]]:
    return {
        version: read_release(DATA / "freshqa" / name).questions
        for version, name in RELEASES.items()
    }


def transitions() -> list[Transition]:
    """Return every pair of consecutive releases whose earlier one is among `RELEASES`."""
    rows = releases()
    return [
        Transition(
            lineage=record["lineage"],
            question=rows[record["from_version"]][record["old_id"]].with_key(record["lineage"]),
            from_day=date.fromisoformat(record["from_version"]),
            to_day=date.fromisoformat(record["to_version"]),
            changed=record["answer_fact_changed"],
            kinds=tuple(record["kind"]),
            old_answers=tuple(record["old_answers"]),
            new_answers=tuple(record["new_answers"]),
        )
        for record in jsonl(DATA / "truth" / "transitions_2023-11_to_2024-05.jsonl")
        if record["from_version"] in rows
    ]


def searches() -> dict[str, SearchResult]:
    """Normalised question → its recorded search."""
    day = datetime.combine(SEARCHED_ON, datetime.min.time(), timezone.utc)
    return {
        normalised_question(record["question"]): SearchResult(
            engine="serpapi", query=record["question"], body=record["response"], fetched_at=day
        )
        for record in jsonl(DATA / "serp" / "google_2024-03-13_dev.jsonl")
    }


def cases(windows: Sequence[str] = WINDOWS) -> list[Case]:
    """Return every recorded question in every window that ends at 2024-03-11."""
    by_start: dict[str, dict[str, Transition]] = defaultdict(dict)
    for transition in transitions():
        by_start[transition.from_day.isoformat()][transition.lineage] = transition
    recorded = searches()
    now = releases()[LAST_RELEASE]
    by_text = {normalised_question(question.text): question for question in now}
    result = []
    for window in windows:
        steps = [start for start in RELEASES if window <= start < LAST_RELEASE]
        for lineage, first in by_start[window].items():
            chain = [by_start[s][lineage] for s in steps if lineage in by_start[s]]
            answers = chain[-1].new_answers
            text = _latest_text(lineage, by_start)
            search = recorded.get(normalised_question(text))
            if search is None or len(chain) < len(steps):
                continue
            row = by_text.get(normalised_question(text), first.question)
            result.append(
                Case(
                    lineage=lineage,
                    question=first.question,
                    window=window,
                    search=search,
                    changed=any(step.changed for step in chain),
                    answers_now=answers,
                    premise_now=row.false_premise,
                )
            )
    return result


def _latest_text(lineage: str, by_start: dict[str, dict[str, Transition]]) -> str:
    following = by_start[LAST_RELEASE].get(lineage)
    return following.question.text if following else ""
