"""The testbeds of RGB (Chen et al. 2023): questions with documents that do and do not answer them.

A file holds JSON lines, in the shape the authors publish. `answer` is one part or a list of parts;
a part is a string or a list of alternatives; an answer is right when every part is.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Any

from freshqa.errors import BadData, NotFound

REMEDY = "A testbed holds JSON lines with id, query, answer, positive and negative."


class Kind(str, Enum):
    """The kind of a testbed, by its documents."""

    base = "base"  # noise robustness and negative rejection
    integration = "integration"  # several sub-questions, one group of documents each
    counterfactual = "counterfactual"  # documents in which the answer was replaced


@dataclass(frozen=True)
class Item:
    """One question with its documents.

    Args:
        id: Identity within the testbed.
        parts: What a right answer holds: every part, in one of its alternatives.
        positive: Groups of documents that hold the answer; one group per sub-question.
        negative: Documents that were found for the question and do not answer it.
        fake: Alternatives of the false answer that `positive_wrong` gives.
        positive_wrong: The documents of the first group with the false answer instead.
        answer: `answer` as the file has it, for the official scoring.
    """

    id: str
    query: str
    parts: tuple[tuple[str, ...], ...]
    positive: tuple[tuple[str, ...], ...]
    negative: tuple[str, ...]
    fake: tuple[str, ...] = ()
    positive_wrong: tuple[str, ...] = ()
    answer: Any = ""

    def to_json(self) -> dict[str, Any]:
        """Return the item in the published shape."""
        record: dict[str, Any] = {"id": self.id, "query": self.query, "answer": self.answer}
        if len(self.positive) > 1:
            record["positive"] = [list(group) for group in self.positive]
        else:
            record["positive"] = list(self.positive[0]) if self.positive else []
        record["negative"] = list(self.negative)
        if self.fake:
            record["fakeanswer"] = self.fake[0] if len(self.fake) == 1 else list(self.fake)
            record["positive_wrong"] = list(self.positive_wrong)
        return record


@dataclass(frozen=True)
class Testbed:
    """A file of items.

    Args:
        name: Name of the file without its extension, or how it was made.
        language: `en` or `zh`.
        sha256: Hash of the file's bytes.
        unusable: Rows left out, each with its number and reason.
    """

    __test__ = False  # not a test class

    name: str
    kind: Kind
    language: str
    items: tuple[Item, ...]
    sha256: str
    unusable: tuple[str, ...] = ()


def read_testbed(path: str | Path) -> Testbed:
    """Read a published RGB file or one of our own.

    Raises:
        NotFound: the file does not exist.
        BadData: it holds no usable item; single bad rows are left out and named in `unusable`.
    """
    file = Path(path)
    if not file.is_file():
        raise NotFound(
            f"Testbed not found: {file}.", "To make one, see: prefect-freshqa testbed --help"
        )
    content = file.read_bytes()
    return parse_testbed(content, name=file.stem)


def parse_testbed(content: bytes, *, name: str) -> Testbed:
    """Return a testbed from the bytes of a file; see `read_testbed`."""
    items: list[Item] = []
    unusable: list[str] = []
    kinds: list[Kind] = []
    for number, line in enumerate(content.decode("utf-8-sig", "replace").split("\n"), start=1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
            items.append(_item(record))
            kinds.append(_kind(record))
        except (ValueError, KeyError, TypeError) as problem:
            unusable.append(f"row {number}: {_reason(problem)}")
    if not items:
        first = f" ({unusable[0]})" if unusable else ""
        raise BadData(f"{name} has no testbed items{first}.", REMEDY)
    if len(set(kinds)) > 1:
        raise BadData(f"{name} mixes kinds: {sorted({k.value for k in kinds})}.", REMEDY)
    sha256 = hashlib.sha256(content).hexdigest()
    return Testbed(name, kinds[0], _language(items), tuple(items), sha256, tuple(unusable))


def write_testbed(items: Iterable[Item]) -> bytes:
    """JSON lines in the published shape."""
    lines = [json.dumps(item.to_json(), ensure_ascii=False) + "\n" for item in items]
    return "".join(lines).encode("utf-8")


def _item(record: Mapping[str, Any]) -> Item:
    answer = record["answer"]
    parts = tuple(_texts(part) for part in (answer if isinstance(answer, list) else [answer]))
    if not parts or not all(parts):
        raise ValueError("an answer is empty")
    positive = record["positive"]
    grouped = bool(positive) and isinstance(positive[0], list)
    return Item(
        id=str(record["id"]),
        query=str(record["query"]),
        parts=parts,
        positive=tuple(_texts(g) for g in positive) if grouped else (_texts(positive),),
        negative=_texts(record["negative"]),
        fake=_texts(record.get("fakeanswer") or ()),
        positive_wrong=_texts(record.get("positive_wrong") or ()),
        answer=answer,
    )


def _texts(value: str | Sequence[str]) -> tuple[str, ...]:
    texts = (value,) if isinstance(value, str) else tuple(value)
    if not all(isinstance(text, str) for text in texts):
        raise TypeError(f"text expected, not {texts!r}"[:120])
    return texts


def _kind(record: Mapping[str, Any]) -> Kind:
    if record.get("fakeanswer"):
        return Kind.counterfactual
    if record["positive"] and isinstance(record["positive"][0], list):
        return Kind.integration
    return Kind.base


def _language(items: Sequence[Item]) -> str:
    chinese = sum(bool(re.search(r"[\u4e00-\u9fff]", item.query)) for item in items)
    return "zh" if 2 * chinese > len(items) else "en"


def _reason(problem: Exception) -> str:
    if isinstance(problem, KeyError):
        return f"no field {problem.args[0]!r}"
    return str(problem)[:160]
