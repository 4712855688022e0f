"""Real releases break only the documented error rules, and known mistakes are found."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import date
from pathlib import Path

import pytest

from freshqa.dataset.identity import match
from freshqa.dataset.question import Question, new_key
from freshqa.dataset.release import read_release
from freshqa.maintaining.deterministic.recompute import recompute_all
from prefect_freshqa.expectations.gate import validate

pytestmark = pytest.mark.real_data


def rows(folder: Path, name: str, repair: str = "certain") -> Sequence[Question]:
    questions = read_release(folder / "freshqa" / name, repair=repair).questions
    return [question.with_key(new_key(question.text)) for question in questions]


@pytest.mark.parametrize(
    ("name", "day", "errors"),
    [
        ("FreshQA_v11132023.csv", date(2023, 11, 13), {"answers-contiguous": 3, "text-plain": 1}),
        ("FreshQA_v05272024.xlsx", date(2024, 5, 27), {}),
        ("FreshQA_v04072025.csv", date(2025, 4, 7), {}),
    ],
)
def test_undamaged_releases_break_only_the_documented_error_rules(
    shared_data: Path, name: str, day: date, errors: dict[str, int]
) -> None:
    report = validate(rows(shared_data, name), as_of=day)
    assert dict(Counter(error.rule for error in report.errors)) == errors
    assert report.success is not bool(errors)


def test_a_damaged_copy_is_refused_for_its_damage(shared_data: Path) -> None:
    damaged = rows(shared_data, "FreshQA_v11232023_excel_gbk.csv", repair="none")
    counts = Counter(error.rule for error in validate(damaged, as_of=date(2023, 11, 23)).errors)
    assert counts["text-no-spreadsheet-date"] == 143
    assert counts["text-encoding"] >= 35
    assert counts["review-readable"] == 3


def test_a_real_week_passes_with_warnings_for_its_known_mistakes(shared_data: Path) -> None:
    base = rows(shared_data, "FreshQA_v03042024.csv")
    draft = match(rows(shared_data, "FreshQA_v03112024.csv"), base).questions
    report = validate(draft, as_of=date(2024, 3, 11), base=base, base_as_of=date(2024, 3, 4))
    assert report.success
    assert {(w.rule, w.question, w.value) for w in report.warnings} == {
        ("answer-not-ahead-of-review", "What is the latest version of Android?", "Android 15"),
        ("age-follows-anniversary", "How old is the most-followed user on TikTok?", "23 years old"),
        ("answer-computed", "How old is the most-followed user on TikTok?", "23 years old"),
    }
    assert len(report.known) > 30


@pytest.mark.parametrize(
    ("name", "day", "computed", "wrong"),
    [
        ("FreshQA_v11132023.csv", date(2023, 11, 13), 15, ["Veterans Day"]),
        ("FreshQA_v11232023.csv", date(2023, 11, 23), 15, []),
        ("FreshQA_v02052024.csv", date(2024, 2, 5), 15, []),
        ("FreshQA_v04082024.jsonl", date(2024, 4, 8), 15, []),
        ("FreshQA_v04072025.csv", date(2025, 4, 7), 15, ["Apr 8, 2025", "May 13, 2025"]),
    ],
)
def test_recomputed_answers_disagree_only_with_mistakes(
    shared_data: Path, name: str, day: date, computed: int, wrong: list[str]
) -> None:
    questions = rows(shared_data, name)
    results = recompute_all(questions, as_of=day)
    assert sum(result is not None for result in results) >= computed
    disagree = [
        q.primary
        for q, comparison in zip(questions, results, strict=True)
        if comparison and not comparison.agrees
    ]
    assert disagree == wrong
