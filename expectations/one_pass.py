"""Every condition of a frame computed in one pass, and Great Expectations' own results from it.

Great Expectations resolves some eight metrics for each expectation, each with a configuration, an
identifier and a filtered copy of the frame: five milliseconds of CPU for a condition that takes a
tenth of one. Here the conditions are called straight on the frame. Its metric providers are asked
for them, so each is still written in one place; its expectations make the results out of them.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from typing import Any

import numpy
import pandas
from great_expectations.core import ExpectationValidationResult
from great_expectations.execution_engine import PandasExecutionEngine
from great_expectations.expectations.expectation import (
    ColumnMapExpectation,
    ColumnPairMapExpectation,
    Expectation,
    MulticolumnMapExpectation,
)
from great_expectations.expectations.registry import get_metric_provider

from prefect_freshqa.expectations.rule import Rule

PLACE = ("row", "key", "asked")
"""Columns that name a row that breaks a rule: the first for us, the others for a reader."""
NO_EXCEPTION = {"raised_exception": False, "exception_traceback": None, "exception_message": None}
AGGREGATES: Mapping[str, Callable[[pandas.DataFrame, Expectation], Any]] = {
    "column.mean": lambda frame, expectation: frame[expectation.column].mean(),
    "table.row_count": lambda frame, _: len(frame),
}
"""Metrics that are one figure for the frame."""
_ENGINE = PandasExecutionEngine()


class NotDirect(Exception):
    """An expectation whose metrics only Great Expectations' own engine can compute."""


def result_format(frame: pandas.DataFrame) -> dict[str, Any]:
    """Return all rows that break a rule, by the columns of `PLACE` that the frame has."""
    return {
        "result_format": "COMPLETE",
        "unexpected_index_column_names": [name for name in PLACE if name in frame],
        "return_unexpected_index_query": False,
    }


def direct_result(rule: Rule, frame: pandas.DataFrame) -> ExpectationValidationResult:
    """Return the result of one rule on the rows it speaks about.

    Raises:
        NotDirect: see there.
        Whatever a condition raises.
    """
    expectation = rule.expectation
    if getattr(expectation, "row_condition", None) or getattr(expectation, "mostly", 1) != 1:
        raise NotDirect
    rows = frame
    if rule.where is not None:
        column, value = rule.where
        rows = frame[frame[column] == value]
    if getattr(expectation, "map_metric", None):
        metrics = _map_metrics(expectation, rows)
    elif set(expectation.metric_dependencies) <= set(AGGREGATES):
        metrics = {
            name: AGGREGATES[name](rows, expectation) for name in expectation.metric_dependencies
        }
    else:
        raise NotDirect
    configured = rule.configured
    outcome = configured._validate(metrics, {"result_format": result_format(frame)}, _ENGINE)
    result = configured._build_evr(outcome)
    result.exception_info = dict(NO_EXCEPTION)
    return result


def _map_metrics(expectation: Any, rows: pandas.DataFrame) -> dict[str, Any]:
    """What an expectation about rows asks for: how many were looked at, and those that break it."""
    if isinstance(expectation, ColumnMapExpectation):
        names = [expectation.column]
        empty = rows[expectation.column].isna()
        asked = rows if expectation.map_metric == "column_values.nonnull" else rows[~empty]
        columns = [asked[expectation.column]]
    elif isinstance(expectation, ColumnPairMapExpectation):
        if expectation.ignore_row_if != "either_value_is_missing":
            raise NotDirect
        names = [expectation.column_A, expectation.column_B]
        asked = rows[rows[names].notna().all(axis="columns")]
        columns = [asked[name] for name in names]
    elif isinstance(expectation, MulticolumnMapExpectation):
        if expectation.ignore_row_if != "never":
            raise NotDirect
        names = list(expectation.column_list)
        asked, columns = rows, [rows[names]]
    else:
        raise NotDirect
    holds = numpy.asarray(_condition(expectation)(*columns), dtype=bool)
    if len(holds) != len(asked):
        raise NotDirect
    broken = asked[~holds]
    places = broken[list(dict.fromkeys([*names, *(n for n in PLACE if n in rows)]))].to_dict(
        "records"
    )
    metric = expectation.map_metric
    return {
        "table.row_count": len(rows),
        "column_values.nonnull.unexpected_count": len(rows) - len(asked),
        f"{metric}.filtered_row_count": len(asked),
        f"{metric}.unexpected_count": len(broken),
        f"{metric}.unexpected_values": _values(expectation, broken, names),
        f"{metric}.unexpected_index_list": places,
    }


def _values(expectation: Any, broken: pandas.DataFrame, names: list[str]) -> list[Any]:
    """Return the cells that break an expectation, in the form that it reports them."""
    if isinstance(expectation, ColumnMapExpectation):
        return list(broken[names[0]])
    cells = broken[names]
    if isinstance(expectation, ColumnPairMapExpectation):
        return list(cells.itertuples(index=False, name=None))
    return list(cells.to_dict("records"))


def _condition(expectation: Any) -> Callable[..., Any]:
    """The condition of a metric, as its provider wrote it, with the expectation's arguments."""
    metric = expectation.map_metric
    if metric == "column_values.value_length.between":
        return lambda column: column.str.len().between(
            expectation.min_value or 0, expectation.max_value or numpy.inf
        )
    provider, function = get_metric_provider(f"{metric}.condition", _ENGINE)
    given = {name: getattr(expectation, name, None) for name in provider.condition_value_keys}
    plain = inspect.unwrap(function)
    return lambda *columns: plain(provider, *columns, **given)
