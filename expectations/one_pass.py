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
    if getattr(expectation, "map_metric", None):
        metrics = _map_metrics(expectation, frame, rule.where)
    elif set(expectation.metric_dependencies) <= set(AGGREGATES):
        rows = frame if rule.where is None else frame[_spoken_of(frame, rule.where)]
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


def _map_metrics(
    expectation: Any, frame: pandas.DataFrame, where: tuple[str, str] | None
) -> dict[str, Any]:
    """What an expectation about rows asks for: how many were looked at, and those that break it."""
    names = _names(expectation)
    rows = _spoken_of(frame, where)
    asked = rows
    if _leaves_out_empty(expectation):
        asked = numpy.logical_and.reduce([rows, *(frame[name].notna() for name in names)])
    several = isinstance(expectation, MulticolumnMapExpectation)
    read = [frame[names]] if several else [frame[name] for name in names]
    columns = read if asked.all() else [cells[asked] for cells in read]
    holds = numpy.asarray(_condition(expectation)(*columns), dtype=bool)
    positions = numpy.flatnonzero(asked)
    if len(holds) != len(positions):
        raise NotDirect
    broken = positions[~holds]
    metric = expectation.map_metric
    return {
        "table.row_count": int(rows.sum()),
        "column_values.nonnull.unexpected_count": int(rows.sum()) - len(positions),
        f"{metric}.filtered_row_count": len(positions),
        f"{metric}.unexpected_count": len(broken),
        f"{metric}.unexpected_values": _values(expectation, frame, broken),
        f"{metric}.unexpected_index_list": _places(frame, broken, names),
    }


def _spoken_of(frame: pandas.DataFrame, where: tuple[str, str] | None) -> Any:
    """Return a mark for each row: whether a rule speaks about it."""
    if where is None:
        return numpy.ones(len(frame), dtype=bool)
    column, value = where
    return (frame[column] == value).to_numpy(dtype=bool)


def _names(expectation: Any) -> list[str]:
    """The columns that an expectation reads, in its order."""
    if isinstance(expectation, ColumnMapExpectation):
        return [expectation.column]
    if isinstance(expectation, ColumnPairMapExpectation):
        return [expectation.column_A, expectation.column_B]
    if isinstance(expectation, MulticolumnMapExpectation):
        return list(expectation.column_list)
    raise NotDirect


def _leaves_out_empty(expectation: Any) -> bool:
    """Return whether rows with an empty cell are not judged."""
    if isinstance(expectation, ColumnMapExpectation):
        return bool(expectation.map_metric != "column_values.nonnull")
    several = isinstance(expectation, MulticolumnMapExpectation)
    if expectation.ignore_row_if != ("never" if several else "either_value_is_missing"):
        raise NotDirect
    return not several


def _values(expectation: Any, frame: pandas.DataFrame, broken: Any) -> list[Any]:
    """Return the cells that break an expectation, in the form that it reports them."""
    if not len(broken):
        return []
    names = _names(expectation)
    if isinstance(expectation, ColumnMapExpectation):
        return list(frame[names[0]].iloc[broken])
    cells = frame[names].iloc[broken]
    if isinstance(expectation, ColumnPairMapExpectation):
        return list(cells.itertuples(index=False, name=None))
    return list(cells.to_dict("records"))


def _places(frame: pandas.DataFrame, broken: Any, names: list[str]) -> list[dict[str, Any]]:
    """Return the cells that identify each failing row: the columns of the rule, then `PLACE`."""
    if not len(broken):
        return []
    columns = dict.fromkeys([*names, *(name for name in PLACE if name in frame)])
    return list(frame[list(columns)].iloc[broken].to_dict("records"))


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
