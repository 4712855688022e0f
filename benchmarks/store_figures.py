"""The store's everyday work on 600 rows; `benchmarks.store_versions` sets others beside it."""

from __future__ import annotations

import random
import tempfile
from collections.abc import Iterator
from pathlib import Path

from benchmarks.spread import Row
from benchmarks.store_contenders import Ours
from benchmarks.store_versions import invented, measure, weeks

ROWS = 600


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
