"""The store's everyday work on 600 rows; `benchmarks.store_versions` sets others beside it."""

from __future__ import annotations

import random
import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks.spread import Row
from benchmarks.store_contenders import Ours, as_frame, as_text
from benchmarks.store_versions import invented, measure, weeks

ROWS = 600
MANY, WEEKS = 20_000, 5
"""The fifth week is the last before the columns of all rows are written again: the slowest to read."""


def store_figures(repeats: int) -> Iterator[Row]:
    """CPU milliseconds to publish a week's version, to load it, and to compare it with the last."""
    dice = random.Random(7)
    published, loaded, compared = [], [], []
    with tempfile.TemporaryDirectory() as folder:
        store = Ours(Path(folder, "ours"))
        for number, rows in enumerate(weeks(invented(ROWS, dice), repeats + 1, dice), start=1):
            took = measure(lambda: store.publish(rows, number), 1)[0]  # noqa: B023 - at once
            if number == 1:
                store.load(1)  # pandas is imported once
                continue
            published.append(took)
            loaded.append(measure(lambda: store.load(number), 1)[0])  # noqa: B023
            compared.append(measure(lambda: store.diff(number - 1, number), 1)[0])  # noqa: B023
        store.store.close()
    yield Row(f"store on SQLite, {ROWS} rows: publish a version, CPU ms", published)
    yield Row(f"store on SQLite, {ROWS} rows: load a version as a DataFrame, CPU ms", loaded)
    yield Row(f"store on SQLite, {ROWS} rows: diff of adjacent versions, CPU ms", compared)
    yield from large_reads(repeats)


def large_reads(repeats: int) -> Iterator[Row]:
    """A large version into a DataFrame, beside the same rows from Parquet, in turns."""
    import pandas

    dice = random.Random(7)
    with tempfile.TemporaryDirectory() as folder:
        store = Ours(Path(folder, "large"))
        for number, rows in enumerate(weeks(invented(MANY, dice), WEEKS, dice), start=1):
            store.publish(rows, number)
        file = Path(folder, "rows.parquet")
        as_frame(as_text(rows)).to_parquet(file)
        for number, what in ((1, "all columns in one file"), (WEEKS, f"in {WEEKS} files")):
            pandas.read_parquet(file)
            store.load(number)
            turns = [
                (
                    measure(lambda: store.load(number), 1)[0],  # noqa: B023 - at once
                    measure(lambda: pandas.read_parquet(file), 1)[0],
                )
                for _ in range(repeats)
            ]
            ours, parquet = zip(*turns, strict=True)
            name = f"store on SQLite, {MANY:,} rows: load a version, {what}, CPU ms"
            yield Row(name, ours, "Parquet", parquet, "≤ 3×")
        store.store.close()
