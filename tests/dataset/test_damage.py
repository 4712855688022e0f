"""Damaged cells are found one by one, and correct cells are not changed."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from freshqa.dataset.damage import Damage, find_damage
from freshqa.dataset.mojibake import established, suspicious, undo
from freshqa.dataset.question import ANSWER_COLUMNS, FIELD_COLUMNS, Question
from freshqa.dataset.release import read_release, write_release
from freshqa.dataset.table import Placed
from freshqa.dates.forms import STANDARD
from freshqa.dates.spreadsheet import guesses

LATIN = st.text(st.sampled_from("abcXYZ ,.'éèñüßøÅŁřŚ’“”–°"), min_size=1, max_size=20)


def damages(*questions: Question) -> dict[tuple[int, str], Damage]:
    placed = [Placed(number, question) for number, question in enumerate(questions, start=2)]
    return {(damage.row, damage.column): damage for damage in find_damage(placed)}


class TestMojibake:
    @pytest.mark.parametrize("times", [1, 2])
    @pytest.mark.parametrize("codec", ["gbk", "cp1252"])
    @given(text=LATIN)
    def test_text_misread_without_loss_is_restored(self, codec: str, times: int, text: str) -> None:
        assume(undo(text) is None)  # `Å°` may be a misread letter itself
        misread = text
        try:
            for _ in range(times):
                misread = misread.encode("utf-8").decode(codec)
        except UnicodeDecodeError:
            return  # a byte would be lost
        undone = undo(misread)
        if text.isascii():
            assert undone is None
        else:
            assert undone is not None and undone.text == text

    @given(text=LATIN)
    def test_correct_text_is_never_marked_as_certainly_damaged(self, text: str) -> None:
        undone = undo(text)  # `É’` may be by chance what a wrong codec makes of one letter
        assert not suspicious(text)
        assert undone is None or not established([undone])

    @pytest.mark.parametrize(
        "text",
        [
            "北京大学",
            "联通",
            "金",
            "方便面",
            "BTS (방탄소년단)",
            "東京 Tokyo",
            "Москва",
            "Ångström",
            "the CAFÉ’s menu",
            "SÃO PAULO",
            "67 °F",
            "½",
        ],
    )
    def test_correct_names_in_many_languages_are_not_changed(self, text: str, make: Any) -> None:
        assert damages(make(answer_0=text)) == {}

    @pytest.mark.parametrize("text", ["Pel鑼", "Messi閳ユ彍", "caf\ufffd", "In璋ヽio X", "\ue5e5"])
    def test_text_that_lost_a_byte_is_flagged(self, text: str, make: Any) -> None:
        damage = damages(make(answer_0=text))[2, "answer_0"]
        assert damage.kind == "mojibake"

    def test_one_suspect_cell_is_a_guess_and_several_are_certain(self, make: Any) -> None:
        misread = "caf茅"  # café in UTF-8, read as GBK; 茅 is a word of its own, too
        alone = damages(make("One?", misread))[2, "answer_0"]
        assert (alone.repaired, alone.certain) == ("café", False)
        many = damages(*(make(f"{i}?", f"{i} {misread}") for i in range(3)))
        assert [d.certain for d in many.values()] == [True, True, True]


class TestSpreadsheet:
    def test_ten_forms_of_a_date_are_restored(self, make: Any) -> None:
        from datetime import date

        written = tuple(form(date(2023, 11, 22)) for form in STANDARD)
        assert written[:2] == ("Nov 22, 2023", "November 22, 2023")
        assert written[-1] == "2023-11-22"
        mangled = ("22-Nov-23",) * 4 + ("11/22/2023",) * 2 + written[6:8] + ("11/22/2023",) * 2
        question = make("When?", *mangled)
        original = guesses(question.fields, {})
        assert [original.get(c, question.fields[c]) for c in ANSWER_COLUMNS] == list(written)

    def test_a_day_below_ten_is_guessed_only_where_the_form_is_unique(self, make: Any) -> None:
        mangled = ("4-Sep-28",) * 4 + ("9/4/2028",) * 2 + ("4/9/2028",) * 2 + ("9/4/2028",) * 2
        original = guesses(make("When?", *mangled).fields, {})
        assert original == {
            "answer_0": "Sep 4, 2028",
            "answer_1": "September 4, 2028",
            "answer_2": "4 Sep 2028",
            "answer_3": "4 September 2028",
        }

    @pytest.mark.parametrize(
        ("text", "iso", "original"),
        [
            ("21-Nov", "", "November 2021"),
            ("Nov-21", "", "November 2021"),
            ("24-Nov", "2024-11-24", "November 24"),
            ("24-Nov", "2024-11-01", "November 2024"),
        ],
    )
    def test_an_excel_date_is_restored_as_month_and_year_or_month_and_day(
        self, text: str, iso: str, original: str, make: Any
    ) -> None:
        dates = {"answer_0": iso} if iso else {}
        assert guesses(make("When?", text).fields, dates)["answer_0"] == original

    def test_damaged_review_dates_are_restored(self, make: Any) -> None:
        cells = damages(make("A?", next_review="24-Nov"), make("B?", next_review="1/9/2024"))
        assert cells[2, "next_review"].kind == "excel-date"
        assert cells[2, "next_review"].repaired == "11/2024"
        assert cells[3, "next_review"].kind == "zeros-stripped"
        assert cells[3, "next_review"].repaired == "01/09/2024"
        assert not any(damage.certain for damage in cells.values())

    def test_weak_signs_of_excel_count_only_if_a_sure_sign_exists(self, make: Any) -> None:
        weak = make("A?", "12:02 AM", "9/4/2028", "$10 ")
        assert damages(weak) == {}
        kinds = [d.kind for d in damages(weak, make("B?", "21-Nov")).values()]
        assert kinds == ["excel-time", "zeros-stripped", "excel-number", "excel-date"]

    @pytest.mark.parametrize("text", ["03:43.1", "1.5E+11", "#####", "#REF!"])
    def test_each_sure_sign_of_excel_is_detected(self, text: str, make: Any) -> None:
        assert (2, "answer_0") in damages(make("A?", text))

    def test_collapsed_alternatives_are_detected(self, make: Any) -> None:
        cells = damages(make("A?", "May 2022", "May 2022", "5/2022"))
        assert [(c, d.kind) for (_, c), d in cells.items()] == [
            ("answer_1", "collapsed-alternatives")
        ]


class TestReaders:
    def test_booleans_in_another_letter_case_are_repaired(self, make: Any) -> None:
        cells = damages(
            *(make(f"{t}?", false_premise=t) for t in ("TRUE", "True", "true", "FALSE", "yes"))
        )
        assert {row: d.repaired for (row, _), d in cells.items()} == {3: "TRUE", 4: "TRUE"}

    def test_an_empty_na_cell_is_certain_damage_if_no_na_is_left(self, make: Any) -> None:
        never = {"fact_type": "never-changing", "next_review": ""}
        alone = damages(make("A?", **never), make("B?", source=""))
        assert [(c, d.repaired, d.certain) for (_, c), d in alone.items()] == [
            ("next_review", "N/A", True),
            ("source", "N/A", True),
        ]
        beside = damages(make("A?", **never), make("B?", next_review="N/A"))
        assert beside[2, "next_review"].certain is False

    def test_words_written_for_missing_cells_are_repaired(self, make: Any) -> None:
        cells = damages(*(make(f"{i}?", "None", note="None", answer_2="None") for i in range(2)))
        assert {(c, d.repaired) for (_, c), d in cells.items()} == {("answer_2", ""), ("note", "")}
        assert damages(make("A?", "None")) == {}

    def test_unreadable_reviews_are_reported_and_repaired_if_possible(self, make: Any) -> None:
        cells = damages(make("A?", next_review="01/012026"), make("B?", next_review="soon"))
        assert cells[2, "next_review"].repaired == "01/01/2026"
        assert cells[3, "next_review"].repaired is None


def test_repairs_follow_the_repair_option_and_are_always_reported(make: Any) -> None:
    rows = (
        make("A?", "Pel茅 X", false_premise="True"),
        make("B?", "Ren茅e, Zo毛 and Jos茅"),
        make("C?", "Andr茅 X", next_review="1/9/2024"),
    )
    data = write_release(rows, "official")
    read = {repair: read_release(data, repair=repair) for repair in ("none", "certain", "all")}
    assert len({release.findings for release in read.values()}) == 1
    assert [q.fields for q in read["none"].questions] == [q.fields for q in rows]
    certain, every = read["certain"].questions, read["all"].questions
    assert certain[0].fields["false_premise"] == "TRUE"
    assert certain[1].primary == "Renée, Zoë and José"
    assert certain[2].next_review == "1/9/2024" and every[2].next_review == "01/09/2024"
    changed = {
        (q.text, c)
        for q, before in zip(certain, rows, strict=True)
        for c in FIELD_COLUMNS
        if q.fields[c] != before.fields[c]
    }
    reported = {(rows[d.row - 4].text, d.column) for d in read["none"].findings if d.certain}
    assert changed == reported


@pytest.mark.real_data
class TestTwins:
    """One release, clean, and after Excel and a wrong encoding twice."""

    @pytest.fixture
    def cells(self, real: Any, shared_data: Any) -> list[dict[str, Any]]:
        name = "FreshQA_v11232023_excel_gbk.csv"
        clean = real("FreshQA_v11232023.csv", repair="none")
        read = {repair: real(name, repair=repair) for repair in ("none", "certain", "all")}
        findings = {
            (d.row - 2, d.column) for d in read_release(shared_data / "freshqa" / name).findings
        }
        return [
            {
                "right": clean[i].fields[c],
                "flagged": (i, c) in findings,
                **{repair: questions[i].fields[c] for repair, questions in read.items()},
            }
            for i in range(600)
            for c in FIELD_COLUMNS
        ]

    def test_no_damage_is_missed(self, cells: list[dict[str, Any]]) -> None:
        damaged = [cell for cell in cells if cell["none"] != cell["right"]]
        assert len(damaged) == 407
        assert all(cell["flagged"] for cell in damaged)

    def test_no_correct_cell_is_changed(self, cells: list[dict[str, Any]]) -> None:
        right = [cell for cell in cells if cell["none"] == cell["right"]]
        assert all(cell["certain"] == cell["all"] == cell["right"] for cell in right)

    def test_certain_repairs_are_correct(self, cells: list[dict[str, Any]]) -> None:
        repaired = [cell for cell in cells if cell["certain"] != cell["none"]]
        assert len(repaired) == 21
        assert all(cell["certain"] == cell["right"] for cell in repaired)

    def test_most_guesses_are_correct(self, cells: list[dict[str, Any]]) -> None:
        guessed = [cell for cell in cells if cell["all"] != cell["certain"]]
        right = sum(cell["all"] == cell["right"] for cell in guessed)
        assert (right, len(guessed)) == (264, 264)

    @pytest.mark.parametrize(
        "name", ["FreshQA_v11232023.csv", "FreshQA_v04072025.csv", "FreshQA_v05272024.xlsx"]
    )
    def test_a_clean_release_is_changed_by_no_repair(self, name: str, real: Any) -> None:
        none, certain = real(name, repair="none"), real(name, repair="certain")
        assert [q.fields for q in none] == [q.fields for q in certain]

    def test_a_jsonl_that_lost_na_gets_it_back(self, real: Any) -> None:
        before = {q.text: q.fields for q in real("FreshQA_v03112024.csv")}
        restored = [
            (q.fields[c], before[q.text][c])
            for q, bare in zip(
                real("FreshQA_v04082024.jsonl"),
                real("FreshQA_v04082024.jsonl", repair="none"),
                strict=True,
            )
            for c in ("next_review", "source")
            if not bare.fields[c]
        ]
        assert len(restored) == 228
        assert all(now == then == "N/A" for now, then in restored)


class TestLostCadence:
    """`N/A` became null in the column `next_review` alone, as JSON conversions do it."""

    NEVER = Question({"question": "a?", "fact_type": "never-changing", "source": "N/A"})
    FAST = Question({"question": "b?", "fact_type": "fast-changing", "next_review": "frequently"})

    def test_a_lost_na_is_certain_if_every_never_changing_row_lost_it(self) -> None:
        damage = damages(self.NEVER, self.FAST)[2, "next_review"]
        assert (damage.kind, damage.repaired, damage.certain) == ("null-marker", "N/A", True)

    def test_an_empty_review_of_another_fact_type_is_a_guess(self) -> None:
        empty = self.FAST.with_changes({"next_review": ""})
        damage = damages(self.NEVER, empty)[3, "next_review"]
        assert (damage.repaired, damage.certain) == ("N/A", False)

    def test_empty_cells_are_guesses_if_one_na_was_kept(self) -> None:
        kept = self.NEVER.with_changes({"question": "c?", "next_review": "N/A"})
        assert not damages(self.NEVER, kept)[2, "next_review"].certain
