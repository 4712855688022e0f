import csv
import io
from datetime import date

import pytest
from evaluation.town import BRIDGES, LAKE, MAYOR, NEW, OLD, OLD_DAY, PAINTER, by_key, judged

from freshqa.errors import UsageError
from freshqa.evaluation.comparison import compare_runs
from freshqa.evaluation.golds import Measure
from freshqa.evaluation.judgement import Mode
from freshqa.evaluation.plot import Point, plot_accuracy
from freshqa.evaluation.presentation import markdown, remarks, sections
from freshqa.evaluation.rate import Rate
from freshqa.evaluation.report import figures, table_csv

RELAXED = [judged(MAYOR, "incorrect"), judged(BRIDGES, "correct"), judged(PAINTER, "correct")]
STRICT = [
    judged(MAYOR, "correct", mode="strict"),
    judged(BRIDGES, "incorrect", mode="strict"),
    judged(PAINTER, "unrated", mode="strict"),
]
AROUND = {
    "responses": {"missing": ["Why did the lake vanish?"], "repeated": []},
    "left": 0,
    "notes": [],
    "compared": [],
    "compared_with": None,
    "golds_differ": 0,
}


def result(**changes: object) -> dict:
    earlier = Measure(1, OLD_DAY, by_key(OLD))
    counted = figures([*RELAXED, *STRICT], by_key(NEW), modes=list(Mode), since=earlier)
    return {**AROUND, **counted, **changes}


def test_the_table_has_the_columns_of_the_paper() -> None:
    relaxed = sections(result())[0]
    assert relaxed.heading == "Accuracy, relaxed"
    assert [row[0] for row in relaxed.rows] == [
        "all",
        *(f"valid premise: {label}" for label in ("all", "fast", "slow", "never")),
        *(f"valid premise: {label}" for label in ("<2022", "≥2022", "1-hop", "m-hop")),
        "false premise: all",
        "false premise: <2022",
    ]
    assert relaxed.rows[0] == ("all", "66.7", "20.8 to 93.9", "3", "0")
    assert relaxed.rows[-1] == ("false premise: <2022", "-", "-", "0", "0")


def test_gap_and_memory_have_separate_tables() -> None:
    shown = {section.heading: section for section in sections(result())}
    assert shown["Hallucination gap"].rows[0][0] == "all"
    first = shown["Memory against freshness"].rows[0]
    assert first[:3] == ("answer changed since v1 (2026-03-02)", "relaxed", "0.0")
    assert "Compared with None" not in shown


def test_contradictions_of_a_judge_are_reported() -> None:
    counted = result()
    assert counted["judge_errors"] == ["Who is the mayor?"]
    assert any("review the judge" in line for line in remarks(counted))


def test_responses_left_out_of_the_figures_are_reported() -> None:
    said = remarks(result(left=3, golds_differ=2, compared_with="old"))
    assert "Unrated in strict mode, not counted in percentages: 1." in said
    assert "Questions without a response, not counted in percentages: 1." in said
    assert "Not judged because the budget was exhausted; run again to judge them: 3." in said
    assert "Judged against other correct answers in old: 2." in said
    assert not any("repeat" in line for line in said)


def test_a_comparison_shows_difference_and_probability() -> None:
    compared = [c.to_json() for c in compare_runs(RELAXED, RELAXED, by_key(NEW))]
    shown = sections(result(compared=compared, compared_with="old"))[-1]
    assert shown.heading == "Compared with old"
    assert shown.rows[0][2:] == ("+0.0 [-39.2, +39.2]", "1", "3")


def test_external_text_is_escaped_in_markdown() -> None:
    text = markdown(result(notes=["![x](https://evil.example/?q)<b>"]))
    assert "\\!\\[x\\](https://evil.example/?q)\\<b\\>" in text
    assert "| all | 66.7 | 20.8 to 93.9 | 3 | 0 |" in text


def test_the_csv_has_one_row_per_cell() -> None:
    rows = list(csv.DictReader(io.StringIO(table_csv(result()["table"]))))
    assert len(rows) == 22
    assert (rows[0]["mode"], rows[0]["column"], rows[0]["hits"], rows[0]["n"]) == (
        "relaxed",
        "all",
        "2",
        "3",
    )


def points() -> list[Point]:
    rates = {"valid_fast": Rate(3, 10), "valid_never": Rate(9, 10), "false": Rate(0, 0)}
    return [Point(2, date(2026, 3, 9), rates), Point(1, date(2026, 3, 2), rates)]


def test_a_chart_shows_every_version_and_only_types_with_cases() -> None:
    picture = plot_accuracy(points(), heading="Town", format="svg").decode()
    assert picture == plot_accuracy(points(), heading="Town", format="svg").decode()
    shown = picture.split("<!--")
    texts = [part.split("-->")[0].strip() for part in shown[1:]]
    assert texts.index("2026-03-02") < texts.index("2026-03-09")
    assert "valid premise: fast" in texts and "false premise: all" not in texts
    assert plot_accuracy(points(), heading="Town").startswith(b"\x89PNG")


def test_unknown_image_formats_and_empty_plots_are_refused() -> None:
    with pytest.raises(UsageError, match="Unknown image format 'gif'"):
        plot_accuracy(points(), heading="", format="gif")
    with pytest.raises(UsageError, match="Nothing to plot"):
        plot_accuracy([], heading="")


def test_a_rebuttal_is_counted_as_a_false_premise() -> None:
    counted = figures([judged(LAKE, "correct")], by_key(NEW), modes=[Mode.relaxed])
    cells = {cell["column"]: cell["hits"] for cell in counted["table"]}
    assert (cells["false"], cells["false_before_2022"], cells["valid"]) == (1, 1, 0)
    assert counted["gap"] == counted["memory"] == []
