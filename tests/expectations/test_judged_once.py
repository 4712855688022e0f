"""Skipping unchanged rows does not change the findings of the gate."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from freshqa.dataset.identity import match
from freshqa.dataset.question import Question, new_key
from freshqa.dataset.release import read_release
from freshqa.dataset.validation import ValidationReport
from freshqa.facts.same_fact import is_replaced
from freshqa.maintaining.deterministic.known_dates import dates_by_event
from freshqa.maintaining.deterministic.recompute import may_follow, recompute, recompute_all
from freshqa.maintaining.siblings import sibling_premises, siblings
from prefect_freshqa.expectations.custom.together import disagreeing, left_behind, miscomputed
from prefect_freshqa.expectations.evaluate import evaluate
from prefect_freshqa.expectations.frame import official_columns
from prefect_freshqa.expectations.gate import base_suites, report, suites, validate

DAY, BASE_DAY = date(2025, 3, 10), date(2025, 3, 3)
SOUND = {
    "split": "TEST",
    "effective_year": "2024",
    "next_review": "occasionally",
    "false_premise": "FALSE",
    "num_hops": "one-hop",
    "fact_type": "slow-changing",
    "source": "https://example.org/guild",
}
WORDINGS = (
    "Who leads the Lantern Guild?",
    "Who leads the Lamp Guild?",
    "Who won Voices this year?",
    "Who won Idols this year?",
    "How old is Mira Vale?",
    "When was Mira Vale born?",
    "What month is it?",
    "Which river floods Wend?",
)
CELLS = {
    "question": (*WORDINGS, "Who leads the Lantern Guild", ""),
    "answer_0": ("Mira Vale", "Oren Dask", "March 4, 1999", "26", "March", "=1+1", ""),
    "answer_1": ("M. Vale", "25 years", "4/4/1999", " two  spaces ", "21-Nov", ""),
    "answer_3": ("The show has not aired this year.", ""),
    "next_review": ("occasionally", "03/05/2025", "03/09/2025", "24-Nov", "N/A", ""),
    "effective_year": ("2024", "2025", "2031", "before 2022"),
    "false_premise": ("TRUE", "FALSE", "MAYBE"),
    "fact_type": ("slow-changing", "fast-changing", "never-changing", "quick"),
    "split": ("TEST", "DEV", ""),
    "source": ("https://example.org/guild", "http://example.org/a", "nowhere", ""),
    "note": ("", "a"),
}


def every_rule_on_every_row(
    draft: Sequence[Question],
    base: Sequence[Question],
    *,
    as_of: date = DAY,
    base_as_of: date = BASE_DAY,
) -> ValidationReport:
    before = evaluate(base_suites(base, as_of=base_as_of))
    now = evaluate(suites(draft, as_of=as_of, base=base, base_as_of=base_as_of))
    return report(now, {violation.place for violation in before.violations})


@cache  # an XLSX file takes half a second to read
def rows(folder: Path, name: str, repair: str = "certain") -> Sequence[Question]:
    questions = read_release(folder / "freshqa" / name, repair=repair).questions
    return [question.with_key(new_key(question.text)) for question in questions]


@pytest.mark.real_data
@pytest.mark.parametrize(
    ("old", "base_as_of", "new", "as_of", "repair"),
    [
        ("v11132023.csv", date(2023, 11, 13), "v11232023.csv", date(2023, 11, 23), "certain"),
        ("v11232023.csv", date(2023, 11, 23), "v02052024.csv", date(2024, 2, 5), "certain"),
        ("v03042024.csv", date(2024, 3, 4), "v03112024.csv", date(2024, 3, 11), "certain"),
        ("v04082024.jsonl", date(2024, 4, 8), "v05272024.xlsx", date(2024, 5, 27), "certain"),
        ("v05272024.xlsx", date(2024, 5, 27), "v04072025.csv", date(2025, 4, 7), "certain"),
        (
            "v11132023.csv",
            date(2023, 11, 13),
            "v11232023_excel_gbk.csv",
            date(2023, 11, 23),
            "none",
        ),
        ("v11232023_excel_gbk.csv", date(2023, 11, 23), "v02052024.csv", date(2024, 2, 5), "none"),
        ("v04072025.csv", date(2025, 4, 7), "v11242025_excel.csv", date(2025, 11, 24), "none"),
    ],
)
def test_real_and_damaged_releases_give_the_same_findings(
    shared_data: Path, old: str, base_as_of: date, new: str, as_of: date, repair: str
) -> None:
    base = rows(shared_data, f"FreshQA_{old}", repair)
    draft = match(rows(shared_data, f"FreshQA_{new}", repair), base).questions
    judged = validate(draft, as_of=as_of, base=base, base_as_of=base_as_of)
    assert judged == every_rule_on_every_row(draft, base, as_of=as_of, base_as_of=base_as_of)
    assert judged.known, "without a mistake in both, nothing is compared"


def edited(cells: Mapping[int, Mapping[str, str]]) -> list[Question]:
    start = [
        Question({**SOUND, "question": wording, "answer_0": "Mira Vale"}, key=f"q-{number}")
        for number, wording in enumerate(WORDINGS)
    ]
    return [row.with_changes(cells.get(number, {})) for number, row in enumerate(start)]


edits = st.dictionaries(
    st.integers(0, len(WORDINGS) - 1),
    st.sampled_from(sorted(CELLS)).flatmap(
        lambda column: st.fixed_dictionaries({column: st.sampled_from(CELLS[column])})
    ),
    max_size=6,
)


@settings(max_examples=25, deadline=None)
@given(before=edits, now=edits, twin=st.booleans(), same_day=st.booleans(), lost=st.integers(0, 2))
def test_random_edits_of_base_and_draft_give_the_same_findings(
    before: dict[int, dict[str, str]],
    now: dict[int, dict[str, str]],
    twin: bool,
    same_day: bool,
    lost: int,
) -> None:
    base = edited(before)
    draft = [row.with_changes(now.get(number, {})) for number, row in enumerate(base)][lost:]
    if twin:
        draft.append(draft[0].with_changes({"question": "Who chairs the court of Wend?"}))
    base_as_of = DAY if same_day else BASE_DAY
    judged = validate(draft, as_of=DAY, base=base, base_as_of=base_as_of)
    assert judged == every_rule_on_every_row(draft, base, base_as_of=base_as_of)


@settings(max_examples=50, deadline=None)
@given(before=edits, now=edits)
def test_rules_that_read_part_of_the_rows_give_the_findings_of_all_rows(
    before: dict[int, dict[str, str]], now: dict[int, dict[str, str]]
) -> None:
    old, new = edited(before), edited(now)
    frame = official_columns(new)
    computed = recompute_all(new, as_of=DAY)
    read = ["question", "answer_0", "false_premise", "source", "next_review"]
    assert miscomputed(frame[read], DAY) == {
        at for at, answer in enumerate(computed) if answer is not None and not answer.agrees
    }
    assert disagreeing(frame[["question", "false_premise", "answer_0"]]) == {
        position for pair in sibling_premises(new) for position in pair
    }
    columns = official_columns(old)[["question", "answer_0", "source", "false_premise"]]
    moved = [
        bool(row.primary) and is_replaced(was.primary, row.primary)
        for was, row in zip(old, new, strict=True)
    ]
    stayed = {
        at
        for pair in siblings(old, apart=moved)
        for at in pair
        if not moved[at] and new[at].primary
    }
    assert left_behind(columns.assign(now=frame["answer_0"])) == stayed


words = st.sampled_from("when was is what how old the age of which date on born Mira in".split())


@given(st.lists(words, max_size=6), st.sampled_from(["", "«", "  ", "'", "$"]))
def test_a_wording_that_the_prefilter_skips_gives_no_computed_answer(
    wording: list[str], before: str
) -> None:
    for first in (wording, [word.title() for word in wording]):
        text = before + " ".join(first) + "?"
        row = Question({**SOUND, "question": text, "answer_0": "March 4, 1999"}, key="q")
        if not may_follow(text):
            assert dates_by_event([row]) == {}
            assert recompute(row, as_of=DAY, events={"mira born": DAY}) is None
