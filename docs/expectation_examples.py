"""Tables of `expectations.md`, printed from the rules and from the examples that the tests run."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date
from typing import Any

import pandas

from freshqa.dataset.question import Question
from prefect_freshqa.expectations.custom import DECLARED
from prefect_freshqa.expectations.dataset_suite import dataset_tables
from prefect_freshqa.expectations.gallery import called
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
    return "\n\n".join(_entry(of) for of in DECLARED)


def _tables(suite: str) -> Iterator[Table]:
    kinds = ("never-changing", "slow-changing", "fast-changing")
    rows = [Question({"question": f"{n}?", "fact_type": kinds[n % 3]}, str(n)) for n in range(300)]
    if suite == "dataset":
        return dataset_tables(rows, as_of=DAY)
    return update_tables(rows, rows, as_of=DAY)


def _entry(of: type[Any]) -> str:
    about = of.about
    frame = pandas.DataFrame(about.data).fillna("")
    return "\n".join(
        (
            f"### {of.__name__}",
            "",
            f"{about.summary} {about.detail}",
            "",
            _frame(frame),
            "",
            *(_call(of, *call) for call in about.calls[:2]),
        )
    )


def _call(of: type[Any], arguments: dict[str, Any], rows: Sequence[int]) -> str:
    call = f"`{called(of.__name__, arguments)}`"
    return f"- fails: {call} on row {', '.join(map(str, rows))}" if rows else f"- passes: {call}"


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
