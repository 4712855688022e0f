"""One question of the benchmark, exactly as the official sheet writes it."""

from __future__ import annotations

import hashlib
import json
import sys
import unicodedata
from collections.abc import ItemsView, Iterator, Mapping, Sequence, ValuesView
from dataclasses import dataclass, replace
from enum import Enum
from itertools import zip_longest
from typing import Any

from freshqa.dataset.wording import normalised_question

ANSWER_SLOTS = 10
ANSWER_COLUMNS = tuple(f"answer_{slot}" for slot in range(ANSWER_SLOTS))
FIELD_COLUMNS = (
    *"split question effective_year next_review false_premise num_hops fact_type source".split(),
    *ANSWER_COLUMNS,
    "note",
)
"""The 19 columns of a revision, in official order (`id` is a row number, not data)."""
OFFICIAL_COLUMNS = ("id", *FIELD_COLUMNS)
REVISION_COLUMNS = (*FIELD_COLUMNS, "attributes")
"""What a revision keeps: its fields, and the other columns of its file in one text."""
_PLACES = {column: place for place, column in enumerate(FIELD_COLUMNS)}
_OF_FEW_WORDS = {
    FIELD_COLUMNS.index(column)
    for column in FIELD_COLUMNS
    if column not in ("question", "source", *ANSWER_COLUMNS, "note")
}
"""Positions of columns whose texts recur in most rows: each text is kept once in memory."""


class FactType(str, Enum):
    """How often the answer changes."""

    never_changing = "never-changing"
    slow_changing = "slow-changing"
    fast_changing = "fast-changing"


class Fields(Mapping[str, str]):
    """Text of each of `FIELD_COLUMNS`, in their order, in a third of the memory of a dictionary.

    Args:
        given: Texts by column; they become canonical, and a missing column is "".

    Raises:
        ValueError: `given` names a column that questions do not have.
    """

    __slots__ = ("_cells",)

    def __init__(self, given: Mapping[str, str]) -> None:
        cells: list[str] = []
        last = 0  # most questions have few answers and no note
        for column, text in given.items():
            place = _PLACES.get(column)
            if place is None:
                unknown = sorted(given.keys() - _PLACES.keys())
                raise ValueError(f"not columns of a question: {unknown}")
            if not text:
                continue
            if place >= last:
                cells += [""] * (place + 1 - last)
                last = place + 1
            if "\r" in text or not text.isascii():
                text = canonical_text(text)
            # a subclass of str cannot be interned
            shared = place in _OF_FEW_WORDS and type(text) is str
            cells[place] = sys.intern(text) if shared else text
        self._cells = tuple(cells)

    def __getitem__(self, column: str) -> str:
        place = _PLACES[column]
        return self._cells[place] if place < len(self._cells) else ""

    def __iter__(self) -> Iterator[str]:
        return iter(FIELD_COLUMNS)

    def __len__(self) -> int:
        return len(FIELD_COLUMNS)

    def items(self) -> ItemsView[str, str]:
        """Columns with their texts, from a dictionary: three times as fast as one by one."""
        return self._dictionary().items()

    def values(self) -> ValuesView[str]:
        """Texts, from a dictionary as well."""
        return self._dictionary().values()

    @property
    def filled(self) -> tuple[str, ...]:
        """The texts by place in `FIELD_COLUMNS`, up to the last that is not empty."""
        return self._cells

    def _dictionary(self) -> dict[str, str]:
        return dict(zip_longest(FIELD_COLUMNS, self._cells, fillvalue=""))

    def __eq__(self, other: object) -> bool:
        if isinstance(other, Fields):
            return self._cells == other._cells
        return super().__eq__(other)

    __hash__ = None  # type: ignore[assignment]  # as of a dictionary

    def __repr__(self) -> str:
        return repr(self._dictionary())


