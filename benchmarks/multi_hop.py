"""Does chaining keep more answers than `consolidate`, at equal prompt budget? Are hops read right?

    python -m benchmarks.multi_hop [--data ../shared/data]

Recorded Google searches of 2024-03-13. The budget is what `consolidate` shows with n findings: their
number, or their characters, into which as many findings of the chains are filled as fit. One-hop
questions are a control.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from benchmarks.evidence_kept import FETCHED, holds
from freshqa.dataset.question import Question
from freshqa.dataset.release import read_release
from freshqa.dataset.wording import normalised_question
from freshqa.evidence.chains import by_chains
from freshqa.evidence.consolidate import consolidate
from freshqa.evidence.evidence import Evidence
from freshqa.evidence.parsing import parse
from freshqa.evidence.profile import PROFILES
from freshqa.evidence.search_engine import SearchResult
from freshqa.maintaining.hops import MIN_ALONE, answering_alone

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


def recorded(data: Path) -> Iterator[tuple[Question, tuple[Evidence, ...]]]:
    """Yield every recorded question with all that was found."""
    release = read_release(data / "freshqa" / "FreshQA_v03112024.csv")
    questions = {normalised_question(question.text): question for question in release.questions}
    for line in (data / "serp/google_2024-03-13_dev.jsonl").read_text("utf-8").splitlines():
        record = json.loads(line)
        if question := questions.get(normalised_question(record["question"])):
            yield (
                question,
                parse(SearchResult("serpapi", question.text, record["response"], FETCHED)),
            )


def chosen(
    question: Question, evidence: Sequence[Evidence], n: int
) -> dict[str, Sequence[Evidence]]:
    """Return what each way of choosing shows within the budget of n findings."""
    best = PROFILES["best"]
    usual = consolidate(evidence, question=question.text, profile=replace(best, kept=n))
    merged = consolidate(evidence, question=question.text, profile=replace(best, kept=99))
    chained = by_chains(tuple(reversed(merged)), question.text)  # in the page's order, best first
    return {
        "consolidate": usual,
        "characters": within(chained, sum(len(finding.text) for finding in usual)),
        "findings": chained[: len(usual)],
    }


def table(title: str, rows: Sequence[tuple[Question, tuple[Evidence, ...]]]) -> Iterator[str]:
    """Yield the lines of a table: how often an answer is kept."""
    held = sum(holds(evidence, question.answers) for question, evidence in rows)
    yield f"{len(rows)} questions; an answer is found for {held}.\n"
    yield f"| {title}, n | `consolidate` | chains, same characters | chains, same findings |"
    yield "|---|---|---|---|"
    for n in BUDGETS:
        kept, changed = Counter[str](), Counter[tuple[str, bool]]()
        for question, evidence in rows:
            holding = {
                way: holds(evidence, question.answers)
                for way, evidence in chosen(question, evidence, n).items()
            }
            for way, holds_answer in holding.items():
                kept[way] += holds_answer
                if holds_answer != holding["consolidate"]:
                    changed[way, holds_answer] += 1
        cells = (
            f"{kept[way]} (+{changed[way, True]} -{changed[way, False]})"
            for way in ("characters", "findings")
        )
        yield f"| {n} | {kept['consolidate']} | {' | '.join(cells)} |"


def answered_alone(rows: Sequence[tuple[Question, tuple[Evidence, ...]]]) -> str:
    """Return for how many true premises each of several sources answers the question alone."""
    valid = [(question, evidence) for question, evidence in rows if not question.false_premise]
    alone = [
        len(answering_alone(question.text, question.answers, evidence)) >= MIN_ALONE
        for question, evidence in valid
    ]
    return f"{MIN_ALONE} sources answer alone: {sum(alone)} of {len(valid)} valid premises."


def main() -> None:
    """Print a table for multi-hop questions, and one for the others."""
    arguments = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    arguments.add_argument("--data", type=Path, default=Path("../shared/data"))
    rows = list(recorded(arguments.parse_args().data))
    for title, multi_hop in (("multi-hop", True), ("one-hop", False)):
        some = [row for row in rows if row[0].multi_hop is multi_hop]
        print("\n".join(table(title, some)))
        print(f"\n{answered_alone(some)}\n")


if __name__ == "__main__":
    main()
