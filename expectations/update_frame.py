"""A draft beside its base as one frame: what each question was, what it is, and what moved."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from itertools import chain
from typing import TypeVar

import pandas

from freshqa.dataset.calendar import parse_review
from freshqa.dataset.question import FactType, Question
from freshqa.dataset.validation import Reason
from freshqa.maintaining.alternatives import is_replaced
from prefect_freshqa.expectations.frame import official_columns, row_chunks

Moment = TypeVar("Moment", date, int)
NOBODY = Question({})
NO_REASON = Reason()
SHARES = {
    **{f"share {of.value}": ("fact_type", of.value) for of in FactType},
    "share false premise": ("false_premise", "TRUE"),
    "share multi-hop": ("num_hops", "multi-hop"),
    "share TEST": ("split", "TEST"),
}
"""Column of 0 and 1 → official column and value whose share it gives."""
WORDS = ("status", "changed", "answer", "flip", "due", "review_moved", "year_moved")
FIGURES = ("replaced", "reclassified", *SHARES)
TOGETHER_COLUMNS = [
    *("row", "key", "asked", "status", "answer_0", *FIGURES),
    *("old_question", "old_answer_0", "old_source"),
    *(f"old_{column}" for column in dict.fromkeys(column for column, _ in SHARES.values())),
]
"""What rules about all changes beside one another read."""


def update_frames(
    base: Sequence[Question],
    draft: Sequence[Question],
    *,
    as_of: date,
    reasons: Mapping[str, Reason],
) -> Iterator[pandas.DataFrame]:
    """One row per question of the draft, in its order, then one per question that was lost.

    A chunk of the rows at a time, numbered from 0 in each.

    Columns: `row`, `key`, `asked`, `status` (kept, added, removed), the official columns now, the same
    before as `old_…`, and what moved: `changed` (yes, no), `answer` (same, replaced), `replaced`
    (0, 1), `flip` (yes, no), `review_moved`, `year_moved` (forward, back, no), `due` (yes, no),
    `reclassified` (0, 1), `reason`, `evidence`, and the columns of `SHARES`.
    """
    before = {question.key: question for question in base}
    kept = {question.key for question in draft}
    lost = [question for question in base if question.key not in kept]
    now = ((before.get(question.key), question) for question in draft)
    gone = ((question, None) for question in lost)
    for pairs in row_chunks(chain(now, gone)):
        yield _update_frame(pairs, as_of, reasons)


def _update_frame(
    pairs: Sequence[tuple[Question | None, Question | None]],
    as_of: date,
    reasons: Mapping[str, Reason],
) -> pandas.DataFrame:
    frame = official_columns([new or NOBODY for _, new in pairs])
    frame["key"] = [(new or old or NOBODY).key for old, new in pairs]
    frame["asked"] = [(new or old or NOBODY).text for old, new in pairs]
    old_columns = official_columns([old or NOBODY for old, _ in pairs], prefix="old_")
    moves = pandas.DataFrame(
        [_moves(old, new, as_of) for old, new in pairs], columns=[*WORDS, *FIGURES]
    )
    # named and typed here: a chunk in which nothing was kept would have no such columns
    moves = moves.astype({**dict.fromkeys(WORDS, object), **dict.fromkeys(FIGURES, float)})
    frame = pandas.concat(
        [frame, old_columns.drop(columns=["row", "key", "asked"]), moves], axis="columns"
    )
    given = [reasons.get(key, NO_REASON) for key in frame["key"]]
    frame["reason"] = [reason.text or None for reason in given]
    frame["evidence"] = ["\n".join(reason.evidence) or None for reason in given]
    return frame


def _moves(old: Question | None, new: Question | None, as_of: date) -> dict[str, object]:
    """What the two revisions of one question differ in; either may be absent."""
    shares = {
        name: None if new is None else float(new.fields[column] == value)
        for name, (column, value) in SHARES.items()
    }
    if old is None or new is None:
        status = "added" if old is None else "removed"
        return {"status": status, "changed": _yes(new is not None), **shares}
    replaced = bool(old.primary and new.primary) and is_replaced(old.primary, new.primary)
    due_on = parse_review(old.next_review).due_on
    return {
        "status": "kept",
        "changed": _yes(old.fields != new.fields),
        "answer": "replaced" if replaced else "same",
        "replaced": float(replaced),
        "flip": _yes(old.false_premise != new.false_premise),
        "due": _yes(due_on is None or due_on <= as_of),
        "review_moved": _direction(due_on, parse_review(new.next_review).due_on),
        "year_moved": _direction(_year(old), _year(new)),
        "reclassified": float(
            any(old.fields[c] != new.fields[c] for c in ("fact_type", "num_hops", "false_premise"))
        ),
        **shares,
    }


def _yes(answer: bool) -> str:
    return "yes" if answer else "no"


def _year(question: Question) -> int | None:
    """The year, or the last one that "before YYYY" allows."""
    words = question.effective_year.split()
    if not words or not words[-1].isdigit():
        return None
    return int(words[-1]) - (len(words) > 1)


def _direction(before: Moment | None, after: Moment | None) -> str:
    if before is None or after is None or before == after:
        return "no"
    return "forward" if after > before else "back"
