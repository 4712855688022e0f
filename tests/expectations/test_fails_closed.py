"""Invalid frames and failing rules give an error that names the rule, never a pass."""

from __future__ import annotations

import importlib
import importlib.util
import json
import socket
import subprocess
import sys
import threading
import warnings
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from pathlib import Path

import great_expectations
import pandas
import pytest
from great_expectations import expectations as gxe
from great_expectations.data_context import project_manager
from great_expectations.expectations.row_conditions import Column

from freshqa.dataset.question import Question
from prefect_freshqa.expectations.dataset_suite import dataset_tables
from prefect_freshqa.expectations.evaluate import Evaluation, evaluate
from prefect_freshqa.expectations.gate import report, validate
from prefect_freshqa.expectations.later import Later, import_later
from prefect_freshqa.expectations.rule import Rule, Table
from prefect_freshqa.expectations.update_suite import update_tables

DAY = date(2025, 3, 10)


def question(number: int, **changes: str) -> Question:
    fields = {
        "split": "TEST",
        "question": f"Who leads club number {number}?",
        "effective_year": "2024",
        "next_review": "occasionally",
        "false_premise": "FALSE",
        "num_hops": "one-hop",
        "fact_type": "slow-changing",
        "source": "https://example.org/guild",
        "answer_0": f"Mira Vale {number}",
    }
    return Question({**fields, **changes}, key=f"q-{number}")


def table(*rules: Rule, rows: int = 2) -> Table:
    frame = pandas.DataFrame({"row": range(rows), "text": ["a", "b", "c"][:rows]}, dtype=object)
    return Table("suite", "part", frame, rules)


def holds(name: str = "holds", **changes: object) -> Rule:
    return Rule(
        name, "warning", gxe.ExpectColumnValuesToNotBeNull(column="text", **changes), "", ""
    )


def refused(evaluation: Evaluation) -> str:
    """The one failure; a report made of it does not pass although the rule is only a warning."""
    [failure] = evaluation.failures
    assert failure.severity == "error"
    assert not report(evaluation).success
    return f"{failure.rule}: {failure.message}"


def test_a_missing_column_is_an_error_that_names_the_rule() -> None:
    rule = Rule("absent", "warning", gxe.ExpectColumnValuesToNotBeNull(column="nothing"), "", "")
    evaluation = evaluate([table(rule, holds())])
    assert "absent: " in refused(evaluation) and "nothing" in refused(evaluation)
    assert evaluation.evaluated == 1


def test_a_frame_without_its_columns_fails_every_rule() -> None:
    questions, _cells, _together = dataset_tables([question(1)], as_of=DAY)
    broken = Table(
        questions.suite, questions.part, questions.frame[["row", "key"]], questions.rules
    )
    evaluation = evaluate([broken])
    by_name = {failure.rule for failure in evaluation.failures}
    assert {"question-present", "review-readable", "answers-contiguous"} <= by_name
    assert not report(evaluation).success


def test_a_table_that_is_not_a_frame_fails_every_rule() -> None:
    no_frame = Table("suite", "part", "not a frame", (holds("one"), holds("two")))  # type: ignore[arg-type]
    evaluation = evaluate([no_frame])
    assert [failure.rule for failure in evaluation.failures] == ["one", "two"]
    assert not report(evaluation).success


def test_an_exception_inside_a_rule_is_an_error_whatever_its_severity() -> None:
    regex = Rule(
        "regex", "warning", gxe.ExpectColumnValuesToMatchRegex(column="text", regex="("), "", ""
    )
    assert "regex: " in refused(evaluate([table(regex)]))


def test_a_message_that_cannot_be_formatted_is_an_error() -> None:
    rule = Rule(
        "unsayable", "warning", gxe.ExpectColumnValuesToBeNull(column="text"), "text", "{text:f}"
    )
    assert "unsayable" in refused(evaluate([table(rule)]))


def test_a_rule_that_saw_fewer_rows_than_there_are_is_an_error() -> None:
    some = holds(row_condition=Column("text") == "a")
    assert "1 of 2 rows" in refused(evaluate([table(some)]))


def test_two_rules_of_one_name_are_an_error() -> None:
    evaluation = evaluate([table(holds("twin"), holds("twin", mostly=0.5))])
    assert "2 results" in refused(evaluation)


def test_a_report_without_evaluated_rules_does_not_pass() -> None:
    assert not report(evaluate([])).success


def test_a_rule_that_fails_on_draft_and_base_is_still_an_error() -> None:
    rule = Rule("absent", "error", gxe.ExpectColumnValuesToNotBeNull(column="nothing"), "", "")
    evaluation = evaluate([table(rule)])
    assert not report(evaluation, {failure.place for failure in evaluation.failures}).success


