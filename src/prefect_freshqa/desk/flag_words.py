"""Flags of proposals and findings, in words."""

from __future__ import annotations

WORDS = {
    "never-changing": "The question is marked as never-changing, so a new answer is unusual.",
    "single-source": "One site alone supports the answer.",
    "unjudged": "No model judged whether the two answers mean the same.",
    "judged-only": "Only a model's judgement says that the two answers mean the same.",
    "rebuttal-differs": "The reply denies the premise in another way than the stored answer.",
    "from-memory": "The model gave this answer without the evidence, so it may not come from it.",
    "unprobed": "It was not tested whether the model reads the evidence.",
    "premise-not-checked": "The premise was not checked.",
    "old-evidence": "The evidence is old.",
    "no-quote": "The answer is not quoted from the evidence.",
    "part-missing": "A part of the answer is not in the evidence.",
    "reported": "A reader reported it. Nobody has read the linked page; text and link may be false.",
    "approximate-number": "The number in the evidence is rounded.",
}
INJECTION = "The evidence tries to give orders to a model"


def explain(flag: str) -> str:
    """Return a flag in words; the flag itself where it is not known."""
    if flag.startswith("injection"):
        return f"{INJECTION} ({flag.partition(':')[2] or 'unknown kind'})."
    return WORDS.get(flag, flag)
