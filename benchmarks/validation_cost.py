"""What the gate costs, beside the same checks without Great Expectations.

    python benchmarks/validation_cost.py [--rows 600] [--repeat 5]

In CPU seconds, least of the repeats, so that other work on the machine counts little:

- the gate: both suites on the draft, *dataset* and the order on what differs in its base;
- laying out the frames, which is part of it;
- importing Great Expectations, once a process: what the gate is measured by;
- the suites of the draft by Great Expectations' own engine, which resolves each metric by itself;
- the pages of a refused draft, written from the results of the gate.

The rows are invented; every eighteenth changes.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from datetime import date
from pathlib import Path

from great_expectations.core import ExpectationSuite

from freshqa.dataset.official_order import official_order
from freshqa.dataset.question import Question
from prefect_freshqa.expectations.data_docs import write_data_docs
from prefect_freshqa.expectations.engine import batch_of
from prefect_freshqa.expectations.gate import judge, suites, validate
from prefect_freshqa.expectations.one_pass import result_format
from prefect_freshqa.expectations.rule import Table

BASE_DAY, DAY = date(2025, 2, 10), date(2025, 3, 10)
KINDS = ("never-changing", "slow-changing", "fast-changing")
REVIEWS = {"never-changing": "N/A", "slow-changing": "occasionally", "fast-changing": "frequently"}


def world(rows: int) -> tuple[list[Question], list[Question]]:
    """Return a base and a draft in which every sixth fast-changing answer is new."""
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


def by_the_engine(tables: Iterable[Table]) -> None:
    """Every rule of the draft by Great Expectations' own engine, one metric after the other."""
    for table in tables:
        with batch_of(table) as batch:
            suite = ExpectationSuite("engine", expectations=[r.configured for r in table.rules])
            batch.validate(suite, result_format=result_format(table.frame))


def imported() -> float:
    """CPU seconds that a new process spends on importing Great Expectations."""
    code = (
        "import time; start = time.process_time()\n"
        "import great_expectations\n"
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

    report = validate(draft, as_of=DAY, base=base, base_as_of=BASE_DAY)
    findings = len(report.errors) + len(report.warnings)
    print(f"{arguments.rows} rows and a base, {report.evaluated} rules, {findings} findings")
    gate = cpu(lambda: validate(draft, as_of=DAY, base=base, base_as_of=BASE_DAY), arguments.repeat)
    frames = cpu(lambda: sum(len(table.frame) for table in beside()), arguments.repeat)
    once = min(imported() for _ in range(arguments.repeat))
    print(f"the gate                         {gate:6.2f} s CPU")
    print(f"  of it building the frames      {frames:6.2f} s CPU")
    print(f"import great_expectations        {once:6.2f} s CPU")
    print(f"the gate, ratio to that import   {gate / once:6.2f}")
    engine = cpu(lambda: by_the_engine(beside()), 1)
    print(f"the draft in GX's own engine     {engine:6.2f} s CPU")
    with tempfile.TemporaryDirectory() as folder:
        judged = judge(draft, as_of=DAY, base=base, base_as_of=BASE_DAY)
        pages = cpu(lambda: write_data_docs(judged.results, Path(folder)), 1)
        size = sum(file.stat().st_size for file in Path(folder).rglob("*") if file.is_file())
    print(f"Data Docs of a refused draft     {pages:6.2f} s CPU, {size / 1000:.0f} kB")


if __name__ == "__main__":
    main()
