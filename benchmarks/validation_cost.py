"""What the gate costs, beside the same checks without Great Expectations.

    python benchmarks/validation_cost.py [--rows 600] [--repeat 5]

Three ways to judge the same draft and base, in CPU seconds (least of the repeats, so that other
work on the machine counts little):

- the gate: both suites on the draft, *dataset* and the order on its base;
- the same conditions called straight on the same frames with pandas, and their violations
  collected: what the framework adds is the difference;
- laying out the frames alone, which both need.

Also: what the first validation of a process pays for importing Great Expectations, and what the
pages of a refused draft cost. The rows are invented; a third of them changes.
"""

from __future__ import annotations

import argparse
import importlib
import inspect
import pkgutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from datetime import date
from pathlib import Path
from typing import Any

import pandas
from great_expectations import expectations as gxe

from freshqa.dataset.official_order import official_order
from freshqa.dataset.question import Question
from prefect_freshqa.expectations import custom
from prefect_freshqa.expectations.data_docs import write_data_docs
from prefect_freshqa.expectations.gate import base_suites, suites, validate
from prefect_freshqa.expectations.rule import Rule, Table

BASE_DAY, DAY = date(2025, 2, 10), date(2025, 3, 10)
KINDS = ("never-changing", "slow-changing", "fast-changing")
REVIEWS = {"never-changing": "N/A", "slow-changing": "occasionally", "fast-changing": "frequently"}


def world(rows: int) -> tuple[list[Question], list[Question]]:
    """A base and a draft in which every sixth fast-changing answer is new."""
    base = [row(number) for number in range(rows)]
    new = {"answer_0": "Oren Dask", "answer_1": "O. Dask", "effective_year": "2025"}
    draft = [q.with_changes(new) if n % 18 == 2 else q for n, q in enumerate(base)]
    return list(official_order(base)), list(official_order(draft))


def row(number: int) -> Question:
    kind = KINDS[number % 3]
    fields = {
        "split": "DEV" if number % 6 == 0 else "TEST",
        "question": f"Who leads the guild of the lamp makers in street number {number}?",
        "effective_year": "2024",
        "next_review": REVIEWS[kind],
        "false_premise": "FALSE",
        "num_hops": "multi-hop" if number % 4 == 0 else "one-hop",
        "fact_type": kind,
        "source": f"https://guild{number}.example/wiki#:~:text=led%20by%20Mira%20Vale%20{number}",
        "answer_0": f"Mira Vale {number}",
        "answer_1": f"M. Vale {number}",
    }
    return Question(fields, key=f"q-{number:06}")


def cpu(work: Callable[[], object], repeat: int) -> float:
    """Least CPU seconds of several runs."""
    taken = []
    for _ in range(repeat):
        start = time.process_time()
        work()
        taken.append(time.process_time() - start)
    return min(taken)


def plain(tables: Iterable[Table]) -> int:
    """Every rule of every table, its condition called on the frame; how many rows break one."""
    return sum(len(broken(rule, table.frame)) for table in tables for rule in table.rules)


def broken(rule: Rule, frame: pandas.DataFrame) -> list[tuple[str, str, str]]:
    """Rule, key and wording of each row that breaks the rule, as a pandas user would find them."""
    if rule.where is not None:
        column, value = rule.where
        frame = frame[frame[column] == value]
    wrong = frame.loc[
        holds(rule.expectation, frame).eq(False).reindex(frame.index, fill_value=False)
    ]
    return [(rule.name, row.key, row.asked) for row in wrong.itertuples()]


def holds(expectation: Any, frame: pandas.DataFrame) -> pandas.Series[bool]:
    """Row by row, whether the condition of an expectation holds; empty cells left out as there."""
    name, asked = type(expectation).__name__, expectation.dict()
    if isinstance(expectation, gxe.ExpectColumnValuesToNotMatchRegex):
        return ~frame[asked["column"]].dropna().astype(str).str.contains(asked["regex"])
    provider = PROVIDERS.get(getattr(expectation, "map_metric", ""))
    if provider is None:
        return CORE[name](frame, asked)
    several = "column_list" in asked
    cells = frame[list(asked["column_list"])] if several else frame[asked["column"]].dropna()
    values = {name: value for name, value in asked.items() if not name.startswith("column")}
    return inspect.unwrap(provider._pandas)(provider, cells, **values)


