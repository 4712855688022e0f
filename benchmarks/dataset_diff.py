"""How `freshqa.dataset.diff` names changes, beside the labels of real transitions.

    python benchmarks/dataset_diff.py

Labels come from canonical comparison and a check by hand; `answer_correction` needs knowledge of the
world and is compared as `answer_changed`. Every disagreement is listed.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from dataset_identity import read, transitions

from freshqa.dataset.diff import diff_snapshots
from freshqa.dataset.identity import match

IGNORED = {"none", "id_renumbered"}
SAME_AS = {"answer_correction": "answer_changed"}


@dataclass
class Agreement:
    """Counts a kind, and every question named otherwise."""

    labelled: Counter[str] = field(default_factory=Counter)
    detected: Counter[str] = field(default_factory=Counter)
    agreed: Counter[str] = field(default_factory=Counter)
    notes: list[str] = field(default_factory=list)


def measure() -> Agreement:
    """Compare all labelled transitions."""
    result = Agreement()
    for (old_version, new_version), labels in transitions().items():
        old = read(old_version)
        confirmed = {each["question"]: old[each["old_id"]].key for each in labels if _held(each)}
        incoming = [question.with_key("") for question in read(new_version)]
        new = match(incoming, old, confirmed=confirmed).questions
        changes = {change.key: set(change.kinds) for change in diff_snapshots(old, new).changed}
        for label in labels:
            if "question_replaced" in label["kind"]:
                continue  # not one question, but one removed and one added
            labelled = {SAME_AS.get(kind, kind) for kind in label["kind"]} - IGNORED
            ours = changes.get(new[label["id"]].key, set())
            result.labelled.update(labelled)
            result.detected.update(ours)
            result.agreed.update(labelled & ours)
            if labelled != ours:
                result.notes.append(_note(new_version, label, labelled, ours))
    return result


def main() -> None:
    result = measure()
    print("| kind | labelled | found | agreed |\n|---|---|---|---|")
    for kind in sorted(result.labelled | result.detected):
        counts = (result.labelled[kind], result.detected[kind], result.agreed[kind])
        print(f"| {kind} | " + " | ".join(map(str, counts)) + " |")
    print(
        f"\n{len(result.notes)} questions whose kinds differ from the labels:",
        *result.notes,
        sep="\n",
    )


def _held(label: dict[str, Any]) -> bool:
    """Rewordings that `match` would rather ask about."""
    return label.get("question_relation") == "reworded"


def _note(version: str, label: dict[str, Any], labelled: set[str], ours: set[str]) -> str:
    return (
        f"{version} {label['question'][:70]!r}: labelled {sorted(labelled - ours)}, "
        f"found {sorted(ours - labelled)}: {label['old_answers'][:3]} -> {label['new_answers'][:3]}"
    )


if __name__ == "__main__":
    main()