def test_questions_without_fields_are_refused() -> None:
    damaged = question(1)
    object.__setattr__(damaged, "fields", {})
    result = validate([damaged], as_of=DAY)
    assert [error.rule for error in result.errors] == ["frame"]


def test_a_version_compared_with_itself_breaks_no_rule_about_changes() -> None:
    """This is why the gate evaluates only the order rules of the suite *update* on the base."""
    rows = [question(n, fact_type=("slow-changing", "fast-changing")[n % 2]) for n in range(8)]
    rows += [question(9, next_review="24-Nov", answer_0="", false_premise="MAYBE")]
    *tables, _order = update_tables(rows, rows, as_of=DAY)
    evaluation = evaluate(tables)
    assert (evaluation.violations, evaluation.failures) == ([], [])


def test_eight_threads_validate_different_frames_independently() -> None:
    start = threading.Barrier(8)

    def judge(thread: int) -> list[tuple[int, list[tuple[str, str]]]]:
        rows = [question(100 * thread + n) for n in range(5)]
        rows[thread % 5] = rows[thread % 5].with_changes({"answer_1": "=1+1"})
        _questions, cells, _together = dataset_tables(rows, as_of=DAY)
        start.wait()
        evaluations = [evaluate([cells]) for _ in range(4)]
        return [
            (evaluation.evaluated, [(v.rule, v.key) for v in evaluation.violations])
            for evaluation in evaluations
        ]

    with ThreadPoolExecutor(8) as pool:
        results = list(pool.map(judge, range(8)))
    for thread, result in enumerate(results):
        assert result == [(9, [("text-no-formula", f"q-{100 * thread + thread % 5}")])] * 4


@pytest.fixture
def no_network() -> Iterator[list[object]]:
    calls: list[object] = []
    original = socket.socket.connect

    def connect(self: socket.socket, address: object) -> None:
        calls.append(address)
        raise OSError("no network in this test")

    socket.socket.connect = connect  # type: ignore[assignment, method-assign]
    yield calls
    socket.socket.connect = original  # type: ignore[method-assign]


def test_nothing_is_printed(
    no_network: list[object],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capfd: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    assert validate([question(1)], as_of=DAY, base=[question(1)]).success
    assert no_network == []
    assert list(tmp_path.iterdir()) == []
    assert capfd.readouterr() == ("", "")


def test_the_great_expectations_context_of_the_process_is_kept() -> None:
    foreign_context = great_expectations.get_context(mode="ephemeral")
    foreign_context.data_sources.add_pandas("theirs")
    validate([question(1)], as_of=DAY)
    assert project_manager.get_current_project() is foreign_context
    assert list(foreign_context.data_sources.all()) == ["theirs"]


def test_warnings_of_the_process_are_still_shown() -> None:
    with warnings.catch_warnings(record=True) as seen:
        warnings.simplefilter("always")
        warnings.warn("still here", stacklevel=1)
    assert [str(warning.message) for warning in seen] == ["still here"]
    code = "import warnings, prefect_freshqa.expectations.evaluate\nwarnings.warn('still here')"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "still here" in done.stderr


def test_great_expectations_is_imported_only_by_a_validation() -> None:
    code = (
        "import sys, prefect_freshqa.expectations.gate, prefect_freshqa.expectations.report\n"
        "print('great_expectations' in sys.modules, 'pandas' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "False"]


def test_importing_the_refresh_flow_imports_no_heavy_library() -> None:
    code = (
        "import sys, prefect_freshqa.flows.refresh\n"
        "heavy = {'great_expectations', 'matplotlib', 'openpyxl', 'pandas', 'trafilatura'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_a_lazily_imported_module_is_complete(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "colorsys", raising=False)
    import_later("colorsys", "json")
    assert sys.modules["json"] is json, "what has been imported stays"
    stand_in = importlib.import_module("colorsys")
    assert isinstance(stand_in, Later)
    assert importlib.util.find_spec("colorsys") is not None
    assert not hasattr(stand_in, "__file__"), "who looks through all modules imports none"
    assert isinstance(sys.modules["colorsys"], Later)
    assert stand_in.rgb_to_hsv(1, 0, 0) == (0.0, 1.0, 1)
    assert importlib.import_module("colorsys").rgb_to_hsv is stand_in.rgb_to_hsv
    assert not isinstance(sys.modules["colorsys"], Later)
    assert stand_in.__file__ == sys.modules["colorsys"].__file__