def providers() -> dict[str, Any]:
    """Metric name → the class whose condition we wrote."""
    modules = [
        importlib.import_module(f"{custom.__name__}.{module.name}")
        for module in pkgutil.iter_modules(custom.__path__)
    ]
    return {
        thing.condition_metric_name: thing
        for module in modules
        for thing in vars(module).values()
        if getattr(thing, "condition_metric_name", None) and thing.__module__ == module.__name__
    }


def _one(frame: pandas.DataFrame, fine: bool) -> pandas.Series[bool]:
    return pandas.Series(fine, frame.index[:1])


CORE: dict[str, Callable[[pandas.DataFrame, dict[str, Any]], pandas.Series[bool]]] = {
    "ExpectTableRowCountToBeBetween": lambda f, k: _one(f, len(f) >= k["min_value"]),
    "ExpectColumnValuesToNotBeNull": lambda f, k: f[k["column"]].notna(),
    "ExpectColumnValuesToBeUnique": lambda f, k: ~f[k["column"]].dropna().duplicated(keep=False),
    "ExpectColumnValuesToBeInSet": lambda f, k: f[k["column"]].dropna().isin(k["value_set"]),
    "ExpectColumnValuesToNotBeInSet": lambda f, k: ~f[k["column"]].dropna().isin(k["value_set"]),
    "ExpectColumnValuesToMatchRegex": lambda f, k: (
        f[k["column"]].dropna().astype(str).str.contains(k["regex"])
    ),
    "ExpectColumnValueLengthsToBeBetween": lambda f, k: (
        f[k["column"]].dropna().astype(str).str.len() <= k["max_value"]
    ),
    "ExpectColumnPairValuesToBeEqual": lambda f, k: (
        (f[k["column_A"]] == f[k["column_B"]]) | f[k["column_A"]].isna() | f[k["column_B"]].isna()
    ),
    "ExpectColumnMeanToBeBetween": lambda f, k: _one(
        f, (k["min_value"] or 0) <= f[k["column"]].astype(float).mean() <= k["max_value"]
    ),
}
PROVIDERS = providers()


def imported() -> float:
    """CPU seconds that a new process spends on importing the suites."""
    code = (
        "import time; import pandas; start = time.process_time()\n"
        "import prefect_freshqa.expectations.update_suite\n"
        "print(time.process_time() - start)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return float(done.stdout)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--rows", type=int, default=600)
    parser.add_argument("--repeat", type=int, default=5)
    arguments = parser.parse_args()
    base, draft = world(arguments.rows)

    def beside() -> Iterable[Table]:
        return suites(draft, as_of=DAY, base=base, base_as_of=BASE_DAY)

    def tables() -> tuple[Table, ...]:
        return (*beside(), *base_suites(base, as_of=BASE_DAY))

    ready = tables()
    report = validate(draft, as_of=DAY, base=base, base_as_of=BASE_DAY)
    found = len(report.errors) + len(report.warnings)
    print(f"{arguments.rows} rows and a base, {sum(len(t.rules) for t in ready)} rules run")
    gate = cpu(lambda: validate(draft, as_of=DAY, base=base, base_as_of=BASE_DAY), arguments.repeat)
    frames = cpu(tables, arguments.repeat)
    checks = cpu(lambda: plain(ready), arguments.repeat)
    print(f"the gate                         {gate:6.2f} s CPU, {found} findings")
    alone = plain(ready)
    print(f"frames and pandas alone          {frames + checks:6.2f} s CPU, {alone} findings")
    if alone != found:
        raise SystemExit("the two ways disagree: the figures do not compare the same work")
    print(f"  of it laying out the frames    {frames:6.2f} s CPU")
    print(f"ratio                            {gate / (frames + checks):6.1f}")
    print(f"import, once a process           {imported():6.2f} s CPU")
    with tempfile.TemporaryDirectory() as folder:
        pages = cpu(lambda: write_data_docs(beside(), Path(folder)), 1)
        size = sum(file.stat().st_size for file in Path(folder).rglob("*") if file.is_file())
    print(f"Data Docs of a refused draft     {pages:6.2f} s CPU, {size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
