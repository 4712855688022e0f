"""Worked examples that stand before a question, shipped with their own evidence.

They are our own, and may not go stale: each asks about settled history (before 2022), or its answer
counts years up to the day the prompt is made for. Sources end in `.example`, so that nothing is
ascribed to a real site.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from datetime import date
from functools import lru_cache
from importlib.resources import files
from typing import Any

from freshqa.answering.date_text import full_years
from freshqa.evidence.evidence import Evidence

YEARS_SINCE = re.compile(r"\{years since (\d{4}-\d{2}-\d{2})\}")


@dataclass(frozen=True)
class Demonstration:
    """A question answered from evidence.

    Args:
        question: The question.
        false_premise: True when it assumes something that is not so.
        concise, verbose: Its answer in both styles; `{years since 1969-07-20}` stands for whole
            years up to the day of the prompt.
        short: The answer alone.
        evidence: What was found, oldest to newest.
        teaches: What a reader learns from it.
    """

    question: str
    false_premise: bool
    concise: str
    verbose: str
    short: str
    evidence: tuple[Evidence, ...]
    teaches: str

    def answer(self, style: str, as_of: date) -> str:
        """The answer in that style, true on that day."""
        return _dated(self.verbose if style == "verbose" else self.concise, as_of)

    def short_answer(self, as_of: date) -> str:
        """The answer alone, true on that day."""
        return _dated(self.short, as_of)


@lru_cache(maxsize=1)
def demonstrations() -> tuple[Demonstration, ...]:
    """Every demonstration shipped, in order; the first five are the default."""
    data = files("freshqa.answering").joinpath("data/demonstrations.jsonl").read_text("utf-8")
    return tuple(_demonstration(json.loads(line)) for line in data.splitlines())


def _demonstration(record: dict[str, Any]) -> Demonstration:
    evidence = tuple(Evidence.from_json(entry) for entry in record["evidence"])
    return Demonstration(**{**record, "evidence": evidence})


def _dated(text: str, as_of: date) -> str:
    def years(match: re.Match[str]) -> str:
        return str(full_years(date.fromisoformat(match.group(1)), as_of))

    return YEARS_SINCE.sub(years, text)
