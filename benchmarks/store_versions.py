"""Versions of a table beside full copies, git with CSV, Delta Lake and DVC: same work, one run.

    python -m benchmarks.store_versions                          # 600 questions, 52 versions
    python -m benchmarks.store_versions --versions 520
    python -m benchmarks.store_versions --questions 100000 --versions 20 --seconds 120

Each week 8 % of the invented rows change (mostly the fast-changing ones) and a few move to another
place, as releases do. Figures are CPU milliseconds of this process and its children, the least of
several tries, and in brackets the ratio to ours on SQLite; PostgreSQL's own work is not in its
figure, so its wall time stands beside it. A contender that needs more than `--seconds` to publish stops early
and says how many versions it has. Delta Lake and DVC take part where they are installed.
"""

from __future__ import annotations

import argparse
import random
import resource
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from benchmarks.store_alternatives import available
from benchmarks.store_contenders import (
    Contender,
    Ours,
    OursOnPostgreSQL,
    as_frame,
    as_text,
)
from freshqa.dataset.question import Question, new_key

SHARE = 0.08
WEIGHTS = {"fast-changing": 2.4, "slow-changing": 0.55, "never-changing": 0.08}
STEPS = (
    "publish", "latest → DataFrame", "old", "diff adjacent", "diff far", "history of one", "verify all",
)  # fmt: skip


def cpu() -> float:
    """CPU seconds of this process and of finished children."""
    children = resource.getrusage(resource.RUSAGE_CHILDREN)
    return time.process_time() + children.ru_utime + children.ru_stime


def measure(work: Callable[[], Any], tries: int) -> tuple[float, float]:
    """Least CPU and least wall time in milliseconds."""
    spent = []
    for _ in range(tries):
        began, wall = cpu(), time.perf_counter()
        work()
        spent.append((cpu() - began, time.perf_counter() - wall))
    return min(s[0] for s in spent) * 1000, min(s[1] for s in spent) * 1000


def invented(questions: int, dice: random.Random) -> list[Question]:
    """Return the rows of the size and shape of the benchmark's."""
    words = [
        "".join(dice.choices("aeioubdfgklmnprstvz", k=dice.randint(2, 9))) for _ in range(4000)
    ]

    def say(least: int, most: int) -> str:
        return " ".join(dice.choices(words, k=dice.randint(least, most)))

    rows = []
    for number in range(questions):
        fact_type = dice.choices(list(WEIGHTS), [1, 1.5, 1.4])[0]
        text = f"What is {say(5, 12)} {number}?"
        fields = {
            "split": "TEST",
            "question": text,
            "fact_type": fact_type,
            "effective_year": "2025",
            "next_review": "occasionally",
            "false_premise": "FALSE",
            "num_hops": "one-hop",
            "source": f"https://{dice.choice(words)}.example/{say(3, 9).replace(' ', '_')}",
            **{f"answer_{slot}": say(1, 5) for slot in range(dice.choice([1, 1, 2, 4]))},
        }
        rows.append(Question(fields, new_key(text)))
    return rows


def weeks(rows: list[Question], versions: int, dice: random.Random) -> Iterator[list[Question]]:
    """Yield the table week by week."""
    yield rows
    weights = [WEIGHTS[row.fact_type] for row in rows]
    for week in range(2, versions + 1):
        rows = list(rows)
        for place in set(dice.choices(range(len(rows)), weights, k=int(len(rows) * SHARE))):
            new = {"next_review": f"week {week}", "answer_0": f"{rows[place].primary[:20]} {week}"}
            rows[place] = rows[place].with_changes(new)
        for _ in range(3):
            rows.insert(dice.randrange(len(rows)), rows.pop(dice.randrange(len(rows))))
        yield rows


def run(kind: type[Contender], options: argparse.Namespace, folder: Path) -> dict[str, Any]:
    """Return all steps of one contender."""
    dice = random.Random(7)
    contender = kind(folder / kind.__name__)
    published: list[tuple[float, float]] = []
    deadline = time.monotonic() + options.seconds
    for number, rows in enumerate(
        weeks(invented(options.questions, dice), options.versions, dice), 1
    ):
        published.append(measure(lambda: contender.publish(rows, number), 1))  # noqa: B023 - at once
        if time.monotonic() > deadline and number >= 3:
            break
    last, tries = len(published), options.tries
    key = rows[0].key
    work = {
        "latest → DataFrame": lambda: contender.load(last),
        "old": lambda: contender.load(max(1, last // 10)),
        "diff adjacent": lambda: contender.diff(last - 1, last),
        "diff far": lambda: contender.diff(max(1, last // 10), last),
        "history of one": lambda: contender.history(key, last),
        "verify all": contender.verify,
    }
    figures: dict[str, Any] = {"publish": min(published[1:]), "versions": last}
    for step, action in work.items():
        slow = step == "history of one" and not isinstance(contender, Ours)
        figures[step] = measure(action, 1 if slow or step == "verify all" else tries)
    if contender.verify() is None:
        figures["verify all"] = None
    figures["bytes"] = contender.size()
    if isinstance(contender, OursOnPostgreSQL):
        contender.drop()
    return figures


def show(results: dict[str, dict[str, Any]]) -> None:
    """A table: one line per contender, ratios to ours on SQLite."""
    base = results[Ours.name]
    head = ["", *STEPS, "MB a version", "versions"]
    print("| " + " | ".join(head) + " |\n|" + "---|" * len(head))
    for name, figures in results.items():
        cells = [name]
        for step in STEPS:
            times = figures[step]
            if times is None:
                cells.append("none")
                continue
            milliseconds, wall = times
            ratio = milliseconds / max(base[step][0], 0.01)
            aside = f" wall {wall:.1f}" if name == OursOnPostgreSQL.name else ""
            cells.append(f"{milliseconds:.1f} ({ratio:.2g}×){aside}")
        cells.append(f"{figures['bytes'] / figures['versions'] / 1e6:.3f}")
        cells.append(str(figures["versions"]))
        print("| " + " | ".join(cells) + " |")


def beside_parquet(questions: int, tries: int, folder: Path) -> None:
    """A version into a DataFrame, beside the same rows from a Parquet file, in turns."""
    import pandas

    ours = Ours(folder / "parquet")
    rows = invented(questions, random.Random(7))
    ours.publish(rows, 1)
    file = folder / "rows.parquet"
    as_frame(as_text(rows)).to_parquet(file)
    turns = [
        (measure(lambda: ours.load(1), 1)[0], measure(lambda: pandas.read_parquet(file), 1)[0])
        for _ in range(tries * 5)
    ]
    store, parquet = (min(times) for times in zip(*turns, strict=True))
    print(
        f"\n{questions} rows into a DataFrame: store {store:.1f} ms, Parquet {parquet:.1f} ms CPU: "
        f"{store / parquet:.2f}×"
    )


def main() -> None:
    """Run every contender and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--questions", type=int, default=600)
    parser.add_argument("--versions", type=int, default=52)
    parser.add_argument("--tries", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=60, help="time to publish, each")
    parser.add_argument("--no-postgres", dest="postgres", action="store_false")
    parser.add_argument("--only", nargs="*", help="names that contain one of these words")
    options = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="versions-"))
    results = {}
    try:
        for kind in available(options.postgres):
            if kind is Ours or not options.only or any(word in kind.name for word in options.only):
                results[kind.name] = run(kind, options, folder)
                print(f"{kind.name}: {results[kind.name]['versions']} versions", flush=True)
        print(f"\n{options.questions} questions, CPU ms\n")
        show(results)
        beside_parquet(options.questions, options.tries, folder)
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
