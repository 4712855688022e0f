"""All rows of FreshLLMs' Tables 1 and 5 for one model, by `prefect-freshqa evaluate`.

    python -m benchmarks.table1 --model openai:MODEL --search serpapi --judge openai:gpt-4o --mode both

Every further option goes to `evaluate` as it is: --store, --as-of, --version, --budget-usd, --split,
--demonstrations, --judge-prompt. One evaluation a row; a row that is finished is not paid again.
Prints markdown: percent, 95 % interval and n. `--rows "few-shot; freshprompt"`
runs some rows only. FRESHQA_COMMAND is the command, if not `prefect-freshqa` beside this Python.
"""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

PAPER = "paper-gpt4/256-tokens"
ROWS = {
    "google search": ("search-only", PAPER),
    "closed-book": ("closed-book", PAPER),
    "Q: … A:": ("q-a", PAPER),
    "few-shot": ("few-shot", PAPER),
    "chain-of-thought": ("chain-of-thought", PAPER),
    "self-ask": ("self-ask", PAPER),
    "freshprompt": ("freshprompt", PAPER),
    **{
        f"freshprompt, {name}": ("freshprompt", f"{PAPER}/{switches}")
        for name, switches in (
            ("premise check", "premise-check"),
            ("without answer box", "no-answer-box"),
            ("without answer box and related", "no-related"),
            ("snippets only, search order", "snippets-only/search-order"),
            ("snippets only, time order", "snippets-only"),
            ("snippets only, random order", "snippets-only/random-order"),
            ("search order", "search-order"),
            ("random order", "random-order"),
            ("answer box competes for n", "paper-cut"),
            ("1 evidence", "1-evidence"),
            ("5 evidences", "5-evidences"),
            ("15 evidences", "15-evidences"),
            ("15 evidences, 15 demonstrations", "15-evidences/15-demonstrations"),
            ("15 evidences, long answers", "15-evidences/verbose"),
        )
    },
}
"""Row → method and profile."""
COLUMNS = ("all", "valid", "valid_fast", "valid_slow", "valid_never", "false")


def evaluate(method: str, profile: str, options: Sequence[str]) -> dict[str, Any]:
    """Return the result of one evaluation."""
    beside = str(Path(sys.executable).with_name("prefect-freshqa"))
    command = shlex.split(os.environ.get("FRESHQA_COMMAND", "")) or [beside]
    asked = [*command, "evaluate", "--method", method, "--profile", profile, *options, "--json"]
    done = subprocess.run(asked, capture_output=True, text=True, check=False)
    try:
        result = json.loads(done.stdout)
    except ValueError:
        sys.exit(done.stderr or f"{' '.join(asked)} printed no JSON")
    if "error" in result:
        sys.exit(f"{method}, {profile}: {result['error']['message']} {result['error']['remedy']}")
    return dict(result)


def cell(rate: dict[str, Any] | None) -> str:
    """`61.4 [57.1, 65.6] n=500`; unrated responses are named."""
    if rate is None or not rate["n"]:
        return "-"
    unrated = f", {rate['left_out']} unrated" if rate["left_out"] else ""
    low, high = 100 * rate["low"], 100 * rate["high"]
    return f"{100 * rate['value']:.1f} [{low:.1f}, {high:.1f}] n={rate['n']}{unrated}"


def main() -> None:
    options = sys.argv[1:]
    names = list(ROWS)
    if "--rows" in options:
        place = options.index("--rows")
        names = [name.strip() for name in options[place + 1].split(";")]
        if unknown := [name for name in names if name not in ROWS]:
            sys.exit(f"Unknown row {unknown[0]!r}. Rows, joined by `;`: {'; '.join(ROWS)}.")
        del options[place : place + 2]
    print(f"| method | mode | {' | '.join(COLUMNS)} |\n|{'---|' * (len(COLUMNS) + 2)}")
    for name in names:
        result = evaluate(*ROWS[name], options)
        for mode in dict.fromkeys(cell["mode"] for cell in result["table"]):
            rates = {cell["column"]: cell for cell in result["table"] if cell["mode"] == mode}
            cells = (cell(rates.get(column)) for column in COLUMNS)
            print(f"| {name} | {mode} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
