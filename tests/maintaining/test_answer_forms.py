"""A new fact is written in all forms of the old answers: dates, numbers and names."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from freshqa.dates.forms import STANDARD
from freshqa.dates.mentions import read_date
from freshqa.facts.same_fact import Relation, relation
from freshqa.facts.tokens import fold
from freshqa.maintaining.answer_forms import rebuild_answers

SLOTS = [
    "Nov 1, 2023", "November 1, 2023", "1 Nov 2023", "1 November 2023", "11/01/2023",
    "11-01-2023", "1/11/2023", "1-11-2023", "2023/11/1", "2023-11-1",
]  # fmt: skip


@pytest.mark.parametrize(
    ("old", "new", "answers"),
    [
        (["Feb 24, 2024", "24 February 2024", "02/24/2024"], "March 25, 2024", ["Mar 25, 2024", "25 March 2024", "03/25/2024"]),
        (["Sunday, May 14", "May 14, 2023", "05-14-2023"], "2024-05-12", ["Sunday, May 12", "May 12, 2024", "05-12-2024"]),
        (["03/06/2026", "06/03/2026"], "Sep 25, 2026", ["09/25/2026"]),
        (["November 2021", "Nov 2021", "11/2021"], "March 2024", ["March 2024", "Mar 2024", "3/2024"]),
        (["It has not opened yet."], "March 7, 2026", [form(date(2026, 3, 7)) for form in STANDARD]),
        (["8", "eight"], "9", ["9", "nine"]),
        (["82 times", "82"], "88", ["88 times", "88"]),
        (["1,179 confirmed tornadoes", "1,179"], "1261", ["1,261 confirmed tornadoes", "1,261"]),
        (["$48,990"], "$49,990", ["$49,990"]),
        (["749718", "750K"], "760513", ["760513", "761K"]),
        (["8 months", "more than 8 months"], "9 months", ["9 months"]),
        (["65 degrees", "65 °F"], "68 degrees", ["68 degrees", "68 °F"]),
        (["2 years old", "2"], "3", ["3 years old", "3"]),
        (["none"], "3", ["3", "three"]),
        (["4.2", "Tidewatch 4.2", "version 4.2"], "Tidewatch 4.3", ["4.3", "Tidewatch 4.3", "version 4.3"]),
        (["Everything Everywhere"], "The Boy and the Heron", ["The Boy and the Heron"]),
        (["Ons Jabeur and Ann Lee", "Ann Lee and Ons Jabeur"], "Coco Gauff and Bo Ray", ["Coco Gauff and Bo Ray", "Bo Ray and Coco Gauff"]),
        (["Ann Lee"], "Iga Świątek", ["Iga Świątek", "Iga Swiatek"]),
        (["Man City", "Manchester City"], "Arsenal", ["Arsenal"]),
        (["4 months"], "1 year", ["1 year"]),
    ],
)  # fmt: skip
def test_answers_of_each_kind_are_rebuilt(old: list[str], new: str, answers: list[str]) -> None:
    assert rebuild_answers(old, new)[: len(answers)] == answers
    assert not set(rebuild_answers(old, new)) & set(old)


@given(st.dates(date(2020, 1, 1), date(2031, 12, 31)))
def test_a_new_date_fills_every_form_of_the_old_answers(day: date) -> None:
    answers = rebuild_answers(SLOTS, day.strftime("%B %d, %Y"))
    assert 0 < len(answers) <= 10
    wanted = read_date(day.isoformat())
    assert wanted is not None
    for answer in answers:
        mention = read_date(answer)
        assert mention is not None and wanted.agrees(mention), answer


@pytest.mark.real_data
def test_most_forms_written_by_the_maintainers_are_rebuilt(shared_data: Path) -> None:
    path = shared_data / "truth" / "transitions_2023-11_to_2024-05.jsonl"
    given_forms = found_forms = 0
    left_over = []
    for line in path.read_text(encoding="utf-8").splitlines():
        pair = json.loads(line)
        if not pair["answer_fact_changed"]:
            continue
        old, new = pair["old_answers"], pair["new_answers"]
        rebuilt = rebuild_answers(old, new[0])
        stale = {fold(a) for a in old} - {fold(a) for a in new}
        kept = [a for a in rebuilt if fold(a) in stale]
        left_over += [(new[0], a) for a in kept if relation(a, new[0]) is not Relation.same]
        given_forms += len(set(new))
        found_forms += len(set(new) & set(rebuilt))
    assert left_over == []
    assert found_forms / given_forms > 0.65
