"""How often the right answer is still in the evidence after each profile has chosen.

    python benchmarks/evidence_kept.py [--data ../shared/data]

Recorded Google searches of 2024-03-13 beside the release of 2024-03-11, valid premises only. An answer
counts as there when its words stand in a row in the title, snippet or highlight of one finding.
"""

from __future__ import annotations

import argparse
import json
import re
from collections import Counter
from collections.abc import Iterable
from datetime import datetime, timezone
from pathlib import Path

from freshqa.dataset.release import read_release
from freshqa.dataset.wording import normalised_question
from freshqa.evidence.consolidate import consolidate
from freshqa.evidence.evidence import Evidence
from freshqa.evidence.parsing import parse
from freshqa.evidence.profile import ABLATIONS, PROFILES
from freshqa.evidence.search_engine import SearchResult

FETCHED = datetime(2024, 3, 13, tzinfo=timezone.utc)


def spaced(text: str) -> str:
    """Words in a row, so that "12" is not found in "2012"."""
    words = re.findall(r"\w+", text.casefold())
    return f" {' '.join(words)} "


def holds(evidence: Iterable[Evidence], answers: tuple[str, ...]) -> bool:
    """Return True when one finding holds one of the answers."""
    said = [spaced(finding.text) for finding in evidence]
    return any(spaced(answer) in text for answer in answers for text in said)


def main() -> None:
    """Print the table."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--data", type=Path, default=Path("../shared/data"))
    data = arguments.parse_args().data
    release = read_release(data / "freshqa" / "FreshQA_v03112024.csv")
    questions = {normalised_question(question.text): question for question in release.questions}
    profiles = dict(PROFILES)
    for name in ABLATIONS:
        ablated = PROFILES["paper-gpt4"].ablated(name)
        profiles[ablated.name] = ablated
    asked, in_evidence, shown = 0, Counter[str](), Counter[str]()
    for line in (data / "serp/google_2024-03-13_dev.jsonl").read_text("utf-8").splitlines():
        record = json.loads(line)
        question = questions.get(normalised_question(record["question"]))
        if question is None or question.false_premise:
            continue
        asked += 1
        everything = parse(SearchResult("serpapi", question.text, record["response"], FETCHED))
        chosen = {"everything found": everything}
        for name, profile in profiles.items():
            chosen[name] = consolidate(everything, question=question.text, profile=profile)
        for name, evidence in chosen.items():
            in_evidence[name] += holds(evidence, question.answers)
            shown[name] += len(evidence)
    print(
        f"{asked} questions\n\n| profile | holds an answer | findings a question |\n|---|---|---|"
    )
    for name, number in in_evidence.items():
        shown_name = name if name == "everything found" else f"`{name}`"
        print(f"| {shown_name} | {number} ({number / asked:.1%}) | {shown[name] / asked:.2f} |")


if __name__ == "__main__":
    main()
