"""Findings of the expectation rules in official releases, beside what is known to be wrong.

Read by `expectation_rules.py`, which says what the tables mean.
"""

from __future__ import annotations

import json
import os
import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import lru_cache
from pathlib import Path

from rapidfuzz import fuzz

from freshqa.dataset.identity import match
from freshqa.dataset.question import Question, new_key
from freshqa.dataset.release import read_release
from freshqa.dataset.validation import ValidationReport
from freshqa.dataset.wording import normalised_question
from prefect_freshqa.expectations.gate import validate

DATA = Path(
    os.environ.get("FRESHQA_TEST_DATA", Path(__file__).parent.parent.parent / "shared/data")
)
VERDICTS = Path(__file__).with_name("expectation_verdicts.json")
RELEASES = {
    "2023-11-13": "FreshQA_v11132023.csv",
    "2023-11-23": "FreshQA_v11232023.csv",
    "2024-02-05": "FreshQA_v02052024.csv",
    "2024-03-04": "FreshQA_v03042024.csv",
    "2024-03-11": "FreshQA_v03112024.csv",
    "2024-04-08": "FreshQA_v04082024.jsonl",
    "2024-05-27": "FreshQA_v05272024.xlsx",
    "2025-04-07": "FreshQA_v04072025.csv",
}
"""Releases that no spreadsheet damaged, by the date they speak about."""
DAMAGED = {
    "2023-11-23": "FreshQA_v11232023_excel_gbk.csv",
    "2025-11-24": "FreshQA_v11242025_excel.csv",
}
FINDS = {
    "next_review_overdue": {"review-ahead"},
    "next_event_past": {"answer-computed"},
    "next_review_wrong_month": {"review-ahead", "review-not-back", "changed-review-ahead"},
    "url_in_answer_slot": {"text-no-link", "text-plain"},
    "glued_aliases": {"answers-separate"},
    "date_alternative_typo": {"alternatives-match-primary"},
    "duplicate_date_alternatives": {"answers-distinct"},
    "gap_and_stale_alias": {"answers-contiguous"},
    "effective_year_not_bumped": {"effective-year-follows-answer"},
    "duplicate_alternatives": {"answers-distinct"},
    "sibling_false_premise_inconsistent": {"sibling-premises-agree", "premise-flag-matches-answer"},
    "next_review_malformed": {"review-official-form"},
    "premature_update": {"answer-not-ahead-of-review"},
    "review_date_rolled_without_answer": {"age-follows-anniversary", "answer-computed"},
    "wrong_answer": set(),
    "stale_alternative": {"alternatives-match-primary", "alternatives-rebuilt"},
    "next_review_iso_text": {"review-official-form"},
    "answer_after_release_date": {"answer-computed"},
}
"""Kind of a confirmed mistake → rules that are to find it."""
INFERRING = {
    *json.loads(VERDICTS.read_text(encoding="utf-8")).keys(),
    *("answer-computed", "age-follows-anniversary", "sibling-premises-agree", "answers-separate"),
} - {"what"}
SAME = 90.0
"""Similarity from which a question is the one that a record of a mistake names (it may add words)."""
INTENDED = {
    *("question-kept", "question-known", "wording-kept", "fact-type-kept", "premise-kept"),
    *("draft-order", "row-order", "never-changing-rebuttal-kept", "changed-review-form"),
}
"""Rules that report a change to a reviewer; in a release made by hand these are not mistakes."""


@dataclass
class Tally:
    """What one rule found over all releases, at first sight of each (question, column)."""

    severity: str
    findings: int = 0
    confirmed: int = 0
    real: int = 0
    false: int = 0
    unjudged: list[str] = field(default_factory=list)


def releases() -> Iterator[tuple[str, tuple[Question, ...]]]:
    """Date and questions of each undamaged release, under keys that follow the questions."""
    before: Sequence[Question] = ()
    for day, name in RELEASES.items():
        rows = read_release(DATA / "freshqa" / name, repair="certain").questions
        keyed = [row.with_key(new_key(row.text)) for row in rows]
        rows = match(rows, before).questions if before else tuple(keyed)
        yield day, rows
        before = rows


def judged() -> dict[str, ValidationReport]:
    """Return each release as the gate sees it beside the one before."""
    reports: dict[str, ValidationReport] = {}
    base: tuple[date, Sequence[Question]] | None = None
    for day, rows in releases():
        as_of = date.fromisoformat(day)
        reports[day] = validate(
            rows,
            as_of=as_of,
            base=base[1] if base else None,
            base_as_of=base[0] if base else None,
        )
        base = (as_of, rows)
    return reports


def defects() -> list[tuple[str, str, str]]:
    """Release, wording and kind of each confirmed mistake in the releases at hand."""
    listed = []
    rows = dict(releases())
    with (DATA / "truth" / "defects.jsonl").open(encoding="utf-8") as lines:
        for line in lines:
            record = json.loads(line)
            numbered = re.search(r"\(#(\d+)\)", record["question"])
            if numbered:
                record["question"] = rows[record["version"]][int(numbered[1])].text
            for kind in record["kind"].split("+"):
                listed.append((record["version"], record["question"], kind))
    return [labelled for labelled in listed if labelled[0] in RELEASES]


@lru_cache
def unrepaired(version: str) -> ValidationReport:
    """Return a release by itself, as the file says."""
    rows = read_release(DATA / "freshqa" / RELEASES[version], repair="none").questions
    return validate(rows, as_of=date.fromisoformat(version))


def finds(report: ValidationReport, wording: str, kind: str) -> set[str]:
    """Rules that report the mistake: the kind is theirs and the question is the one named."""
    wanted = normalised_question(wording)
    return {
        v.rule
        for v in (*report.errors, *report.warnings, *report.known)
        if v.rule in FINDS[kind]
        and fuzz.partial_ratio(normalised_question(v.question), wanted) >= SAME
    }


def tally(reports: dict[str, ValidationReport]) -> tuple[dict[str, Tally], list[tuple[str, ...]]]:
    """Findings per rule, and whether each confirmed mistake was found."""
    verdicts = json.loads(VERDICTS.read_text(encoding="utf-8"))
    fates = []
    confirmed: dict[str, set[str]] = defaultdict(set)  # rule → wordings
    for version, wording, kind in defects():
        by = ", ".join(sorted(finds(reports[version], wording, kind)))
        if not by and FINDS[kind]:
            by = ", ".join(sorted(finds(unrepaired(version), wording, kind)))
            by = by and f"{by}, in the file as it stands (the import repairs it)"
        fates.append((version, wording, kind, by or "missed"))
        for rule in FINDS[kind]:
            confirmed[rule].add(normalised_question(wording))
    tallies: dict[str, Tally] = {}
    seen: set[tuple[str, str, str, str]] = set()
    for day, report in reports.items():
        for v in (*report.errors, *report.warnings):
            if not v.key or (v.rule, v.column, v.key, v.value) in seen:
                continue
            seen.add((v.rule, v.column, v.key, v.value))
            tally = tallies.setdefault(v.rule, Tally(v.severity))
            tally.findings += 1
            verdict = verdicts.get(v.rule, {}).get(f"{day}/{v.key}")
            if _named(v.question, confirmed[v.rule]):
                tally.confirmed += 1
            elif verdict:
                tally.real += verdict[0]
                tally.false += not verdict[0]
            elif v.rule in INFERRING:
                tally.unjudged.append(f"{day}/{v.key} {v.question}")
    return tallies, fates


def _named(question: str, wordings: Iterable[str]) -> bool:
    asked = normalised_question(question)
    return any(fuzz.partial_ratio(asked, wording) >= SAME for wording in wordings)
