"""One pass over a frame gives the results of the Great Expectations engine."""

from __future__ import annotations

from datetime import date
from typing import Any

from great_expectations.core import ExpectationSuite, ExpectationValidationResult

from freshqa.dataset.question import Question
from prefect_freshqa.expectations.engine import batch_of
from prefect_freshqa.expectations.evaluate import validation_results
from prefect_freshqa.expectations.gate import suites
from prefect_freshqa.expectations.one_pass import result_format

DAY = date(2025, 3, 10)
SOUND = {
    "split": "TEST",
    "question": "Who leads the Lantern Guild?",
    "effective_year": "2024",
    "next_review": "occasionally",
    "false_premise": "FALSE",
    "num_hops": "one-hop",
    "fact_type": "slow-changing",
    "source": "https://example.org/guild",
    "answer_0": "Mira Vale",
}
FAULTS = [
    {},
    {"answer_0": "", "answer_1": "Mira Vale"},
    {"answer_1": "=1+1", "answer_2": "a\u200bb", "answer_3": "x" * 600},
    {"next_review": "24-Nov", "effective_year": "2031", "split": "BOTH"},
    {"source": "http://a", "fact_type": "fast-changing", "answer_1": " two  spaces "},
    {"false_premise": "TRUE", "next_review": "03/01/2025", "source": ""},
]


def shape(result: ExpectationValidationResult) -> tuple[str, bool, dict[str, Any], Any]:
    printed = result.to_json_dict()
    name = result.expectation_config.meta["rule"]
    return name, printed["success"], printed["result"], printed["exception_info"]


def test_one_pass_gives_the_results_of_great_expectations() -> None:
    base = [Question({**SOUND, "question": f"Who leads guild {n}?"}, f"q-{n}") for n in range(6)]
    draft = [q.with_changes(fault) for q, fault in zip(base, FAULTS, strict=True)]
    draft.append(base[0].with_key("q-added"))
    for table in suites(draft, as_of=DAY, base=[*base, Question(SOUND, "q-lost")]):
        suite = ExpectationSuite(table.name, expectations=[r.configured for r in table.rules])
        with batch_of(table) as batch:
            slow = batch.validate(suite, result_format=result_format(table.frame)).results
        by_name = {shape(result)[0]: shape(result) for result in slow}
        assert {
            shape(validation)[0]: shape(validation) for validation in validation_results(table)
        } == by_name
