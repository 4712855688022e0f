"""Each kind of injected fault is refused or reported as designed, and nothing else is.

All faults are in one draft, one per question, so that the suites run once. The findings of a
question must be exactly those designed for its fault.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from freshqa.dataset.official_order import official_order
from freshqa.dataset.question import Question
from freshqa.dataset.validation import Reason, ValidationReport
from prefect_freshqa.expectations import frame
from prefect_freshqa.expectations.frame import CHUNK
from prefect_freshqa.expectations.gate import validate
from prefect_freshqa.expectations.update_suite import update_tables

FAULTS = json.loads(Path(__file__).with_name("faults.json").read_text(encoding="utf-8"))
BASE_DAY, DAY = date(2025, 2, 24), date(2025, 3, 10)
NAMES = [
    "Ada",
    "Bo",
    "Cy",
    "Dee",
    "Eli",
    "Fay",
    "Gus",
    "Hal",
    "Ida",
    "Jo",
    "Kit",
    "Lux",
    "Max",
    "Nia",
    "Oz",
    "Pia",
]


def sound(number: int, **changes: str) -> Question:
    """A question that every rule is content with."""
    first, last = NAMES[number % 16], NAMES[number // 16].lower()
    fields = {
        "split": "TEST",
        "question": f"Who is the leader of the club in Fennel Row {number}?",
        "effective_year": "2024",
        "next_review": "occasionally",
        "false_premise": "FALSE",
        "num_hops": "one-hop",
        "fact_type": "slow-changing",
        "source": f"https://club{number}.example/leader",
        "answer_0": f"{first} Vale {last}",
        "answer_1": f"{first} V. {last}",
    }
    return Question({**fields, **changes}, key=f"q-{number:03}")


def filled(changes: dict[str, str], row: Question) -> dict[str, str]:
    """Changes of a fault, with what they refer to in the row."""
    words = {"LONG": "x" * 10_000, "ALTERNATIVE": row.fields["answer_1"]}
    words["GLUED"] = f"{row.primary}Captain Vale"
    quoted = row.primary.replace(" ", "%20")
    return {c: words.get(text, text).replace("PRIMARY", quoted) for c, text in changes.items()}


def broken(number: int, fault: dict[str, Any]) -> tuple[Question, Question]:
    row = sound(number, **fault.get("old", {}))
    return row, row.with_changes(filled({"next_review": "occasionally", **fault["new"]}, row))


@pytest.fixture(scope="module", params=[CHUNK, 50], ids=["at once", "in chunks"])
def report(request: pytest.FixtureRequest) -> Iterator[ValidationReport]:
    """Of one draft, judged as it is and as a draft of many thousands of questions is."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(frame, "CHUNK", request.param)
        yield judged()


def judged() -> ValidationReport:
    pairs = [broken(number, fault) for number, fault in enumerate(FAULTS)]
    padding = [sound(number) for number in range(len(FAULTS), 120)]
    reasons = {
        f"q-{number:03}": Reason("checked", (fault["evidence"],))
        for number, fault in enumerate(FAULTS)
        if "evidence" in fault
    }
    return validate(
        official_order([new for _, new in pairs] + padding),
        as_of=DAY,
        base=official_order([old for old, _ in pairs] + padding),
        base_as_of=BASE_DAY,
        reasons=reasons,
    )


@pytest.mark.parametrize(
    ("number", "fault"), list(enumerate(FAULTS)), ids=[fault["fault"] for fault in FAULTS]
)
def test_a_fault_is_reported_as_designed(
    report: ValidationReport, number: int, fault: dict[str, Any]
) -> None:
    key = f"q-{number:03}"
    assert {v.rule for v in report.errors if v.key == key} == set(fault.get("errors", ()))
    assert {v.rule for v in report.warnings if v.key == key} == set(fault.get("warnings", ()))


def test_at_least_25_kinds_are_detected_and_sound_questions_are_not_flagged(
    report: ValidationReport,
) -> None:
    assert len(FAULTS) >= 25
    reported = {v.key for v in (*report.errors, *report.warnings) if v.key}
    assert reported == {f"q-{number:03}" for number in range(len(FAULTS))}
    assert not report.success


def small(*changes: dict[str, str]) -> list[Question]:
    return [sound(number, **change) for number, change in enumerate(changes)]


def rules(report: ValidationReport) -> tuple[set[str], set[str]]:
    return {v.rule for v in report.errors}, {v.rule for v in report.warnings}


