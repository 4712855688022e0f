"""A sheet of pending proposals is exported, filled in and imported as decisions."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from datetime import date, datetime, timezone

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from openpyxl import load_workbook

from freshqa.checking.candidate import Candidate
from freshqa.dataset.question import Question
from freshqa.errors import BadData, UsageError
from freshqa.evidence.evidence import Evidence, EvidenceKind
from freshqa.maintaining.choice import Reviewable
from freshqa.maintaining.proposal import Action, FieldChange, Outcome, Proposal
from freshqa.maintaining.review_sample import review_sample
from freshqa.maintaining.review_sheet import COLUMNS, read_review_sheet, write_review_sheet
from freshqa.maintaining.sheet_table import read_table, write_table

NOW = datetime(2026, 3, 9, 12, tzinfo=timezone.utc)
PAGE = Evidence(
    EvidenceKind.organic,
    url="https://gull-race.example/2026",
    snippet='=HYPERLINK("x") Grey Petrel won.',
    date=date(2026, 3, 8),
)


RACE = Reviewable(
    7,
    Proposal(
        key="race",
        question="Which boat won the most recent Gull Race?",
        base_revision="ab" * 32,
        outcome=Outcome.changed,
        changes={
            "answer_0": FieldChange("Saltwind", "Grey Petrel"),
            "answer_1": FieldChange("the Saltwind", ""),
            "effective_year": FieldChange("2025", "2026"),
        },
        evidence=(PAGE,),
        quotes={PAGE.id: "Grey Petrel"},
        risk=0.8,
        reasons=("=1+1 is no formula",),
        candidates=(Candidate("Blue Tern", 2),),
        suggestions={"fact_type": "fast-changing? It changes each month."},
        suggested_values={"fact_type": "fast-changing"},
        stored=("Saltwind", "the Saltwind"),
    ),
    Question(
        {
            "question": "Which boat won the most recent Gull Race?",
            "answer_0": "Saltwind",
            "answer_1": "the Saltwind",
            "fact_type": "slow-changing",
            "effective_year": "2025",
            "next_review": "03/08/2026",
        },
        key="race",
    ),
)
NIGHT = Reviewable(
    8,
    replace(
        RACE.proposal,
        key="night",
        question="When is the next Lantern Night?",
        base_revision="cd" * 32,
        changes={"answer_0": FieldChange("Mar 6, 2026", "Sep 25, 2026")},
        stored=("Mar 6, 2026",),
    ),
    Question(
        {
            "question": "When is the next Lantern Night?",
            "answer_0": "Mar 6, 2026",
            "next_review": "occasionally",
        },
        "night",
    ),
)


def filled(format: str, cells: dict[int, dict[str, str]]) -> bytes:
    """The sheet of both proposals with some cells written, by proposal."""
    rows = read_table(write_review_sheet([RACE, NIGHT], format=format), name="sheet")
    for row in rows:
        row |= cells.get(int(row["proposal"] or 0), {})
    return write_table(COLUMNS, [[row[c] or "" for c in COLUMNS] for row in rows], format)


def read(data: bytes) -> list[tuple[int, Action, str, dict[str, str]]]:
    decisions = read_review_sheet(data, pending=[RACE, NIGHT], by="ada", now=NOW, name="s.csv")
    assert {(d.by, d.at) for d in decisions} <= {("ada", NOW)}
    return [(d.proposal, d.action, d.reason, dict(d.edits)) for d in decisions]


@pytest.mark.parametrize("format", ["csv", "xlsx"])
def test_filled_rows_are_decided_and_empty_ones_stay_pending(format: str) -> None:
    data = filled(format, {7: {"decision": "Accept ", "reason": "seen on the race's own page"}})
    assert read(data) == [(7, Action.accept, "seen on the race's own page", {})]


@pytest.mark.parametrize("format", ["csv", "xlsx"])
def test_an_edit_is_kept_whatever_decision_is_written_beside_it(format: str) -> None:
    for word in ("accept", "edit"):
        data = filled(format, {7: {"decision": word, "new answer_1": "the Grey Petrel"}})
        assert read(data) == [(7, Action.edit, "", {"answer_1": "the Grey Petrel"})]


@pytest.mark.parametrize(
    ("cells", "problem"),
    [
        ({7: {"decision": "yes"}}, "row 2: Invalid decision 'yes'. Use accept, "),
        ({7: {"decision": "edit"}}, "no text differs from what is proposed"),
        ({7: {"new answer_0": "Blue Tern"}}, "new answer_0 edited, but no decision"),
        (
            {7: {"decision": "reject", "new answer_0": "B"}},
            "answer_0 given, but the decision is reject",
        ),
        ({7: {"decision": "accept", "base": "ffff"}}, "differs between this store and the sheet"),
        ({8: {"decision": "accept", "proposal": "7"}}, "differs between this store and the sheet"),
        ({8: {"decision": "accept", "proposal": "99"}}, "proposal 99 is not pending"),
        ({8: {"decision": "accept", "proposal": "x"}}, "'x' in column proposal is not a number"),
    ],
)
def test_an_invalid_row_decides_nothing(cells: dict[int, dict[str, str]], problem: str) -> None:
    with pytest.raises(BadData, match="nothing was decided") as caught:
        read(filled("csv", {7: {"decision": "accept"}, **cells}))
    assert problem in str(caught.value)


@pytest.mark.parametrize("format", ["csv", "xlsx"])
def test_candidates_and_keep_can_be_chosen_in_the_sheet(format: str) -> None:
    data = filled(format, {7: {"decision": "candidate 1"}, 8: {"decision": "keep"}})
    assert read(data) == [
        (7, Action.edit, "Candidate 1: Blue Tern (2 sources)", {"answer_0": "Blue Tern"}),
        (8, Action.keep, "", {}),
    ]
    with_suggestions = filled(format, {7: {"decision": "accept with suggestions"}})
    assert read(with_suggestions) == [(7, Action.accept, "", {"fact_type": "fast-changing"})]


def test_every_invalid_row_is_listed() -> None:
    with pytest.raises(BadData) as caught:
        read(filled("csv", {7: {"decision": "ok"}, 8: {"decision": "no"}}))
    assert "2 invalid rows" in str(caught.value)
    assert "row 2" in str(caught.value) and "row 3" in str(caught.value)


def test_a_proposal_decided_twice_is_refused() -> None:
    data = filled("csv", {7: {"decision": "accept"}})
    twice = data + data.split(b"\r\n", 1)[1]
    with pytest.raises(BadData, match="decided twice"):
        read(twice)


@pytest.mark.parametrize("format", ["csv", "xlsx"])
def test_characters_that_no_file_can_hold_are_removed_from_the_sheet(format: str) -> None:
    said = replace(RACE.proposal, reasons=("The almanac\0 says so \x0b.",))
    data = write_review_sheet([replace(RACE, proposal=said)], format=format)
    (row,) = read_table(data, name="sheet")
    assert row["reasons"] == "The almanac says so ."
    assert read(write_table(COLUMNS, [[row[c] or "" for c in COLUMNS]], format)) == []


def test_a_lone_surrogate_becomes_a_replacement_character_in_the_sheet() -> None:
    said = replace(RACE.proposal, reasons=("Nine \ud83d.",))
    (row,) = read_table(write_review_sheet([replace(RACE, proposal=said)], format="csv"), name="s")
    assert row["reasons"] == "Nine ?."


def test_a_date_made_by_a_spreadsheet_is_told_from_text() -> None:
    book = load_workbook(io.BytesIO(write_review_sheet([NIGHT], format="xlsx")))
    sheet = book.active
    assert sheet is not None
    for row in sheet.iter_rows():
        for cell in row:
            if cell.value == "Sep 25, 2026" and cell.column > 12:
                cell.value = datetime(2026, 9, 25)
    buffer = io.BytesIO()
    book.save(buffer)
    with pytest.raises(BadData, match="new answer_0 was turned into a date"):
        read(buffer.getvalue())


def test_web_text_never_becomes_a_formula() -> None:
    plain = write_review_sheet([RACE], format="csv").decode("utf-8-sig")
    cells = next(csv.DictReader(io.StringIO(plain)))
    assert cells["reasons"] == "'=1+1 is no formula"
    assert "»Grey Petrel«" in cells["evidence"]
    book = load_workbook(io.BytesIO(write_review_sheet([RACE], format="xlsx")))
    sheet = book.active
    assert sheet is not None
    assert {cell.data_type for row in sheet.iter_rows() for cell in row if cell.value} == {"s"}


def test_a_file_that_is_not_a_sheet_is_refused_in_one_line() -> None:
    for data in (b"", b"a,b\n1,2\n", b"\xff\xfe", b'proposal,"base\n'):
        with pytest.raises(BadData) as caught:
            read(data)
        assert "\n" not in str(caught.value)
    with pytest.raises(UsageError, match="Unknown sheet format 'ods'"):
        write_review_sheet([RACE], format="ods")


def test_a_sheet_saved_with_semicolons_reads_the_same() -> None:
    rows = list(csv.reader(io.StringIO(filled("csv", {7: {"decision": "reject"}}).decode())))
    buffer = io.StringIO()
    csv.writer(buffer, delimiter=";").writerows(rows)
    assert read(buffer.getvalue().encode()) == [(7, Action.reject, "", {})]


TEXT = st.just("'=x") | st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=30)


@settings(max_examples=25, deadline=None)
@given(st.lists(st.lists(TEXT, min_size=2, max_size=2), max_size=4))
def test_a_table_round_trips(rows: list[list[str]]) -> None:
    wanted = [{"a": left, "b": other} for left, other in rows if left.strip() or other.strip()]
    for format in ("csv", "xlsx"):
        back = read_table(write_table(["a", "b"], rows, format), name="table")
        assert back == wanted


def test_a_sample_is_seeded_and_keeps_the_outcomes_in_proportion() -> None:
    outcomes = [Outcome.changed] * 30 + [Outcome.insufficient] * 10
    pending = [
        replace(RACE, id=id, proposal=replace(RACE.proposal, outcome=outcome))
        for id, outcome in enumerate(outcomes)
    ]
    drawn = review_sample(pending, 8, seed=7)
    assert [item.proposal.outcome for item in drawn] == [Outcome.changed] * 6 + [
        Outcome.insufficient
    ] * 2
    assert review_sample(pending[::-1], 8, seed=7)[::-1] == drawn
    assert review_sample(pending, 8, seed=8) != drawn
    assert review_sample(pending, 99, seed=7) == pending
    with pytest.raises(UsageError, match="--sample: 0"):
        review_sample(pending, 0, seed=7)
