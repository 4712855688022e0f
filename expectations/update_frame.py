"""A draft and its base as one frame: what each question was, what it is, and what changed."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import date
from typing import TypeVar

import pandas

from freshqa.dataset.question import FactType, Question
from freshqa.dataset.validation import Reason
from freshqa.dates.review import parse_review
from freshqa.facts.same_fact import is_replaced
from prefect_freshqa.expectations.frame import official_columns, row_chunks, texts_by_column

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


Pair = tuple[Question | None, Question | None]


def update_frames(
    base: Sequence[Question],
    draft: Sequence[Question],
    *,
    as_of: date,
    reasons: Mapping[str, Reason],
) -> Iterator[pandas.DataFrame]:
    """One row per changed or added question of the draft, in its order, then one per lost question.

    A chunk of the rows at a time, numbered from 0 in each; one empty frame when nothing changed.

    Columns: `row`, `key`, `asked`, `status` (kept, added, removed), the official columns now, the same
    before as `old_…`, and what moved: `changed` (yes, no), `answer` (same, replaced), `replaced`
    (0, 1), `flip` (yes, no), `review_moved`, `year_moved` (forward, back, no), `due` (yes, no),
    `reclassified` (0, 1), `reason`, `evidence`, and the columns of `SHARES`.
    """
    changed = [pair for pair in _pairs(base, draft) if _is_changed(*pair)]
    for pairs in row_chunks(changed) if changed else ([],):
        yield _update_frame(pairs, as_of, reasons)


def together_frame(base: Sequence[Question], draft: Sequence[Question]) -> pandas.DataFrame:
    """Return one row per question of the draft, then one per lost question: `TOGETHER_COLUMNS`."""
    pairs = list(_pairs(base, draft))
    was = [old or NOBODY for old, _ in pairs]
    now = [new or NOBODY for _, new in pairs]
    columns: dict[str, list[object]] = {
        "row": list(range(len(pairs))),
        "key": [(new or old or NOBODY).key for old, new in pairs],
        "asked": [(new or old or NOBODY).text for old, new in pairs],
        "status": [_status(old, new) for old, new in pairs],
        "answer_0": [question.primary or None for question in now],
        "replaced": [_on_both(_is_replaced, old, new) for old, new in pairs],
        "reclassified": [_on_both(_is_reclassified, old, new) for old, new in pairs],
    }
    for name, (column, value) in SHARES.items():
        columns[name] = [
            None if new is None else float(new.fields[column] == value) for _, new in pairs
        ]
    old = [name.removeprefix("old_") for name in TOGETHER_COLUMNS if name.startswith("old_")]
    columns |= texts_by_column(was, old, prefix="old_")
    return pandas.DataFrame(
        {
            name: pandas.Series(columns[name], dtype=_dtype(name), index=range(len(pairs)))
            for name in TOGETHER_COLUMNS
        }
    )


def _dtype(name: str) -> type:
    return int if name == "row" else float if name in FIGURES else object


def _pairs(base: Sequence[Question], draft: Sequence[Question]) -> Iterator[Pair]:
    """Yield what each question was and is: those of the draft, then those that were lost."""
    before = {question.key: question for question in base}
    kept = {question.key for question in draft}
    for question in draft:
        yield before.get(question.key), question
    for question in base:
        if question.key not in kept:
            yield question, None


def _is_changed(old: Question | None, new: Question | None) -> bool:
    return old is None or new is None or old.fields != new.fields


def _status(old: Question | None, new: Question | None) -> str:
    return "added" if old is None else "removed" if new is None else "kept"


def _on_both(
    asked: Callable[[Question, Question], bool], old: Question | None, new: Question | None
) -> float | None:
    """1 or 0; None unless the question was and is there."""
    return None if old is None or new is None else float(asked(old, new))


def _is_replaced(old: Question, new: Question) -> bool:
    before, now = old.primary, new.primary
    return bool(before and now) and is_replaced(before, now)


def _is_reclassified(old: Question, new: Question) -> bool:
    return any(old.fields[c] != new.fields[c] for c in ("fact_type", "num_hops", "false_premise"))


def _update_frame(
    pairs: Sequence[Pair],
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
    """Return what the two revisions of one question differ in; either may be absent."""
    shares = {
        name: None if new is None else float(new.fields[column] == value)
        for name, (column, value) in SHARES.items()
    }
    status = _status(old, new)
    if old is None or new is None:
        return {"status": status, "changed": _yes(new is not None), **shares}
    replaced = _is_replaced(old, new)
    due_on = parse_review(old.next_review).due_on
    return {
        "status": status,
        "changed": _yes(old.fields != new.fields),
        "answer": "replaced" if replaced else "same",
        "replaced": float(replaced),
        "flip": _yes(old.false_premise != new.false_premise),
        "due": _yes(due_on is None or due_on <= as_of),
        "review_moved": _direction(due_on, parse_review(new.next_review).due_on),
        "year_moved": _direction(_year(old), _year(new)),
        "reclassified": float(_is_reclassified(old, new)),
        **shares,
    }


def _yes(answer: bool) -> str:
    return "yes" if answer else "no"


def _year(question: Question) -> int | None:
    """Return the year, or the last one that "before YYYY" allows."""
    words = question.effective_year.split()
    if not words or not words[-1].isdigit():
        return None
    return int(words[-1]) - (len(words) > 1)


def _direction(before: Moment | None, after: Moment | None) -> str:
    if before is None or after is None or before == after:
        return "no"
    return "forward" if after > before else "back"
