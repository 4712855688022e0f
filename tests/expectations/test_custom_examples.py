"""Every custom expectation runs its documented passing and failing example."""

from __future__ import annotations

import json
from typing import Any

import pandas
import pytest
from great_expectations.expectations.expectation import Expectation
from great_expectations.expectations.registry import get_expectation_impl

from prefect_freshqa.expectations.custom import DECLARED
from prefect_freshqa.expectations.evaluate import evaluate, validation_results
from prefect_freshqa.expectations.rule import Rule, Table


def cases() -> list[Any]:
    return [
        pytest.param(of, example["data"], test, id=f"{of.__name__}-{test['title']}")
        for of in DECLARED
        for example in of.examples
        for test in example["tests"]
    ]


@pytest.mark.parametrize(("of", "data", "test"), cases())
def test_every_documented_example_has_the_stated_result(
    of: type[Expectation], data: dict[str, Any], test: dict[str, Any]
) -> None:
    frame = pandas.DataFrame(data, dtype=object)
    frame.insert(0, "row", range(len(frame)))
    rule = Rule("example", "error", of(**test["in"]), "", "wrong")
    [result] = validation_results(Table("examples", "rows", frame, (rule,)))
    assert not result.exception_info.get("raised_exception", True), result.exception_info
    wanted = test["out"]
    assert result.success is wanted["success"]
    if "unexpected_rows" in wanted:
        rows = [int(place["row"]) for place in result.result["unexpected_index_list"]]
        assert rows == wanted["unexpected_rows"]
    if "unexpected_list" in wanted:
        assert result.result["unexpected_list"] == wanted["unexpected_list"]


@pytest.mark.parametrize("of", DECLARED, ids=lambda of: of.__name__)
def test_every_expectation_follows_the_conventions(of: type[Expectation]) -> None:
    """The conventions of Great Expectations for contributed expectations."""
    first = (of.__doc__ or "").splitlines()[0]
    assert first.startswith("Expect ") and first.endswith(".")
    for section in ("Args:", "Returns:", "Supported Data Sources:", "Example Data:"):
        assert section in of.__doc__
    assert "Passing Case:" in of.__doc__ and "Failing Case:" in of.__doc__
    assert {test["out"]["success"] for e in of.examples for test in e["tests"]} == {True, False}
    assert of.library_metadata["maturity"] and of.library_metadata["contributors"]
    assert get_expectation_impl(of.expectation_type) is of


@pytest.mark.parametrize("of", DECLARED, ids=lambda of: of.__name__)
def test_every_expectation_round_trips_through_json_and_renders_its_sentence(
    of: type[Expectation],
) -> None:
    expectation = of(**of.examples[0]["tests"][0]["in"])
    stored = json.loads(json.dumps(expectation.configuration.to_json_dict()))
    assert stored["type"] == of.expectation_type
    expectation.render()
    [content] = expectation.rendered_content
    assert content.value.template == of.sentence
    names = {name.split(".")[0] for name in content.value.params}
    assert all(f"${name}" in of.sentence for name in names)


def test_a_passing_example_is_evaluated_by_the_gate_too() -> None:
    frame = pandas.DataFrame({"row": [0], "text": ["Lumen"]})
    [plain] = [of for of in DECLARED if of.__name__ == "ExpectColumnValuesToBePlainText"]
    evaluation = evaluate(
        [Table("examples", "rows", frame, (Rule("plain", "error", plain(column="text"), "", ""),))]
    )
    assert (evaluation.evaluated, evaluation.violations, evaluation.failures) == (1, [], [])
