"""Do the chosen passages hold the answer where the whole page does?

Run with: python -m benchmarks.passages [--data FOLDER] [--pages 5] [--budget 1000]
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
import time
from collections import Counter
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

from freshqa.evidence.passages import passages

WORD = re.compile(r"\w+")
DATA = Path(__file__).parents[2] / "shared" / "data"


def questions(data: Path) -> list[dict[str, Any]]:
    """The recorded questions that have pages; every second day of questions is for development."""
    with gzip.open(data / "realtimeqa" / "2025.jsonl.gz", "rt", encoding="utf-8") as lines:
        rows = [json.loads(line) for line in lines]
    days = sorted({day_of(row) for row in rows})
    return [{**row, "development": days.index(day_of(row)) % 2 == 0} for row in rows]


def day_of(row: dict[str, Any]) -> date:
    return date(*map(int, row["searched"].replace("-", "/").split("/")[:3]))


def holds(text: str, answer: str) -> bool:
    """Whether the words of the right choice are consecutive in a text.

    Case, punctuation, a leading article and a plural `s` do not count.
    """
    wanted = re.sub(r"^ (?:the|a|an) ", " ", plain(answer))
    return wanted in plain(text)


@cache
def plain(text: str) -> str:
    return f" {' '.join(word.rstrip('s') or word for word in WORD.findall(text.casefold()))} "


def measure(rows: list[dict[str, Any]], *, pages: int, budget: int) -> Counter[str]:
    counts: Counter[str] = Counter()
    for row in rows:
        answer, day = row["answer"][0], day_of(row)
        texts = [page["text"] for page in row["results"] if page["text"]]
        titles = " \n".join(page["title"] or "" for page in row["results"])
        chosen = passages(row["question"], texts, as_of=day, budget=budget, most=pages)
        counts["questions"] += 1
        counts["titles"] += holds(titles, answer)
        whole = any(holds(text, answer) for text in texts)
        counts["whole pages"] += whole
        counts["first characters"] += whole and any(
            holds(t[:budget], answer) for t in texts[:pages]
        )
        counts["passages"] += whole and any(holds(text, answer) for text in chosen)
        counts["titles or passages"] += any(holds(text, answer) for text in (titles, *chosen))
        counts["characters"] += sum(map(len, chosen))
        counts["of pages"] += sum(map(bool, chosen))
    return counts


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=DATA)
    parser.add_argument("--pages", type=int, default=5)
    parser.add_argument("--budget", type=int, default=1_000)
    options = parser.parse_args()
    rows = questions(options.data)
    parts = {
        "development": [row for row in rows if row["development"]],
        "held out": [row for row in rows if not row["development"]],
        "all": rows,
    }
    print(
        "| questions | n | in titles | in titles or passages | in whole pages | first characters, of these "
        "| passages, of these | cost |"
    )
    print("|---|---|---|---|---|---|---|---|")
    for name, part in parts.items():
        began = time.perf_counter()
        got = measure(part, pages=options.pages, budget=options.budget)
        n, whole = got["questions"], got["whole pages"]
        shares = (
            f"{got[key]} ({got[key] / n:.0%})"
            for key in ("titles", "titles or passages", "whole pages")
        )
        cut = (f"{got[key]} ({got[key] / whole:.1%})" for key in ("first characters", "passages"))
        print(f"| {name} | {n} | {' | '.join(shares)} | {' | '.join(cut)} |", end="")
        print(f" {got['characters'] / max(1, got['of pages']):.0f} characters a page,", end="")
        print(f" {time.perf_counter() - began:.1f} s |")


if __name__ == "__main__":
    main()
