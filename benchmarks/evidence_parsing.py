"""Evidence from a results page to its place in the prompt: ours beside the notebook's procedure.

    python benchmarks/evidence_parsing.py [--data ../shared/data] [--repeat 7]

Measured per question: parse the body, choose and order the evidence, print it. Both sides see the
same bodies in the same process, turn by turn; the figure is the median over the bodies of each
body's fastest turn, in CPU time (the machine may be busy). Not measured: reading JSON, the network, the model. The notebook's procedure
does not clean text, look for attacks or read any date but English ones.
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from notebook_procedure import evidence_rows, prompt_part

from freshqa.answering.paper_prompt import question_block
from freshqa.errors import FreshQAError
from freshqa.evidence.consolidate import consolidate
from freshqa.evidence.parsing import parse
from freshqa.evidence.profile import PROFILES
from freshqa.evidence.search_engine import SearchResult

NOW = datetime(2026, 11, 27, 20, tzinfo=timezone.utc)
Case = tuple[str, Mapping[str, Any]]


def recorded_questions(data: Path) -> Iterator[Case]:
    """Yield the recorded searches for FreshQA questions: few hits, no dates."""
    lines = (data / "serp/google_2024-03-13_dev.jsonl").read_text("utf-8").splitlines()
    for line in lines:
        record = json.loads(line)
        yield record["question"], record["response"]


def whole_pages(data: Path) -> Iterator[Case]:
    """Whole result pages with everything on them."""
    for path in sorted((data / "serpapi").glob("*.json")):
        body = json.loads(path.read_text("utf-8"))
        if len(body.get("organic_results") or []) >= 8:
            yield path.stem.replace("_", " "), body


def ours(profile: str) -> Callable[[str, Mapping[str, Any]], str]:
    """Our way with one profile."""

    def run(question: str, body: Mapping[str, Any]) -> str:
        findings = parse(SearchResult("serpapi", question, body, NOW))
        kept = consolidate(findings, question=question, profile=PROFILES[profile])
        return question_block(question, kept, "\nanswer: ")

    return run


def notebook(question: str, body: Mapping[str, Any]) -> str:
    """Return the notebook's way."""
    return prompt_part(question, evidence_rows(body, now=NOW))


SUBJECTS: dict[str, Callable[[str, Mapping[str, Any]], str]] = {
    "notebook's procedure, fixed": notebook,
    "ours, profile `notebook`": ours("notebook"),
    "ours, profile `paper-gpt4`": ours("paper-gpt4"),
    "ours, profile `best`": ours("best"),
}


def measure(cases: list[Case], repeat: int) -> dict[str, float]:
    """Subject → median over the bodies of the fastest of `repeat` turns, in µs."""
    fastest = {name: [float("inf")] * len(cases) for name in SUBJECTS}
    for _ in range(repeat):
        for number, (question, body) in enumerate(cases):
            for name, run in SUBJECTS.items():
                started = time.process_time()
                run(question, body)
                taken = (time.process_time() - started) * 1e6
                fastest[name][number] = min(fastest[name][number], taken)
    return {name: statistics.median(times) for name, times in fastest.items()}


def counts(data: Path) -> None:
    """Evidence by kind over every recorded body."""
    total: Counter[str] = Counter()
    dated: Counter[str] = Counter()
    flags: Counter[str] = Counter()
    errors: Counter[str] = Counter()
    for path in sorted((data / "serpapi").glob("*.json")):
        body = json.loads(path.read_text("utf-8"))
        try:
            findings = parse(SearchResult("serpapi", "", body.get("body", body), NOW))
        except FreshQAError as refused:
            errors[type(refused).__name__] += 1
            continue
        total.update(finding.kind.value for finding in findings)
        dated.update(finding.kind.value for finding in findings if finding.date)
        flags.update(flag for finding in findings for flag in finding.flags)
    print("\n| kind | findings | dated |\n|---|---|---|")
    for kind, number in total.most_common():
        print(f"| {kind} | {number} | {dated[kind]} |")
    print(f"| all | {sum(total.values())} | {sum(dated.values())} |")
    print(f"\nError bodies: {dict(errors)}; flags: {dict(flags)}")


def main() -> None:
    """Print the tables."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--data", type=Path, default=Path("../shared/data"))
    arguments.add_argument("--repeat", type=int, default=7)
    given = arguments.parse_args()
    for title, cases in (
        ("recorded FreshQA searches", list(recorded_questions(given.data))),
        ("whole pages", list(whole_pages(given.data))),
    ):
        medians = measure(cases, given.repeat)
        base = medians["notebook's procedure, fixed"]
        print(f"\n{len(cases)} {title}\n\n| subject | µs per question | ratio |\n|---|---|---|")
        for name, microseconds in medians.items():
            print(f"| {name} | {microseconds:.0f} | {microseconds / base:.2f} |")
    counts(given.data)


if __name__ == "__main__":
    main()
