"""Recognise the columns of a question-answer file by their names and contents."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from types import MappingProxyType
from typing import Any

from freshqa.dataset.question import ANSWER_COLUMNS, FIELD_COLUMNS, FactType
from freshqa.dataset.role import (
    INDEXES,
    ITEMS,
    ROW_NUMBER,
    WRAPS,
    Role,
    text_of,
    unwrapped,
    values_of,
)
from freshqa.dataset.table import column_name
from freshqa.dates.forms import EFFECTIVE_YEAR
from freshqa.dates.review import parse_review
from freshqa.errors import UsageError

Record = Mapping[str, Any]
NO_MAP: Mapping[str, str] = MappingProxyType({})
SAMPLE = 500
"""Rows by which a column is judged."""
QUESTION_NAMES = (
    *("question", "problem", "prompt", "query", "question_text", "question_sentence", "questions"),
    *("input", "instruction", "user_query", "text"),
)
ANSWER_NAMES = (
    *("answer_0", "answer", "answers", "target", "targets", "gold_answer", "gold_answers"),
    *("golden_answers", "golden_answer", "gold", "ground_truth", "ground_truths", "groundtruth"),
    *("correct_answer", "correct_answers", "best_answer", "reference_answer", "reference_answers"),
    *("expected_answer", "expected_output", "expected", "final_answer", "short_answer"),
    *("short_answers", "reference", "references", "solution", "ideal", "output", "label"),
)
OTHER_ANSWER_NAMES = (
    *("aliases", "answer_aliases", "answers_aliases", "alternative_answers", "alternatives"),
    *("acceptable_answers", "possible_answers", "other_answers"),
)
CHOICE_NAMES = ("choices", "options", "candidates")
MOST = 0.9
"""Share of sources that must be addresses; some contain a space or name a page in words."""
URL = re.compile(r"https?://\S+")


def _one_of(*texts: str) -> Callable[[str], bool]:
    return frozenset(texts).__contains__


OPTIONAL: Mapping[str, tuple[tuple[str, ...], Callable[[str], bool]]] = MappingProxyType(
    {
        "split": (("split",), _one_of("TEST", "DEV")),
        "effective_year": (("effective_year",), lambda text: bool(EFFECTIVE_YEAR.fullmatch(text))),
        "next_review": (("next_review",), lambda text: parse_review(text).readable),
        "false_premise": (("false_premise",), _one_of("TRUE", "FALSE")),
        "num_hops": (("num_hops",), _one_of("one-hop", "multi-hop")),
        "fact_type": (("fact_type", "freshness"), _one_of(*(kind.value for kind in FactType))),
        "source": (("source", "sources", "urls", "url"), lambda text: bool(URL.fullmatch(text))),
        "note": (("note",), lambda text: True),
    }
)
"""Field → names of columns that may hold it, and what each of its values must look like."""


def names_question_and_answer(cells: Sequence[str], mapping: Mapping[str, str] = NO_MAP) -> bool:
    """Return whether a row of texts can be the header of a question-answer file."""
    if mapping:
        return set(mapping.values()) <= set(cells)
    names = {column_name(cell) for cell in cells}
    return bool(names & set(QUESTION_NAMES)) and bool(names & set(ANSWER_NAMES))


def check_mapping(mapping: Mapping[str, str]) -> dict[str, str]:
    """Return `--map` with `answer` written as `answer_0`.

    Raises:
        UsageError: a field that questions do not have, or a column given twice.
    """
    checked = {"answer_0" if f == "answer" else f: column for f, column in mapping.items()}
    unknown = sorted(set(checked) - set(FIELD_COLUMNS))
    if unknown:
        raise UsageError(
            f"Unknown field {unknown[0]!r} in --map.", f"Use: {', '.join(FIELD_COLUMNS)}."
        )
    for column in checked.values():
        if list(checked.values()).count(column) > 1:
            raise UsageError(f"--map names the column {column!r} twice.", "Map it once.")
    return checked


def recognise(
    columns: Sequence[str], records: Sequence[Record], mapping: Mapping[str, str] = NO_MAP
) -> tuple[Role, ...]:
    """Return the columns that hold a field of a question, in the order of the file.

    Args:
        mapping: Field → column, as given by the user; it overrides every guess.
    """
    sample = records[:SAMPLE]
    names = {column: column_name(column) for column in columns}
    taken = dict(mapping)

    def take(field: str, known: Sequence[str], fits: Callable[[str], bool]) -> None:
        """Give a field the first column of a known name that fits and has no other meaning."""
        if field in taken:
            return
        free = [c for c in names if c not in taken.values() and names[c] in known]
        for column in sorted(free, key=lambda c: known.index(names[c])):
            if fits(column):
                taken[field] = column
                return

    take("question", QUESTION_NAMES, lambda column: _is_text(column, sample))
    if "question" not in taken:
        asking = [c for c in names if c not in taken.values() and _asks(c, sample)]
        if len(asking) == 1:
            taken["question"] = asking[0]
    take("answer_0", ANSWER_NAMES, lambda column: _any_value(column, sample))
    for field, (known, fits) in OPTIONAL.items():
        share = MOST if field == "source" else 1.0
        take(field, known, partial(_fit, sample=sample, fits=fits, share=share))
    choices = next((c for c in names if names[c] in CHOICE_NAMES), "")
    roles = {f: _written(Role(c, f), sample, choices) for f, c in taken.items()}
    for field in ANSWER_COLUMNS[1:]:
        if "answer_0" not in roles or any(f in r.slots for r in roles.values() for f in (field,)):
            continue
        known = (field, *OTHER_ANSWER_NAMES) if field == "answer_1" else (field,)
        take(field, known, lambda column: True)
        if field in taken:
            roles[field] = _written(Role(taken[field], field), sample)
    numbered = next((role for c in names if (role := _row_number(c, names[c], records))), None)
    if numbered and numbered.column not in taken.values():
        roles[ROW_NUMBER] = numbered
    return tuple(sorted(roles.values(), key=lambda role: columns.index(role.column)))


def _is_text(column: str, sample: Sequence[Record]) -> bool:
    values = [record.get(column) for record in sample]
    texts = {value for value in values if isinstance(value, str) and value.strip()}
    return len(texts) > len(values) / 2


def _asks(column: str, sample: Sequence[Record]) -> bool:
    """Return whether most values of a column end like a question."""
    texts = [value for r in sample if isinstance(value := r.get(column), str)]
    return sum(text.rstrip().endswith(("?", "？")) for text in texts) > len(sample) / 2


def _any_value(column: str, sample: Sequence[Record]) -> bool:
    return any(values_of(unwrapped(record.get(column))) for record in sample)


def _fit(
    column: str, sample: Sequence[Record], fits: Callable[[str], bool], *, share: float
) -> bool:
    texts = [
        text_of(part)
        for record in sample
        for value in values_of(unwrapped(record.get(column)))
        for part in (value.split("\n") if isinstance(value, str) and "://" in value else [value])
    ]
    filled = [text for text in texts if text.strip()]
    return bool(filled) and sum(map(fits, filled)) >= share * len(filled)


def _row_number(column: str, name: str, records: Sequence[Record]) -> Role | None:
    """Return the role of a column that only counts the rows."""
    if name not in ("", "id", "index", "original_index", "idx", "unnamed_0", "row", "no"):
        return None
    first = str(records[0].get(column)) if records else ""
    if not (first.isascii() and first.isdigit() and len(first) < 10):
        return None
    role = Role(column, ROW_NUMBER, base=int(first))
    for candidate in (role, replace(role, item="integer")):
        if all(candidate.encode({}, r, i) == r.get(column) for i, r in enumerate(records)):
            return candidate
    return None


def _written(role: Role, sample: Sequence[Record], choices: str = "") -> Role:
    """Return the role with the notation that writes most values unchanged."""
    lists = role.field in (*ANSWER_COLUMNS, "source")
    forms = [
        replace(role, wrap=wrap, item=item)
        for wrap in (WRAPS if lists else ("",))
        for item in ITEMS
    ]
    if choices and role.field == "answer_0" and (base := _index_base(role, sample, choices)) >= 0:
        forms = [
            replace(role, wrap=wrap, item=item, choices=choices, base=base)
            for wrap in WRAPS
            for item in INDEXES
        ]
    return max(
        forms,
        key=lambda form: (
            sum(restores(form, record) for record in sample),
            sum(_alike(form, record.get(role.column)) for record in sample),
        ),
    )


def _alike(role: Role, value: Any) -> bool:
    """Return True when a value is written like those of the role: a single text or a list."""
    if isinstance(value, str):
        return role.wrap in (("json", "python") if unwrapped(value) is not value else ("",))
    return (role.wrap == "list") == isinstance(value, (list, Mapping))


def _index_base(role: Role, sample: Sequence[Record], choices: str) -> int:
    """Return whether answers count the choices from 0 or 1; -1 when they are not indexes."""
    highest, zero, texts = True, False, 0
    base = 0
    for record in sample:
        options = [text_of(choice) for choice in values_of(unwrapped(record.get(choices)))]
        for value in values_of(unwrapped(record.get(role.column))):
            text = text_of(value).strip()
            letter = len(text) == 1 and text.isascii() and text.isalpha()
            if not letter and not (text.isascii() and text.isdigit()):
                return -1
            index = ord(text.upper()) - ord("A") if letter else int(text)
            texts += text in options
            zero |= index == 0
            base |= not letter and index == len(options)
            highest &= index <= len(options) - letter
    known = bool(sample) and highest and not (zero and base) and not texts
    return int(base) if known else -1


def restores(role: Role, record: Record) -> bool:
    """Return whether a value is written again exactly as it was read."""
    value = record.get(role.column)
    decoded = dict.fromkeys(role.slots, "") | role.decode(value, record)
    again = role.encode(decoded, record, 0)
    return type(again) is type(value) and again == value
