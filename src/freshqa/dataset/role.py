"""What a column of any question-answer file means, and how its values are written."""

from __future__ import annotations

import ast
import json
import string
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from freshqa.dataset.question import ANSWER_COLUMNS, canonical_text

ROW_NUMBER = "id"
"""Field of a column that counts the rows: it is written again and never stored."""
WRAPS = ("", "list", "json", "python")
"""A value by itself, in a list, or in a text that holds a JSON or Python list."""
ITEMS = ("text", "text or null", "integer", "number", "boolean")
INDEXES = ("index", "digits", "letter")
"""How a value names one of the choices: 2, "2" or "C"."""


@dataclass(frozen=True)
class Role:
    """One column of a file and the field of a question that it holds.

    Args:
        column: As the file names it.
        field: `ROW_NUMBER` or one of `FIELD_COLUMNS`; a list starts at this answer.
        wrap: One of `WRAPS`.
        item: One of `ITEMS`, or of `INDEXES` where `choices` is given.
        choices: The column whose choices an index counts.
        base: The first index, or the first row number.
    """

    column: str
    field: str
    wrap: str = ""
    item: str = "text"
    choices: str = ""
    base: int = 0

    @property
    def slots(self) -> tuple[str, ...]:
        """The fields that it fills."""
        if self.wrap and self.field in ANSWER_COLUMNS:
            return ANSWER_COLUMNS[ANSWER_COLUMNS.index(self.field) :]
        return (self.field,)

    def describe(self) -> str:
        """Return the meaning of the column in a few words."""
        what = self.field if len(self.slots) == 1 else f"{self.field} and the answers after it"
        if self.choices:
            what += f" (index into {self.choices}, from {self.base})"
        return what

    def decode(self, value: Any, record: Mapping[str, Any]) -> dict[str, str]:
        """Return the texts that a value represents, by field; what does not fit is left out.

        Args:
            record: The whole row, with the choices.
        """
        texts = [text for text in self._texts(value, record) if text]
        if self.field == "source":
            return {"source": "\n".join(texts)}
        return dict(zip(self.slots, texts, strict=False))

    def encode(self, fields: Mapping[str, str], record: Mapping[str, Any], position: int) -> Any:
        """Return the value that represents the fields of a question; reverses `decode`.

        Args:
            record: The other columns of the row, with the choices.
            position: Of the row in its file, from 0.
        """
        if self.field == ROW_NUMBER:
            return self._item(str(position + self.base), record)
        texts = [fields[slot] for slot in self.slots]
        if self.field == "source" and self.wrap:
            texts = texts[0].split("\n")
        if not self.wrap:
            return self._item(texts[0], record)
        items = [self._item(text, record) for text in texts if text]
        if self.wrap == "list":
            return items
        return json.dumps(items, ensure_ascii=False) if self.wrap == "json" else repr(items)

    def _texts(self, value: Any, record: Mapping[str, Any]) -> list[str]:
        values = values_of(unwrapped(value))
        if not self.choices:
            return [canonical_text(text_of(item)) for item in values]
        choices = values_of(unwrapped(record.get(self.choices)))
        indexes = [self._index(item) for item in values]
        inside = [index for index in indexes if index is not None and 0 <= index < len(choices)]
        return [canonical_text(text_of(choices[index])) for index in inside]

    def _index(self, value: Any) -> int | None:
        text = str(value).strip()
        if len(text) == 1 and text.upper() in string.ascii_uppercase:
            return string.ascii_uppercase.index(text.upper())
        return int(text) - self.base if text.isascii() and text.isdigit() else None

    def _item(self, text: str, record: Mapping[str, Any]) -> Any:
        """Return one text as the file writes it; the text itself where that cannot be."""
        if self.choices:
            choices = [text_of(choice) for choice in values_of(unwrapped(record.get(self.choices)))]
            if text not in choices:
                return text
            index = choices.index(text)
            written = {"index": index + self.base, "digits": str(index + self.base)}
            return written.get(self.item, string.ascii_uppercase[index % 26])
        if not text and self.item != "text":
            return None
        try:
            if self.item == "integer":
                return int(text)
            if self.item == "number":
                return float(text)
        except ValueError:
            return text
        if self.item == "boolean" and text in ("TRUE", "FALSE"):
            return text == "TRUE"
        return text


def unwrapped(value: Any) -> Any:
    """Return the list that a text holds, written by JSON or Python; any other value unchanged."""
    if isinstance(value, str) and value[:1] == "[" and value.rstrip()[-1:] == "]":
        for parse in (json.loads, ast.literal_eval):
            try:
                parsed = parse(value)
            except (ValueError, SyntaxError, MemoryError, RecursionError):
                continue
            if isinstance(parsed, list):
                return parsed
    return value


def values_of(value: Any) -> Sequence[Any]:
    """Return the single values of a cell: those of a list, or of an answer record of a hub."""
    if isinstance(value, list):
        return [inner for item in value for inner in values_of(item)]
    if isinstance(value, Mapping):  # SQuAD has text and answer_start, TriviaQA value and aliases
        texts = [*values_of(value.get("value")), *values_of(value.get("text"))]
        return list(dict.fromkeys([*texts, *values_of(value.get("aliases"))]))
    return [] if value is None or value == "" else [value]


def text_of(value: Any) -> str:
    """Return a value as text: TRUE and FALSE as a sheet writes them, anything nested as JSON."""
    if isinstance(value, str):
        return value
    if value is None:
        return ""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return json.dumps(value, ensure_ascii=False)
