"""Feedback on a response, as a code for the ledger and as text for the next round."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class FeedbackCode(str, Enum):
    """Closed list of what can be wrong with a response."""

    no_answer = "no-answer"
    other_kind = "other-kind"
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
    FeedbackCode.other_kind: "The answer {0!r} is not {1}.",
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


_READ_AGAIN = "Read findings {0} again."
_INSTRUCTIONS = {
    FeedbackCode.no_answer: "Give only the name, number, date, yes or no that is asked for.",
    FeedbackCode.other_kind: "Answer with {1}.",
    FeedbackCode.no_quote: "No finding says that. Copy the answer from a finding.",
    FeedbackCode.old_evidence: "A newer finding says something else. Answer with what the newest "
    "finding says.",
    FeedbackCode.conflict: "Other findings say something else. Decide which finding is about the "
    "present and is the newest, and answer with what it says.",
    FeedbackCode.part_missing: "No finding says {0!r}. Name only what the findings say.",
}
"""The instruction to the model; it does not name the stored answer, which would be repeated."""


@dataclass(frozen=True)
class Feedback:
    """One problem of a response.

    Args:
        code: Which problem.
        parts: What fills its template.
        findings: The findings to read again, each as number and domain.
    """

    code: FeedbackCode
    parts: tuple[str, ...] = ()
    findings: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The problem, for a person and for a critic."""
        return _TEMPLATES[self.code].format(*self.parts)

    @property
    def instruction(self) -> str:
        """The instruction for the next round."""
        told = _INSTRUCTIONS.get(self.code, _TEMPLATES[self.code]).format(*self.parts)
        return f"{told} {_READ_AGAIN.format(', '.join(self.findings))}" if self.findings else told


def feedback_text(items: tuple[Feedback, ...]) -> str:
    """Return all feedback of a round as one text."""
    return " ".join(item.text for item in items)


def instruction_text(items: tuple[Feedback, ...]) -> str:
    """Return the instructions for the next round: the first one of each code."""
    first = {item.code: item.instruction for item in reversed(items)}
    return " ".join(first[code] for code in dict.fromkeys(item.code for item in items))