def test_lost_duplicated_and_new_questions_are_reported() -> None:
    base = small({}, {}, {}, {})
    twin, same_key = base[1].with_key("q-x"), base[2].with_key(base[0].key)
    draft = [base[0], base[1], twin, same_key, sound(9)]
    report = validate(draft, as_of=DAY, base=base, base_as_of=BASE_DAY)
    violated = {(v.rule, v.key) for v in (*report.errors, *report.warnings)}
    assert {("question-kept", base[2].key), ("question-kept", base[3].key)} <= violated
    assert {("question-unique", "q-x"), ("question-unique", base[1].key)} <= violated
    assert {("key-unique", base[0].key), ("question-known", "q-009")} <= violated
    assert {v.question for v in report.errors if v.rule == "question-kept"} == {
        base[2].text,
        base[3].text,
    }


def test_a_draft_out_of_order_is_refused() -> None:
    base = small({"effective_year": "2025"}, {"effective_year": "before 2022"})
    report = validate(base, as_of=DAY, base=official_order(base), base_as_of=BASE_DAY)
    assert rules(report) == ({"draft-order"}, {"row-order"})


def test_sibling_questions_that_diverge_are_reported() -> None:
    ongoing = {"answer_0": "The show has not aired this year.", "answer_1": ""}
    page = {"source": "https://club.example/all", "answer_0": "Mira Vale", "answer_1": ""}
    base = small(
        {**ongoing, "question": "Who won Voices this year?", "false_premise": "TRUE"},
        {**ongoing, "question": "Who won Idols this year?", "false_premise": "TRUE"},
        {**page, "question": "Which singer keeps the lamp?"},
        {**page, "question": "Who is the captain of the Guild?"},
    )
    new = {"answer_0": "Oren Dask", "effective_year": "2025"}
    draft = [
        base[0],
        base[1].with_changes({"false_premise": "FALSE"}),
        base[2].with_changes(new),
        base[3],
    ]
    report = validate(official_order(draft), as_of=DAY, base=official_order(base))
    violated = {(v.rule, v.key) for v in report.warnings}
    assert {("sibling-premises-agree", "q-000"), ("sibling-premises-agree", "q-001")} <= violated
    assert ("siblings-move-together", "q-003") in violated


def test_too_many_changed_answers_at_once_are_reported() -> None:
    """An error in a dataset of the measured size, a warning in a smaller one."""
    fast = {"fact_type": "fast-changing", "next_review": "frequently"}
    base = [sound(number, **fast) for number in range(120)]
    new = {"answer_0": "Oren Dask", "answer_1": "", "effective_year": "2025"}
    draft = official_order([r.with_changes(new) if at % 5 else r for at, r in enumerate(base)])
    report = validate(draft, as_of=DAY, base=base, base_as_of=BASE_DAY)
    assert rules(report)[0] == {"fast-share-replaced"}
    _changes, together, _order = update_tables(base[:20], base[:20], as_of=DAY)
    assert {r.severity for r in together.rules if r.name == "fast-share-replaced"} == {"warning"}


def test_a_changed_share_of_question_types_is_a_warning() -> None:
    base = [sound(number) for number in range(60)]
    draft = [
        row.with_changes({"num_hops": "multi-hop"}) if at < 6 else row
        for at, row in enumerate(base)
    ]
    report = validate(official_order(draft), as_of=DAY, base=base, base_as_of=BASE_DAY)
    assert rules(report) == (set(), {"share-multi-hop-steady", "share-reclassified"})


def test_a_reason_lets_a_never_changing_answer_change() -> None:
    never = {"fact_type": "never-changing", "next_review": "N/A"}
    base = small(never, never)
    new = {"answer_0": "Oren Dask", "answer_1": "", "effective_year": "2025"}
    draft = [row.with_changes(new) for row in base]
    reason = {base[0].key: Reason("The archive was opened.", ("Oren Dask led it.",))}
    report = validate(draft, as_of=DAY, base=base, base_as_of=BASE_DAY, reasons=reason)
    assert [(e.rule, e.key) for e in report.errors] == [("never-changing-kept", base[1].key)]


def test_a_new_question_may_change_once_a_week_at_most() -> None:
    base = small({}, {"next_review": "every_time"})
    hourly = sound(7, next_review="every_time")
    moment = sound(8, question="What is the price of lamp oil right now?")
    otherwise = sound(9, next_review="Every time")
    report = validate(
        official_order([*base, hourly, moment, otherwise]),
        as_of=DAY,
        base=base,
        base_as_of=BASE_DAY,
    )
    pace = [v for v in report.errors if v.rule == "added-changes-weekly-at-most"]
    assert sorted(v.key for v in pace) == ["q-007", "q-009"]
    assert "once a week" in pace[0].message and "frequently" in pace[0].message
    assert {v.key for v in report.warnings if v.rule == "added-asks-of-no-moment"} == {"q-008"}
