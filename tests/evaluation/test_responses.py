from datetime import date
from pathlib import Path

import openpyxl
import pytest
from evaluation.town import NEW, write_lines

from freshqa.errors import BadData, NotFound
from freshqa.evaluation.responses import GivenResponse, Paired, pair, read_responses

MAYOR = "Who is the mayor?"


def paired(*rows: tuple[str, str], split: str = "TEST", aliases: dict | None = None) -> Paired:
    given = [GivenResponse(number, question, text) for number, (question, text) in enumerate(rows)]
    return pair(given, NEW, split=split, aliases=aliases)


def test_the_output_of_ask_is_read_with_its_dates(tmp_path: Path) -> None:
    record = {"question": MAYOR, "response": "Eva Falk", "as_of": "2026-03-09", "evidence": [{}]}
    (read,) = read_responses(write_lines(tmp_path / "out.jsonl", [record])).responses
    assert (read.question, read.text, read.responded_on) == (MAYOR, "Eva Falk", date(2026, 3, 9))


def test_the_notebook_sheet_is_read(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    for row in (["Warning: live data"], [], ["id", "question", "model_response", "rating"]):
        book.active.append(row)
    book.active.append([0, MAYOR, "Eva Falk", "TRUE"])
    book.save(tmp_path / "sheet.xlsx")
    (read,) = read_responses(tmp_path / "sheet.xlsx").responses
    assert (read.row, read.question, read.text) == (4, MAYOR, "Eva Falk")


def test_unreadable_rows_are_reported_and_the_others_count(tmp_path: Path) -> None:
    file = tmp_path / "mixed.jsonl"
    file.write_text(
        '{"question": "Who is the mayor?", "response": "Eva Falk", "date": "last week"}\n'
        "no json\n"
        '{"question": "", "response": "Eva Falk"}\n'
        '{"question": "How many bridges are there?", "response": "12"}\n'
    )
    read = read_responses(file)
    assert [response.text for response in read.responses] == ["12"]
    assert len(read.unreadable) == 3
    assert any("row 1: date 'last week'" in line for line in read.unreadable)
    assert any("line 2 is not a JSON object" in line for line in read.unreadable)


def test_a_file_without_responses_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadData, match="no column response"):
        read_responses(write_lines(tmp_path / "x.jsonl", [{"question": MAYOR}]))
    with pytest.raises(NotFound, match=r"File not found: .*none.csv"):
        read_responses(tmp_path / "none.csv")


def test_each_response_is_paired_with_its_question() -> None:
    result = paired((MAYOR.upper() + " ", "Eva Falk"), ("How many bridges are there", "12"))
    assert [(q.key, r.text) for q, r in result.pairs] == [
        ("q-mayor", "Eva Falk"),
        ("q-bridges", "12"),
    ]
    assert [question.key for question in result.missing] == ["q-painter", "q-lake"]


def test_rows_that_match_no_question_are_reported() -> None:
    result = paired(("Who is the king?", "x"), ("How tall is the tower?", "40 m"), (MAYOR, "Falk"))
    assert result.unknown == ("row 0: Who is the king?",)
    assert result.outside == ("row 1: How tall is the tower?",)
    assert paired(("How tall is the tower?", "40 m"), split="").pairs[0][0].key == "q-tower"


def test_a_doubled_response_counts_once_and_two_different_ones_not_at_all() -> None:
    bridges = "How many bridges are there?"
    result = paired((MAYOR, "Falk"), (MAYOR, "Falk "), (bridges, "12"), (bridges, "13"))
    assert [q.key for q, _ in result.pairs] == ["q-mayor"]
    assert result.repeated == ("row 1 repeats row 0",)
    ((question, why),) = result.unclear
    assert (question.key, why) == ("q-bridges", "rows 2, 3 give different responses")


def test_an_empty_response_is_unclear_and_not_missing() -> None:
    result = paired((MAYOR, "  "))
    assert [(q.key, why) for q, why in result.unclear] == [("q-mayor", "the response is empty")]
    assert "q-mayor" not in {question.key for question in result.missing}


def test_a_response_with_an_earlier_wording_is_matched() -> None:
    result = paired(("Who governs the town?", "Falk"), aliases={"who governs the town": "q-mayor"})
    assert result.pairs[0][0].key == "q-mayor"
    gone = paired(("Who governs the town?", "Falk"), aliases={"who governs the town": "q-gone"})
    assert gone.unknown and not gone.pairs


def test_a_key_takes_precedence_over_the_wording() -> None:
    given = [GivenResponse(1, "as my sheet words it", "Falk", key="q-mayor")]
    assert pair(given, NEW).pairs[0][0].key == "q-mayor"


def test_cells_of_a_workbook_are_read_as_they_are_shown(tmp_path: Path) -> None:
    book = openpyxl.Workbook()
    book.active.append(["Notes"])
    sheet = book.create_sheet("responses")
    sheet.append(["Question", "Response", "Date"])
    shown = [
        (0.25, "0%", "25%"),
        (1500000, '#,##0.0,,"M"', "1.5M"),
        (5, "000", "005"),
        (date(2026, 3, 5), "d mmmm yyyy", "5 March 2026"),
        (True, "General", "TRUE"),
    ]
    for number, (value, code, _) in enumerate(shown, start=2):
        sheet.append([f"Question {number}?", value, date(2026, 3, 9)])
        sheet.cell(number, 2).number_format = code
        sheet.cell(number, 3).number_format = "dd/mm/yyyy"
    book.save(tmp_path / "sheet.xlsx")
    read = read_responses(tmp_path / "sheet.xlsx").responses
    assert [response.text for response in read] == [text for *_, text in shown]
    assert {response.responded_on for response in read} == {date(2026, 3, 9)}


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
@pytest.mark.parametrize(
    "head", ["question{d}response", "Question{d} Model-Response ", "sep=;\nquestion{d}response"]
)
def test_every_delimiter_and_header_is_read(tmp_path: Path, delimiter: str, head: str) -> None:
    text = f'{head}\n"{MAYOR}"{{d}}"Eva Falk, of; the | Party"\n'.replace("{d}", delimiter)
    (tmp_path / "out.csv").write_text(text, "utf-8")
    (read,) = read_responses(tmp_path / "out.csv").responses
    assert (read.question, read.text) == (MAYOR, "Eva Falk, of; the | Party")


def test_a_guessed_encoding_is_reported_with_its_confidence(tmp_path: Path) -> None:
    file = tmp_path / "r.csv"
    rows = "question,response\nWho leads?,Václav Dvořák\nWho sings?,Zdeněk Šťastný\n"
    file.write_bytes(rows.encode("cp1250"))
    read = read_responses(file)
    assert read.responses[0].text == "Václav Dvořák"
    assert "r.csv: not UTF-8: read as cp1250, a guess" in read.note
    assert "confidence" in read.note and "save it as UTF-8" in read.note
    file.write_text(rows, "utf-8")
    assert read_responses(file).note == ""
