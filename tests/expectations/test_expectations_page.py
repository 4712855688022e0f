"""The page about expectations: its examples run, and it lists every rule and expectation."""

from __future__ import annotations

import pkgutil
import re
import runpy
from datetime import date
from pathlib import Path

import pytest

from freshqa.dataset.question import Question
from prefect_freshqa.expectations import custom
from prefect_freshqa.expectations.dataset_suite import dataset_tables
from prefect_freshqa.expectations.update_suite import update_tables

PAGE = (Path(__file__).parents[2] / "docs" / "expectations.md").read_text(encoding="utf-8")
EXAMPLES = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)


@pytest.mark.parametrize("code", EXAMPLES, ids=[f"example {n}" for n in range(len(EXAMPLES))])
def test_each_python_example_runs(code: str, tmp_path: Path) -> None:
    example = tmp_path / "example.py"
    example.write_text(code, encoding="utf-8")
    runpy.run_path(str(example))


def test_every_rule_and_every_expectation_is_listed() -> None:
    assert len(EXAMPLES) == 2
    kinds = ("never-changing", "slow-changing", "fast-changing")
    rows = [Question({"question": f"{n}?", "fact_type": kinds[n]}, str(n)) for n in range(3)]
    day = date(2025, 3, 10)
    tables = (*dataset_tables(rows, as_of=day), *update_tables(rows, rows, as_of=day))
    names = [rule.name for table in tables for rule in table.rules]
    assert len(names) == len(set(names)) >= 70
    assert [name for name in names if f"`{name}`" not in PAGE] == []
    modules = [
        m.name for m in pkgutil.iter_modules(custom.__path__) if m.name.startswith("expect_")
    ]
    headings = {"".join(part.capitalize() for part in name.split("_")) for name in modules}
    assert {h for h in headings if f"### {h}\n" not in PAGE} == set()
