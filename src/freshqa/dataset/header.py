"""Find the row that names the columns, of a release or of any question-answer file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from freshqa.dataset.limits import HEADER_WITHIN, MAX_COLUMNS
from freshqa.dataset.question import OFFICIAL_COLUMNS
from freshqa.dataset.recognition import NO_MAP, names_question_and_answer
from freshqa.dataset.table import REQUIRED, column_name
from freshqa.errors import NotARelease

MAP = "Name them: --map question=COLUMN --map answer_0=COLUMN."
SHOWN = 20
LONGEST = 60


def missing_columns(cells: Sequence[str]) -> list[str]:
    """Required columns that a row lacks; a header lacks none."""
    names = {column_name(cell) for cell in cells[: MAX_COLUMNS + 1]}
    return [column for column in REQUIRED if column not in names]


def column_list(columns: Sequence[str]) -> str:
    """Return the names of columns as a message shows them: on one line, none of them long."""
    # Where quotes are damaged, whole paragraphs are read as the name of a column.
    names = [" ".join(column.split())[:LONGEST] for column in columns if column.strip()]
    return ", ".join(names[:SHOWN]) + ", …" * (len(names) > SHOWN)


def is_official(columns: Sequence[str], mapping: Mapping[str, str] = NO_MAP) -> bool:
    """Return whether a header is that of a release, rather than of another file."""
    return not mapping and not missing_columns(columns)


def lacking(cells: Sequence[str], mapping: Mapping[str, str] = NO_MAP) -> int:
    """Return how far a row is from being a header: 0 for one."""
    if mapping:
        return 0 if names_question_and_answer(cells, mapping) else len(REQUIRED)
    missing = len(missing_columns(cells))
    if missing > len(REQUIRED) // 2 and names_question_and_answer(cells):
        return 1
    return missing


def find_header(
    rows: Sequence[Sequence[str]], *, name: str, mapping: Mapping[str, str] = NO_MAP
) -> int:
    """Return the index of the row that names the columns.

    Args:
        mapping: Field → column that the file must have, as given by the user.

    Raises:
        NotARelease: none of the first rows does, or required columns are missing in it.
    """
    first = rows[:HEADER_WITHIN]
    best: list[str] = list(REQUIRED)
    for index, cells in enumerate(first if not mapping else ()):
        missing = missing_columns(cells)
        if not missing:
            return index
        best = min(best, missing, key=len)
    if len(best) <= len(REQUIRED) // 2:
        raise NotARelease(
            f"{name}: the header lacks {', '.join(best)}.",
            f"A release has the columns {', '.join(OFFICIAL_COLUMNS)}. For another layout, use --map.",
        )
    for index, cells in enumerate(first):
        if names_question_and_answer(cells, mapping):
            return index
    shown = column_list(max(first, key=len, default=()))
    if mapping:
        wanted = ", ".join(mapping.values())
        raise NotARelease(
            f"{name}: no row names the columns of --map ({wanted}); it has the columns {shown}.",
            MAP,
        )
    raise NotARelease(
        f"{name}: the header row of a FreshQA release was not found, and no question and answer "
        f"columns were recognised; it has the columns {shown or 'none'}.",
        MAP,
    )
