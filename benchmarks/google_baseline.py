"""Does `search-only` on recorded searches reproduce the paper's Google Search baseline?

    python benchmarks/google_baseline.py

Prints, per column of the paper's table, how often what `search-only` reads off the page (answer
box, else first snippet) holds an answer of the release of 2024-03-11, over the questions recorded on
2024-03-13. The paper's figures are judgements by people in April 2023, of other pages: the pattern
over the columns is compared, not the decimals.
"""

from __future__ import annotations

import json
import os
from collections import Counter
from datetime import date
from pathlib import Path

from freshqa.answering.methods import answer
from freshqa.checking.find_answer import find
from freshqa.dataset.question import Question
from freshqa.dataset.release import read_release
from freshqa.dataset.wording import normalised_question
from freshqa.evaluation.columns import COLUMNS
from freshqa.evaluation.rate import Rate
from prefect_freshqa.blocks import RecordedSearch

DATA = Path(
    os.environ.get("FRESHQA_TEST_DATA", Path(__file__).parent.parent.parent / "shared" / "data")
)
RECORDING = DATA / "serp" / "google_2024-03-13_dev.jsonl"
RELEASE = DATA / "freshqa" / "FreshQA_v03112024.csv"
PAPER = {
    "valid": 58.8,
    "valid_fast": 42.4,
    "valid_slow": 56.0,
    "valid_never": 77.8,
    "valid_one_hop": 66.4,
    "valid_multi_hop": 39.8,
    "false": 12.9,
}
"""FreshLLMs (Vu et al. 2023), row "Google Search", relaxed, per cent."""


def measure() -> tuple[dict[str, Rate], Counter[str]]:
    """Rate per column, and from where the text was read."""
    recorded = {
        normalised_question(json.loads(line)["question"])
        for line in RECORDING.read_text("utf-8").splitlines()
    }
    questions = [
        q for q in read_release(RELEASE).questions if normalised_question(q.text) in recorded
    ]
    search = RecordedSearch(path=str(RECORDING)).get_engine()
    held: dict[int, bool] = {}
    read_from: Counter[str] = Counter()
    for number, question in enumerate(questions):
        response = answer(
            question.text, method="search-only", as_of=date(2024, 3, 13), search=search
        )
        kinds = {e.kind.value for e in response.evidence}
        read_from["answer box" if "answer-box" in kinds else "first snippet"] += 1
        held[number] = holds(response.text, question)
    rates = {}
    for column in COLUMNS:
        counted = [held[n] for n, question in enumerate(questions) if column.counts(question)]
        rates[column.name] = Rate(sum(counted), len(counted))
    return rates, read_from


def holds(text: str, question: Question) -> bool:
    """Return True when one of the answers is in the text, by the matching that refresh uses."""
    supports = (find(stored, text, question=question.text) for stored in question.answers)
    return any(hit is not None and hit.kind.value != "soft" for hit in supports)


def table() -> str:
    """Return the measurement as a Markdown table."""
    rates, read_from = measure()
    lines = [
        "| questions | n | holds an answer, % [95 % interval] | paper, % |",
        "|---|---|---|---|",
    ]
    for column in COLUMNS:
        name = f"{column.group}: {column.label}" if column.group else column.label
        rate = rates[column.name]
        lines.append(f"| {name} | {rate.n} | {rate} | {PAPER.get(column.name, '-')} |")
    sources = ", ".join(f"{count} from the {where}" for where, count in read_from.most_common())
    return "\n".join([*lines, "", f"Read: {sources}."])


if __name__ == "__main__":
    print(table())
