"""Declare an expectation once: its condition, its sentence and its examples.

Great Expectations asks for a metric class, an expectation class, a docstring with sections for its
gallery, and renderers. All of them follow from one declaration, and so do the tests and
`docs/expectations.md`: a passing and a failing call are part of it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from types import new_class
from typing import Any, ClassVar

import pandas
from great_expectations.compatibility import pydantic
from great_expectations.execution_engine import PandasExecutionEngine
from great_expectations.expectations import ExpectColumnValuesToNotMatchRegex
from great_expectations.expectations.expectation import (
    ColumnMapExpectation,
    MulticolumnMapExpectation,
)
from great_expectations.expectations.metrics import (
    ColumnMapMetricProvider,
    column_condition_partial,
)
from great_expectations.expectations.metrics.map_metric_provider import (
    MulticolumnMapMetricProvider,
    multicolumn_condition_partial,
)
from great_expectations.util import camel_to_snake

from freshqa.dataset.question import Question
from prefect_freshqa.expectations.gallery import OneSentence, docstring, library_metadata
from prefect_freshqa.expectations.rule import filled

Condition = Callable[..., Any]


@dataclass(frozen=True)
class Argument:
    """An argument of an expectation beside its columns.

    Args:
        of: Its type, as it is stored in a suite.
        help: What it means, for the docstring.
        default: Its default; an argument without one is required.
        read: Makes what the condition gets of what is stored (`date.fromisoformat`).
    """

    of: type
    help: str
    default: Any = ...
    read: Callable[[Any], Any] = lambda value: value


VERSION_DATE = Argument(str, "The date the data speak about, YYYY-MM-DD.", read=date.fromisoformat)


@dataclass(frozen=True)
class About:
    """The description of an expectation besides its condition.

    Args:
        summary: One sentence that begins with "Expect", the first line of the docstring.
        detail: A sentence more: limits, reasons.
        sentence: What must hold, with `$name` for arguments, as Data Docs show it.
        data: The columns of the examples.
        calls: Arguments of a call → rows of `data` that break it. The first passes.
        column: What the column or columns hold, for the docstring.
        quality: Data quality issue, in the words of the gallery.
        see: Related expectations.
        arguments: Arguments beside the columns, by name.
    """

    summary: str
    detail: str
    sentence: str
    data: Mapping[str, Sequence[str | None]]
    calls: Sequence[tuple[Mapping[str, Any], Sequence[int]]]
    column: str = "The column with the text."
    quality: str = "Validity"
    see: str = ""
    arguments: Mapping[str, Argument] = field(default_factory=dict)

    def examples(self) -> list[dict[str, Any]]:
        """Return the examples as the gallery of Great Expectations stores them."""
        tests = [
            {
                "title": f"failing {number}" if rows else "passing",
                "in": dict(call),
                "out": {"success": not rows, "unexpected_rows": list(rows)},
            }
            for number, (call, rows) in enumerate(self.calls)
        ]
        return [{"data": {name: list(cells) for name, cells in self.data.items()}, "tests": tests}]


def pattern(name: str, regex: str, about: About) -> Any:
    """Return an expectation that no value matches a regular expression, which has a default."""
    regular = Argument(str, "What is looked for; has a default.", regex)
    about = replace(about, arguments={"regex": regular})
    module = sys._getframe(1).f_globals["__name__"]
    return _expectation(name, ExpectColumnValuesToNotMatchRegex, {}, about, module)


def values(name: str, holds: Condition, about: About, *, column: str | None = None) -> Any:
    """Return an expectation about each value of a column.

    Args:
        holds: True for a valid text; gets the arguments by name.
        column: Default column.
    """

    def condition(cls: type, column: pandas.Series[Any], **kwargs: Any) -> pandas.Series[bool]:
        given = _read(about, kwargs)
        known = {text: bool(holds(text, **given)) for text in set(map(str, column))}
        return pandas.Series([known[str(text)] for text in column], column.index, dtype=bool)

    metric = _metric(name, "column_values", condition, about)
    fields = {"column": (str, column)} if column else {}
    return _expectation(name, ColumnMapExpectation, fields, about, holds.__module__, metric)


def rows(name: str, holds: Condition, about: About, *, columns: Sequence[str]) -> Any:
    """Return an expectation about the cells of each row.

    Args:
        holds: True for texts ("" where a cell is empty) that are valid together.
        columns: Default columns, in the order in which `holds` reads them.
    """

    def wrong(frame: pandas.DataFrame, **given: Any) -> set[int]:
        return {at for at, row in enumerate(texts(frame)) if not holds(row, **given)}

    wrong.__module__ = holds.__module__
    return frames(name, wrong, about, columns=columns)


def frames(name: str, wrong: Condition, about: About, *, columns: Sequence[str]) -> Any:
    """Return an expectation about rows beside one another.

    Args:
        wrong: The frame of the columns → positions of the rows that break it.
        columns: Default columns, in the order in which `wrong` reads them.
    """

    def condition(cls: type, column_list: pandas.DataFrame, **kwargs: Any) -> pandas.Series[bool]:
        broken = wrong(column_list, **_read(about, kwargs))
        holds = [position not in broken for position in range(len(column_list))]
        return pandas.Series(holds, column_list.index, dtype=bool)

    metric = _metric(name, "multicolumn_values", condition, about)
    # a list in stored suites; a tuple would be read as one name
    written = pydantic.Field(default_factory=lambda: list(columns))
    fields = {"column_list": (Sequence[str], written), "ignore_row_if": (str, "never")}
    base = MulticolumnMapExpectation
    return _expectation(name, base, fields, about, wrong.__module__, metric, columns)


def texts(frame: pandas.DataFrame) -> Iterator[tuple[str, ...]]:
    """Yield the rows of a frame as texts, "" for an empty cell."""
    columns = [
        [cell if type(cell) is str else filled(cell) for cell in frame[name].tolist()]
        for name in frame
    ]
    return zip(*columns, strict=True)


def questions(frame: pandas.DataFrame, names: Sequence[str]) -> list[Question]:
    """Return the rows as questions, whatever their columns are called in the frame.

    Args:
        frame: The columns an expectation was given, in its order.
        names: The official name of each.
    """
    return [Question(dict(zip(names, row, strict=True))) for row in texts(frame)]


def _read(about: About, kwargs: Mapping[str, Any]) -> dict[str, Any]:
    return {
        name: argument.read(kwargs.get(name, argument.default))
        for name, argument in about.arguments.items()
    }


def _metric(name: str, domain: str, condition: Condition, about: About) -> str:
    """Register the metric behind an expectation; its name."""
    metric = f"{domain}.{camel_to_snake(name).removeprefix('expect_')}"
    single = domain == "column_values"
    partial = column_condition_partial if single else multicolumn_condition_partial
    body = {
        "__doc__": f"Metric behind `{name}`.",
        "condition_metric_name": metric,
        "condition_value_keys": tuple(about.arguments),
        "_pandas": partial(engine=PandasExecutionEngine)(condition),
    }
    base = ColumnMapMetricProvider if single else MulticolumnMapMetricProvider
    new_class(f"{name}Metric", (base,), exec_body=lambda names: names.update(body))
    return metric


def _expectation(
    name: str,
    base: type,
    fields: Mapping[str, tuple[Any, Any]],
    about: About,
    module: str,
    metric: str = "",
    columns: Sequence[str] = (),
) -> Any:
    """Return the class itself, in the module of the declaration."""
    several = base is MulticolumnMapExpectation
    typed = {
        **fields,
        **{name: (argument.of, argument.default) for name, argument in about.arguments.items()},
    }
    body: dict[str, Any] = {
        "__module__": module,
        "__doc__": docstring(name, about, several=several, columns=columns or _default(fields)),
        "__annotations__": {
            **{field: of for field, (of, _) in typed.items()},
            **{
                name: ClassVar[Any]
                for name in ("about", "examples", "library_metadata", "sentence")
            },
        },
        **{field: default for field, (_, default) in typed.items() if default is not ...},
        "about": about,
        "examples": about.examples(),
        "library_metadata": library_metadata(several=several),
        "sentence": about.sentence,
    }
    if metric:
        body["map_metric"] = metric
        body["success_keys"] = (*about.arguments, "mostly")
        body["args_keys"] = ("column_list" if several else "column", *about.arguments)
    return new_class(name, (OneSentence, base), exec_body=lambda names: names.update(body))


def _default(fields: Mapping[str, tuple[Any, Any]]) -> Sequence[str]:
    return [fields["column"][1]] if "column" in fields else []
