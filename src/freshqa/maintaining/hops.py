"""Whether a question needs one step or several, from the searches of a check.

Official labels follow the wording, so the rules apply only where the evidence is clear; how often is
measured in docs/measurements/evidence.md.
"""

from __future__ import annotations

from collections.abc import Sequence

from freshqa.answering.response import Response
from freshqa.checking.support import support
from freshqa.dataset.question import Question
from freshqa.dataset.wording import normalised_question
from freshqa.evidence.entities import mentions, named
from freshqa.evidence.evidence import Evidence
from freshqa.evidence.likeness import content_words
from freshqa.evidence.parsing import parse

_WHOLE = 0.9
"""Share of the question's words that a finding holds when it answers the question alone."""
MIN_ALONE = 2
"""Independent domains that have to answer the question alone."""


def other_hops(question: Question, response: Response, answers: Sequence[str]) -> tuple[str, str]:
    """Return the other value of `num_hops` and the reason; ("", "") when nothing suggests it.

    Args:
        response: The response that the check rests on.
        answers: The answer that it gives, in all its forms.
    """
    if question.false_premise or not answers:
        return "", ""
    if question.multi_hop:
        domains = answering_alone(question.text, answers, response.evidence)
        if len(domains) < MIN_ALONE:
            return "", ""
        return "one-hop", f"Each of {', '.join(domains)} answers the whole question alone."
    if question.fields["num_hops"] != "one-hop":
        return "", ""
    step = bridge(question.text, response, answers)
    return ("multi-hop", f"The answer was found only by asking {step!r}.") if step else ("", "")


def answering_alone(
    question: str, answers: Sequence[str], evidence: Sequence[Evidence]
) -> tuple[str, ...]:
    """Return the independent domains with a finding that holds an answer and the whole question."""
    asked = content_words(question)
    whole = [
        finding
        for finding in evidence
        if asked and len(asked & content_words(finding.text)) >= _WHOLE * len(asked)
    ]
    return support(answers, whole, question=question).independent_domains


def bridge(question: str, response: Response, answers: Sequence[str]) -> str:
    """Return the follow-up question that found the answer, "" where none was needed.

    Needed means: no earlier search holds the answer, that for the question itself included, and the
    follow-up names an entity that an earlier search found and the question does not name.
    """
    if len(response.searches) < 2:
        return ""
    own = normalised_question(question)
    searches = sorted(
        response.searches, key=lambda search: normalised_question(search.query) != own
    )
    asked, read = mentions(question), list[Evidence]()
    for result in searches:
        findings = parse(result)
        if support(answers, findings, question=question).independent_domains:
            known = set().union(*(named(finding) for finding in read))
            if normalised_question(result.query).startswith(own):
                return ""  # the question itself, with a month or a year behind it
            new = {name for name in mentions(result.query) if not any(name <= a for a in asked)}
            follows = any(name <= other or other <= name for name in new for other in known)
            return result.query if follows else ""
        read += findings
    return ""
