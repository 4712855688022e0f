"""Tables of `expectations.md`, printed from the rules and from the examples that the tests run."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator
from datetime import date
from typing import Any

import pandas

from freshqa.dataset.question import Question
from prefect_freshqa.expectations import custom
from prefect_freshqa.expectations.dataset_suite import dataset_tables
from prefect_freshqa.expectations.rule import Table
from prefect_freshqa.expectations.update_suite import update_tables

DAY = date(2025, 3, 10)


def rules_table(suite: str) -> str:
    """Every rule of a suite: severity, what it reports, where it comes from."""
    lines = ["| rule | severity | reports | measured |", "|---|---|---|---|"]
    lines += [
        f"| `{rule.name}` | {rule.severity} | {_cell(_condition(rule.where) + rule.says)} "
        f"| {_cell(rule.why)} |"
        for table in _tables(suite)
        for rule in table.rules
    ]
    return "\n".join(lines)


def expectations_list() -> str:
    """Every custom expectation with its sentence, and one passing and one failing example."""
    return "\n\n".join(_entry(of) for of in _classes())


def _tables(suite: str) -> Iterator[Table]:
    kinds = ("never-changing", "slow-changing", "fast-changing")
    rows = [Question({"question": f"{n}?", "fact_type": kinds[n % 3]}, str(n)) for n in range(300)]
    if suite == "dataset":
        return dataset_tables(rows, as_of=DAY)
    return update_tables(rows, rows, as_of=DAY)


def _classes() -> Iterator[type[Any]]:
    for module in pkgutil.iter_modules(custom.__path__):
        if module.name.startswith("expect_"):
            name = "".join(part.capitalize() for part in module.name.split("_"))
            yield getattr(importlib.import_module(f"{custom.__name__}.{module.name}"), name)


def _entry(of: type[Any]) -> str:
    paragraphs = [" ".join(part.split()) for part in (of.__doc__ or "").split("\n\n")]
    [example] = of.examples
    passing = next(test for test in example["tests"] if test["out"]["success"])
    failing = next(test for test in example["tests"] if not test["out"]["success"])
    frame = pandas.DataFrame(example["data"]).fillna("")
    return "\n".join(
        (
            f"### {of.__name__}",
            "",
            f"{paragraphs[0]} {paragraphs[2]}",
            "",
            _frame(frame),
            "",
            f"- passes: `{_call(of, passing['in'])}`",
            f"- fails: `{_call(of, failing['in'])}`{_rows(failing['out'])}",
        )
    )


def _call(of: type[Any], arguments: dict[str, Any]) -> str:
    inside = ", ".join(f"{name}={value!r}" for name, value in arguments.items())
    return f"{of.__name__}({inside})".replace("'", '"')


def _rows(out: dict[str, Any]) -> str:
    rows = out.get("unexpected_rows")
    return f" on row {', '.join(map(str, rows))}" if rows else ""


def _frame(frame: pandas.DataFrame) -> str:
    lines = ["| | " + " | ".join(frame.columns) + " |", "|---" * (len(frame.columns) + 1) + "|"]
    for number, row in enumerate(frame.itertuples(index=False)):
        lines.append(f"| {number} | " + " | ".join(_cell(str(cell)) for cell in row) + " |")
    return "\n".join(lines)


def _condition(where: tuple[str, str] | None) -> str:
    return f"where {where[0]} is {where[1]}: " if where else ""


def _cell(text: str) -> str:
    shown = text.replace("\n", "\\n").replace("\u200b", "\\u200b")
    return "".join(f"\\{c}" if c in "|<>*_`" else c for c in shown)
