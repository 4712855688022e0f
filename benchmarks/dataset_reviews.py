"""How `freshqa.dates.review.roll_review` rolls passed dates, beside what the maintainers wrote.

    python benchmarks/dataset_reviews.py

Of every labelled transition, the questions whose review date had passed at the later release.
`later` is what costs: a review after the maintainers' own, with no cadence that comes sooner.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from datetime import date, timedelta

from dataset_identity import read, transitions

from freshqa.dataset.question import ANSWER_COLUMNS
from freshqa.dates.review import parse_review, roll_review


def passed() -> Iterator[tuple[str, str, str, date]]:
    """Fact changed or not, our text, theirs, and the day of the later release."""
    for (old_version, new_version), labels in transitions().items():
        old, new = read(old_version), read(new_version)
        as_of = date.fromisoformat(new_version)
        for label in labels:
            if "question_replaced" in label["kind"]:
                continue
            before, after = old[label["old_id"]], new[label["id"]]
            due_on = parse_review(before.next_review).due_on
            if due_on is None or due_on > as_of:
                continue
            changed = bool(label["answer_fact_changed"])
            answered = before.with_changes({c: after.fields[c] for c in ANSWER_COLUMNS})
            ours = roll_review(answered, as_of=as_of, changed=changed)
            yield "changed" if changed else "unchanged", ours, after.next_review, as_of


def next_look(text: str, as_of: date) -> date:
    """Return the day on which a review text brings a question back."""
    review = parse_review(text)
    return review.due_on or as_of + timedelta(weeks=review.every_weeks or 0)


def main() -> None:
    counts: Counter[tuple[str, str]] = Counter()
    for fact, ours, official, as_of in passed():
        look = next_look(ours, as_of), next_look(official, as_of)
        verdict = "same text" if ours == official else "sooner" if look[0] <= look[1] else "later"
        counts[fact, verdict] += 1
    print("| fact | same text | sooner | later |\n|---|---|---|---|")
    for fact in ("changed", "unchanged"):
        row = [str(counts[fact, verdict]) for verdict in ("same text", "sooner", "later")]
        print(f"| {fact} | " + " | ".join(row) + " |")


if __name__ == "__main__":
    main()
