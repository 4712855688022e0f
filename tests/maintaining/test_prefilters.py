"""The prefilters never reject a question that a pattern would read."""

from __future__ import annotations

import re

from freshqa.maintaining.deterministic import calendar_answers, elapsed

WAYS = (
    "What month is it?",
    "Which year is it now?",
    "What season is it in the northern hemisphere?",
    "When is the next leap year?",
    "On what date did the most recent Microsoft's Patch Tuesday come out?",
    "The next Microsoft's Patch Tuesday will come out on what date?",
    "When is the next US federal holiday?",
    "On which day will next year's Thanksgiving fall?",
    "How many days are left until Christmas?",
)
COUNTED = (
    "How old is Mira Vale?",
    "'what is the current age of Mira Vale?",
    "How many years ago was the Guild founded?",
    "How long has it been since the Guild was founded?",
    "In how many years will the Guild celebrate its fiftieth anniversary?",
    "When did the Guild celebrate its fiftieth anniversary?",
)


def test_every_calendar_pattern_passes_the_prefilter() -> None:
    asked = [text.lower().rstrip("?") for text in WAYS]
    read = {
        pattern
        for pattern, _ in calendar_answers.PATTERNS
        for text in asked
        if pattern.fullmatch(text)
    }
    assert len(read) == len(calendar_answers.PATTERNS)
    assert all(calendar_answers._BEGINS.match(text) for text in asked)


def test_every_expiry_pattern_passes_the_prefilter() -> None:
    patterns = (elapsed._AGE, elapsed._SINCE, elapsed._COMING, elapsed._CELEBRATED)
    asked = [re.sub(r"\W+", " ", text.lower()).strip() for text in COUNTED]
    assert all(any(p.fullmatch(text) for text in asked) for p in patterns)
    assert all(elapsed._BEGINS.match(text) for text in COUNTED)