@dataclass(frozen=True, slots=True)
class Question:
    """A question with its answers; every field is the official text, unchanged.

    Args:
        fields: Text of each of `FIELD_COLUMNS`; a missing column is "".
        key: Our stable key; "" until `freshqa.dataset.identity` has given it one.
        attributes: Columns that a question does not have, as `packed` writes them.
    """

    fields: Mapping[str, str]
    key: str = ""
    attributes: str = ""

    def __post_init__(self) -> None:
        if not isinstance(self.fields, Fields):
            # the fields of another question are already canonical
            object.__setattr__(self, "fields", Fields(self.fields))

    def __hash__(self) -> int:
        return hash((self.key, self.revision_hash))

    @property
    def text(self) -> str:
        """The question itself."""
        return self.fields["question"]

    @property
    def answers(self) -> tuple[str, ...]:
        """The answers given, primary first, empty slots left out."""
        return tuple(self.fields[c] for c in ANSWER_COLUMNS if self.fields[c].strip())

    @property
    def primary(self) -> str:
        """The primary answer (`answer_0`)."""
        return self.fields["answer_0"]

    @property
    def alternatives(self) -> tuple[str, ...]:
        """Other accepted forms of the same fact."""
        return tuple(self.fields[c] for c in ANSWER_COLUMNS[1:] if self.fields[c].strip())

    @property
    def fact_type(self) -> str:
        """One of `FactType`; "" while it is unknown."""
        return self.fields["fact_type"]

    @property
    def false_premise(self) -> bool:
        """True when the question assumes something that is not true."""
        return self.fields["false_premise"].strip().upper() == "TRUE"

    @property
    def multi_hop(self) -> bool:
        """True when answering takes more than one step."""
        return self.fields["num_hops"] == "multi-hop"

    @property
    def effective_year(self) -> str:
        """`before 2022`, or the year in which the current fact became true."""
        return self.fields["effective_year"]

    @property
    def next_review(self) -> str:
        """A date or a cadence word, as written."""
        return self.fields["next_review"]

    @property
    def sources(self) -> tuple[str, ...]:
        """The source URLs, one per line in the sheet."""
        return tuple(line.strip() for line in self.fields["source"].split("\n") if line.strip())

    @property
    def filled_cells(self) -> tuple[str, ...]:
        """The fields in the order of `FIELD_COLUMNS`, up to the last that is not empty."""
        assert isinstance(self.fields, Fields)  # as `__post_init__` sees to
        return self.fields.filled

    @property
    def revision_hash(self) -> str:
        """`fq1-sha256` of the row, in hex: the same row anywhere has the same hash."""
        # the fields are complete, canonical and in order
        return hash_cells([*self.fields.values(), self.attributes])

    @property
    def texts(self) -> dict[str, str]:
        """The texts that the store keeps, by `REVISION_COLUMNS`."""
        return {**self.fields, "attributes": self.attributes}

    @property
    def extra(self) -> dict[str, Any]:
        """The attributes by column."""
        return dict(json.loads(self.attributes or "{}"))

    def with_changes(self, changes: Mapping[str, str]) -> Question:
        """Return this question with some fields replaced (column → new text)."""
        return replace(self, fields={**self.fields, **changes})

    def with_key(self, key: str) -> Question:
        """Return this question under our stable key."""
        return replace(self, key=key)


def canonical_text(value: str) -> str:
    """Line ends as LF, Unicode composed (NFC); nothing is stripped or folded."""
    if "\r" in value:
        value = value.replace("\r\n", "\n").replace("\r", "\n")
    return value if value.isascii() else unicodedata.normalize("NFC", value)


def packed(attributes: Mapping[str, Any]) -> str:
    """Return attributes as one text, the same for the same values; "" for none, nulls left out."""
    known = {column: value for column, value in attributes.items() if value is not None}
    if not known:
        return ""
    return json.dumps(known, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def hash_cells(cells: Sequence[str]) -> str:
    """`revision_hash` of canonical texts in the order of `REVISION_COLUMNS`."""
    *fields, attributes = cells  # rows without attributes have the hash of their fields alone
    whole = cells if attributes else fields
    text = json.dumps(list(whole), ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(b"fq1\0" + text.encode("utf-8")).hexdigest()


def new_key(text: str) -> str:
    """A stable key for a question seen for the first time, derived from that first wording."""
    return "q-" + hashlib.sha256(normalised_question(text).encode("utf-8")).hexdigest()[:12]
