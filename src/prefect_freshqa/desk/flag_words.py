"""Descriptions of the flags of proposals and findings."""

from __future__ import annotations

from freshqa.maintaining.flags import Flag

FEEDBACK = {
    "premise-not-checked": "The premise was not checked.",
    "old-evidence": "The evidence is old.",
    "no-quote": "The answer is not quoted from the evidence.",
    "part-missing": "A part of the answer is not in the evidence.",
    "approximate-number": "The number in the evidence is rounded.",
}
"""Codes of the feedback that a model received."""


def explain(flag: str) -> str:
    """Return a flag in words; the flag itself where it is not known."""
    known = Flag.of(flag)
    if known is Flag.injection:
        return f"{known.meaning.rstrip('.')} ({flag.partition(':')[2] or 'unknown kind'})."
    return known.meaning if known else FEEDBACK.get(flag, flag)
