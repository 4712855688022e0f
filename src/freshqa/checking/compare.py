"""Does a response agree with the stored answers?

Words decide only what is certain; the rest is for a judge. A wrong "agrees" hides a real change,
so doubt is never resolved towards agreement here.
"""

from __future__ import annotations

from dataclasses import dataclass

from freshqa.answering.response import Response
from freshqa.checking.facts import Relation, relation
from freshqa.checking.judgement import Judge, Judgement
from freshqa.dataset.question import Question


@dataclass(frozen=True)
class Comparison:
    """A response against the stored answers.

    Args:
        agrees: True or False when it is certain or judged; None when nobody can tell.
        how: `lexical`, `judge`, or `none` when there was no judge for an uncertain case.
        matched: The stored answer it agrees with, or "".
        new_form: True when it says the stored fact in words that no stored answer has.
        reason: Why, one sentence.
        judgement: What the judge said, when it was asked.
    """

    agrees: bool | None
    how: str
    matched: str = ""
    new_form: bool = False
    reason: str = ""
    judgement: Judgement | None = None


def compare(response: Response, question: Question, *, judge: Judge | None = None) -> Comparison:
    """Compare a response with a question's stored answers.

    Args:
        response: What a method answered.
        question: The stored row.
        judge: Asked where words alone do not decide; without it such a case stays None.
    """
    certain = compare_words(response, question)
    if certain.agrees is not None or judge is None or not response.text.strip():
        return certain
    judgement = judge(question, response)
    matched = question.primary if judgement.agrees else ""
    return Comparison(
        agrees=judgement.agrees,
        how="judge",
        matched=matched,
        new_form=bool(judgement.agrees) and not question.false_premise,
        reason=judgement.comment or certain.reason,
        judgement=judgement,
    )


def compare_words(response: Response, question: Question) -> Comparison:
    """The part of `compare` that needs no judge."""
    answer = response.answer.strip()
    if not answer:
        return Comparison(None, "none", reason="The response gives no answer of its own.")
    if question.false_premise or response.premise_rejected:
        return _premise(response, question)
    relations = [(stored, relation(answer, stored)) for stored in question.answers]
    primary = relations[0][1] if relations else Relation.unclear
    if primary is Relation.same:
        reason = "The response gives the stored primary answer."
        return Comparison(True, "lexical", question.primary, reason=reason)
    if primary is Relation.different:
        reason = f"The response says {answer!r} where {question.primary!r} is stored."
        return Comparison(False, "lexical", reason=reason)
    for stored, found in relations[1:]:
        if found is Relation.same and relation(stored, question.primary) is not Relation.different:
            reason = "The response gives a stored alternative of the primary answer."
            return Comparison(True, "lexical", stored, reason=reason)
    return Comparison(None, "none", reason="Words alone do not tell whether it is the same fact.")


def _premise(response: Response, question: Question) -> Comparison:
    if question.false_premise and response.premise_rejected:
        answer = response.answer
        for stored in question.answers:
            if relation(answer, stored) is Relation.same:
                reason = "The response rejects the premise in the stored words."
                return Comparison(True, "lexical", stored, reason=reason)
        return Comparison(None, "none", reason="Both reject the premise, in different words.")
    if question.false_premise:
        return Comparison(None, "none", reason="The response does not say the premise is false.")
    return Comparison(None, "none", reason="The response says that the premise is false.")
