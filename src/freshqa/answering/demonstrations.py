"""Worked examples that precede a question, shipped with their own evidence or read from a file.

Those shipped are our own, and may not go stale: each asks about settled history (before 2022), or its answer
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

from freshqa.answering.text_source import TextSource
from freshqa.dates.forms import whole_years
from freshqa.evidence.consolidate import consolidate
from freshqa.evidence.evidence import Evidence
from freshqa.evidence.profile import Profile

YEARS_SINCE = re.compile(r"\{years since (\d{4}-\d{2}-\d{2})\}")


@dataclass(frozen=True)
class Demonstration:
    """A question answered from evidence.

    Args:
        false_premise: True when it assumes something that is not true.
        concise, verbose: Its answer in both styles; `{years since 1969-07-20}` stands for whole
            years up to the day of the prompt.
        short: The answer alone.
        evidence: What was found, oldest to newest.
        teaches: What a reader learns from it.
        findings: Everything that was found for it, as parsed; cut like the question's own evidence
            instead of `evidence`, so that more evidence means more in every demonstration.
    """

    question: str
    false_premise: bool
    concise: str
    verbose: str
    short: str
    evidence: tuple[Evidence, ...]
    teaches: str
    findings: tuple[Evidence, ...] = ()

    def answer(self, style: str, as_of: date) -> str:
        """Return the answer in that style, true on that day."""
        return _dated(self.verbose if style == "verbose" else self.concise, as_of)

    def short_answer(self, as_of: date) -> str:
        """Return the answer alone, true on that day."""
        return _dated(self.short, as_of)

    def shown_evidence(self, profile: Profile) -> tuple[Evidence, ...]:
        """Its evidence under a profile, oldest to newest."""
        if self.findings:
            return consolidate(self.findings, question=self.question, profile=profile)
        return self.evidence[-profile.kept :]


@dataclass(frozen=True)
class Examples:
    """Demonstrations of one's own, in order, and where they come from."""

    demonstrations: tuple[Demonstration, ...]
    source: TextSource


@lru_cache(maxsize=1)
def demonstrations() -> tuple[Demonstration, ...]:
    """Return every demonstration shipped, in order; the first five are the default."""
    data = files("freshqa.answering").joinpath("data/demonstrations.jsonl").read_text("utf-8")
    return tuple(_demonstration(json.loads(line)) for line in data.splitlines())


def _demonstration(record: dict[str, Any]) -> Demonstration:
    evidence = tuple(Evidence.from_json(entry) for entry in record["evidence"])
    return Demonstration(**{**record, "evidence": evidence})


def _dated(text: str, as_of: date) -> str:
    def years(match: re.Match[str]) -> str:
        return str(whole_years(date.fromisoformat(match.group(1)), as_of))

    return YEARS_SINCE.sub(years, text)
