"""How well `freshqa.dataset.identity.match` follows questions across real releases.

    python benchmarks/dataset_identity.py

Against the labelled transitions: a match is right when the labels put both rows in one lineage.
Pairs held for a person count as neither matched nor missed, and are listed.
"""

from __future__ import annotations

import json
import os
from collections import Counter, defaultdict
from pathlib import Path
from typing import Any

from freshqa.dataset.identity import match
from freshqa.dataset.question import Question
from freshqa.dataset.release import read_release
from freshqa.dataset.wording import normalised_question

DATA = Path(os.environ.get("FRESHQA_TEST_DATA", Path(__file__).parents[2] / "shared" / "data"))
TRUTH = DATA / "truth" / "transitions_2023-11_to_2024-05.jsonl"
FILES = {
    "2023-11-13": "FreshQA_v11132023.csv",
    "2023-11-23": "FreshQA_v11232023.csv",
    "2024-02-05": "FreshQA_v02052024.csv",
    "2024-03-04": "FreshQA_v03042024.csv",
    "2024-03-11": "FreshQA_v03112024.csv",
    "2024-04-08": "FreshQA_v04082024.jsonl",
    "2024-05-27": "FreshQA_v05272024.xlsx",
}


def read(version: str) -> list[Question]:
    """Return the questions of a release, each under a key that is its row number there."""
    release = read_release(DATA / "freshqa" / FILES[version])
    return [q.with_key(f"{version}#{index}") for index, q in enumerate(release.questions)]


def transitions() -> dict[tuple[str, str], list[dict[str, Any]]]:
    """Return the labels of each pair of releases."""
    labels: dict[tuple[str, str], list[dict[str, Any]]] = defaultdict(list)
    for line in TRUTH.read_text(encoding="utf-8").split("\n"):
        if line:
            label = json.loads(line)
            labels[label["from_version"], label["to_version"]].append(label)
    return labels


def measure() -> tuple[dict[tuple[str, str], Counter[str]], list[str]]:
    """Verdicts of each transition, and the pairs worth reading."""
    notes: list[str] = []
    counts = {}
    for versions, labels in transitions().items():
        old, new = (read(version) for version in versions)
        counts[versions] = _verdicts(old, new, labels, notes)
    return counts, notes


def _verdicts(
    old: list[Question], new: list[Question], labels: list[dict[str, Any]], notes: list[str]
) -> Counter[str]:
    matching = match([question.with_key("") for question in new], old)
    keys = {question.key for question in old}
    texts = {normalised_question(question.text) for question in old}
    held = {pair.new: pair for pair in matching.unsure}
    counts: Counter[str] = Counter()
    for label in labels:
        question = matching.questions[label["id"]]
        same = "question_replaced" not in label["kind"]
        true_key = old[label["old_id"]].key if same else None
        counts["same text"] += normalised_question(question.text) in texts
        if question.text in held:
            verdict = "held: same" if held[question.text].key == true_key else "held: other"
        elif question.key in keys:
            verdict = "right" if question.key == true_key else "wrong"
        else:
            verdict = "missed" if same else "added"
        counts[verdict] += 1
        if verdict in ("wrong", "missed") or verdict.startswith("held"):
            notes.append(f"{verdict}: {label['old_question']!r} -> {label['question']!r}")
    pairs = matching.reworded
    notes += [f"{r.relation} ({r.similarity:.0f}): {r.old!r} -> {r.new!r}" for r in pairs]
    return counts


def main() -> None:
    counts, notes = measure()
    names = ("same text", "right", "wrong", "missed", "held: same", "held: other", "added")
    print("| from | to | " + " | ".join(names) + " |\n|" + "---|" * (len(names) + 2))
    for (old, new), verdicts in counts.items():
        print(f"| {old} | {new} | " + " | ".join(str(verdicts[name]) for name in names) + " |")
    total = sum(counts.values(), Counter())
    right, matched = total["right"], total["right"] + total["wrong"]
    positives = right + total["missed"] + total["held: same"]
    print(f"\nprecision {right}/{matched} = {right / matched:.4f}")
    print(f"recall {right}/{positives} = {right / positives:.4f}")
    print(f"a person is asked {total['held: same'] + total['held: other']} times\n")
    print(*notes, sep="\n")


if __name__ == "__main__":
    main()
