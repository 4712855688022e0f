"""What a response lacks, as a code for the ledger and as words for the next round."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class FeedbackCode(str, Enum):
    """Closed list of what can be wrong with a response."""

    no_answer = "no-answer"
    no_quote = "no-quote"
    single_source = "single-source"
    old_evidence = "old-evidence"
    conflict = "conflict"
    part_missing = "part-missing"
    premise_not_checked = "premise-not-checked"
    approximate_number = "approximate-number"


_TEMPLATES = {
    FeedbackCode.no_answer: "The response gives no definite answer. Answer the question from the "
    "evidence, or say that the evidence is insufficient.",
    FeedbackCode.no_quote: "The answer {0!r} stands in none of the evidence. Give only what the "
    "evidence says, in its words, or say that the evidence is insufficient.",
    FeedbackCode.single_source: "Only one source supports {0!r}. Check whether others agree.",
    FeedbackCode.old_evidence: "The newest evidence for {0!r} is of {1}, but evidence of {2} says "
    "{3!r}. Prefer the newest evidence.",
    FeedbackCode.conflict: "Some evidence says {0!r}, other evidence says {1!r}. Say which holds "
    "today and why, or say that the evidence disagrees.",
    FeedbackCode.part_missing: "There is no information about {0!r} in the evidence. Answer every "
    "part of the question from the evidence.",
    FeedbackCode.premise_not_checked: "Check whether what the question assumes is true. If it is "
    "not, say so and say what is true.",
    FeedbackCode.approximate_number: "{0!r} is approximate. Give the exact figure that the "
    "evidence states.",
}


@dataclass(frozen=True)
class Feedback:
    """One thing to mend: its code, and what fills the template."""

    code: FeedbackCode
    parts: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The sentences that are added to the next prompt."""
        return _TEMPLATES[self.code].format(*self.parts)


def feedback_text(items: tuple[Feedback, ...]) -> str:
    """All feedback of a round as one text for the next prompt."""
    return " ".join(item.text for item in items)
