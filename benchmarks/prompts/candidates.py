"""Profiles that the laboratory compares with the shipped ones."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from freshqa.answering.settings import AnswerSettings, settings_for
from freshqa.evidence.profile import Profile

SIX = Profile(
    "six",
    organic=6,
    related=2,
    questions_and_answers=1,
    kept=6,
    extras=1,
    consolidate=True,
    snippet_limit=300,
)
TEN = replace(SIX, name="ten", organic=10, related=3, kept=10)
JSON = AnswerSettings(
    profile=SIX,
    premise_check=True,
    max_tokens=300,
    fields=("short_answer", "answer", "premise", "evidence"),
)
CANDIDATES: Mapping[str, AnswerSettings] = {
    "json-bare": replace(JSON, demonstrations=0),
    "json-3": replace(JSON, order=(4, 0, 1)),
    "json-4": replace(JSON, order=(3, 0, 6, 1)),
    "json-5": replace(JSON, order=(1, 3, 6, 8, 0)),
    "json-sentence": replace(
        JSON, order=(4, 0, 1), fields=("answer", "short_answer", "premise", "evidence")
    ),
    "json-cite": replace(
        JSON, order=(4, 0, 1), fields=("evidence", "short_answer", "answer", "premise")
    ),
    "json-short": replace(JSON, order=(4, 0, 1), fields=("short_answer", "premise", "evidence")),
    "json-mixed": replace(
        JSON, order=(1, 3, 9, 4, 0), fields=("short_answer", "premise", "evidence")
    ),
    "json-cite-short": replace(
        JSON, order=(4, 0, 1), fields=("evidence", "short_answer", "premise")
    ),
    "json-2-fields": replace(JSON, order=(4, 0, 1), fields=("short_answer", "premise")),
    "json-dated": replace(
        JSON,
        order=(4, 0, 1),
        fields=("answer", "short_answer", "premise", "evidence"),
        dated=True,
    ),
    "json-ten": replace(JSON, order=(4, 0, 1), profile=TEN),
}


@dataclass(frozen=True)
class Recipe:
    """How the laboratory asks.

    Args:
        settings: Of the request.
        shorten: Ask for the short answer in a second call, which sees the response alone.
    """

    settings: AnswerSettings
    shorten: bool = False


def recipe(name: str) -> Recipe:
    """Return a candidate, or else a shipped profile; `+short` behind its name adds the second call."""
    profile, plus, _ = name.partition("+short")
    settings = CANDIDATES[profile] if profile in CANDIDATES else settings_for(profile)
    return Recipe(settings, shorten=bool(plus))
