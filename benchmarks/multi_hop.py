"""Does chaining keep more answers of multi-hop questions than `consolidate`, at equal prompt budget?

    python -m benchmarks.multi_hop [--data ../shared/data]

Recorded Google searches of 2024-03-13, multi-hop questions. The budget is what
`consolidate` shows with n findings, in characters; chains are filled up to the same number.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from benchmarks.evidence_kept import FETCHED, holds
from freshqa.dataset.question import normalised_question
from freshqa.dataset.release import read_release
from freshqa.evidence.chains import by_chains
from freshqa.evidence.consolidate import PROFILES, consolidate
from freshqa.evidence.evidence import Evidence
from freshqa.evidence.parsing import parse
from freshqa.evidence.search_engine import SearchResult

BUDGETS = (1, 2, 3, 4, 5, 10)


def within(evidence: Sequence[Evidence], characters: int) -> list[Evidence]:
    """Return the first findings that fit into a number of characters."""
    kept: list[Evidence] = []
    for finding in evidence:
        characters -= len(finding.text)
        if characters >= 0:
            kept.append(finding)
        else:
            characters += len(finding.text)
    return kept


def main() -> None:
    """Print the table."""
    arguments = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    arguments.add_argument("--data", type=Path, default=Path("../shared/data"))
    data = arguments.parse_args().data
    release = read_release(data / "freshqa" / "FreshQA_v03112024.csv")
    questions = {normalised_question(one.text): one for one in release.questions}
    asked, kept, only = 0, Counter[tuple[str, int]](), Counter[tuple[str, int]]()
    for line in (data / "serp/google_2024-03-13_dev.jsonl").read_text("utf-8").splitlines():
        record = json.loads(line)
        question = questions.get(normalised_question(record["question"]))
        if question is None or not question.multi_hop:
            continue
        asked += 1
        found = parse(SearchResult("serpapi", question.text, record["response"], FETCHED))
        for n in BUDGETS:
            profile = replace(PROFILES["best"], kept=n)
            usual = consolidate(found, question=question.text, profile=profile)
            budget = sum(len(finding.text) for finding in usual)
            whole = replace(PROFILES["best"], kept=99)
            merged = consolidate(found, question=question.text, profile=whole)
            page_order = tuple(reversed(merged))
            chained = within(by_chains(page_order, question.text), budget)
            one, other = holds(usual, question.answers), holds(chained, question.answers)
            kept["consolidate", n] += one
            kept["chains", n] += other
            only["consolidate", n] += one and not other
            only["chains", n] += other and not one
        kept["everything found", 0] += holds(found, question.answers)
    print(f"{asked} multi-hop questions; an answer is found for {kept['everything found', 0]}.\n")
    print("| n | consolidate | chains | only consolidate | only chains |\n|---|---|---|---|---|")
    for n in BUDGETS:
        cells = (
            kept["consolidate", n],
            kept["chains", n],
            only["consolidate", n],
            only["chains", n],
        )
        print(f"| {n} | {' | '.join(map(str, cells))} |")


if __name__ == "__main__":
    main()
