"""How `freshqa.dataset.diff` names changes, beside the labels of real transitions.

    python benchmarks/dataset_diff.py

Labels come from canonical comparison and a check by hand; `answer_correction` needs knowledge of the
world and is compared as `answer_changed`. Every disagreement is listed.
"""

from __future__ import annotations

from collections import Counter
from typing import Any

from dataset_identity import read, transitions

from freshqa.dataset.diff import diff_snapshots
from freshqa.dataset.identity import match

IGNORED = {"none", "id_renumbered"}
SAME_AS = {"answer_correction": "answer_changed"}


def main() -> None:
    agreed: Counter[str] = Counter()
    labelled: Counter[str] = Counter()
    found: Counter[str] = Counter()
    notes: list[str] = []
    for (old_version, new_version), labels in transitions().items():
        old = read(old_version)
        confirmed = {l["question"]: f"{old_version}#{l['old_id']}" for l in labels if _held(l)}
        new = match(read(new_version), old, confirmed=confirmed).questions
        changes = {c.key: set(c.kinds) for c in diff_snapshots(old, new).changed}
        for label in labels:
            if "question_replaced" in label["kind"]:
                continue
            theirs = {SAME_AS.get(k, k) for k in label["kind"]} - IGNORED
            ours = changes.get(new[label["id"]].key, set())
            labelled.update(theirs)
            found.update(ours)
            agreed.update(theirs & ours)
            if theirs != ours:
                notes.append(_note(new_version, label, theirs, ours))
    print("| kind | labelled | found | agreed |\n|---|---|---|---|")
    for kind in sorted(labelled | found):
        print(f"| {kind} | {labelled[kind]} | {found[kind]} | {agreed[kind]} |")
    print(f"\n{len(notes)} questions named otherwise:", *notes, sep="\n")


def _held(label: dict[str, Any]) -> bool:
    """Rewordings that `match` would rather ask about."""
    return label.get("question_relation") == "reworded"


def _note(version: str, label: dict[str, Any], theirs: set[str], ours: set[str]) -> str:
    return (
        f"{version} {label['question'][:70]!r}: labelled {sorted(theirs - ours)}, "
        f"found {sorted(ours - theirs)}: {label['old_answers'][:3]} -> {label['new_answers'][:3]}"
    )


if __name__ == "__main__":
    main()
