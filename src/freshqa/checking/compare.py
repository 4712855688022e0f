"""Does a response agree with the stored answers?

Words decide only what is certain; the rest is for a judge. A wrong "agrees" hides a real change,
so doubt is never resolved towards agreement here.
"""

from __future__ import annotations

from dataclasses import dataclass

from freshqa.answering.premise import rejects_premise
from freshqa.answering.response import Response
from freshqa.checking.equivalence import Equivalence, EquivalenceJudge
from freshqa.checking.find_answer import SupportKind, find
from freshqa.checking.short_answer import as_word
from freshqa.checking.states_answer import states
from freshqa.dataset.question import Question
from freshqa.dates.mentions import find_dates
from freshqa.facts.same_fact import Relation, is_list, members, relation
from freshqa.facts.tokens import STOP_WORDS, fold, tokenise

_REBUTTAL_WORDS = 4


@dataclass(frozen=True)
class Comparison:
    """A response against the stored answers.

    Args:
        agrees: True or False when it is certain or judged; None when it is undecided.
        how: `lexical`, `judge`, or `none` when there was no judge for an uncertain case. None
            with `lexical` is doubt that no judge may settle: no answer, lists that share members.
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
    judgement: Equivalence | None = None


def compare(
    response: Response, question: Question, *, judge: EquivalenceJudge | None = None
) -> Comparison:
    """Compare a response with a question's stored answers.

    Args:
        response: What a method answered.
        judge: Asked where words alone do not decide; without it such a case stays None.
    """
    certain = compare_words(response, question)
    decided = certain.agrees is not None or certain.how == "lexical"
    if decided or judge is None or not response.text.strip():
        return certain
    judgement = judge(question, response)
    matched = question.primary if judgement.agrees else ""
    return Comparison(
        agrees=judgement.agrees,
        how="judge",
        matched=matched,
        new_form=bool(judgement.agrees),
        reason=judgement.comment or certain.reason,
        judgement=judgement,
    )


def compare_words(response: Response, question: Question) -> Comparison:
    """Return the part of `compare` that needs no judge."""
    answer = response.answer.strip()
    if not answer:
        return Comparison(None, "lexical", reason="The response gives no answer of its own.")
    if question.false_premise or response.premise_rejected or _both_deny(response, question):
        return _premise(response, question)
    answer = as_word(answer, question)
    stored = as_word(question.primary, question) if answer == "0" else question.primary
    primary = relation(answer, stored)
    if primary is Relation.same or _states(answer, question.primary, question):
        reason = "The response gives the stored primary answer."
        return Comparison(True, "lexical", question.primary, reason=reason)
    if _whole(response, question.primary):
        reason = "The response repeats the stored primary answer word for word."
        return Comparison(True, "lexical", question.primary, reason=reason)
    if primary is Relation.different:
        reason = f"The response says {answer!r} where {question.primary!r} is stored."
        return Comparison(False, "lexical", reason=reason)
    for stored in question.alternatives:
        if _gives_alternative(answer, stored, question):
            reason = "The response gives a stored alternative of the primary answer."
            return Comparison(True, "lexical", stored, reason=reason)
    if primary is Relation.variant:
        reason = "The response gives the stored name with more or fewer of its parts."
        return Comparison(True, "lexical", question.primary, new_form=True, reason=reason)
    if _other_members(answer, question.primary):
        reason = "The response and the stored answer name some of the same, not all of the same."
        return Comparison(None, "lexical", reason=reason)
    return Comparison(None, "none", reason="Words alone do not tell whether it is the same fact.")


def _both_deny(response: Response, question: Question) -> bool:
    """True for a stored `X does not have any` and a response `X has none`, on a valid premise."""
    if question.false_premise:
        return False
    said = (question.primary, response.text)
    return all(rejects_premise(text, question=question.text) for text in said)


def _whole(response: Response, stored: str) -> bool:
    """True when a text holds a stored statement whole, and its answer is one part of that."""
    if len(tokenise(stored)) < _REBUTTAL_WORDS or find(response.answer, stored) is None:
        return False
    match = find(stored, response.text)
    return match is not None and match.kind is SupportKind.exact


def _other_members(answer: str, stored: str) -> bool:
    """True when one is a list that shares members with the other, which a judge would accept too easily."""
    if not is_list(answer) and not is_list(stored):
        return False
    return bool(members(answer) & members(stored))


def _states(answer: str, stored: str, question: Question) -> bool:
    return states(answer, stored, question=question.text)


def _gives_alternative(answer: str, alternative: str, question: Question) -> bool:
    """True when an answer certainly gives an alternative that is a form of the primary answer.

    An alternative may be left over from an earlier fact, a member of a list, or a wider place; it
    counts when the whole answer is nothing else, or when it shares most words with the primary.
    """
    if is_list(question.primary) and not is_list(alternative):
        return False
    to_primary = relation(alternative, question.primary)
    if to_primary is Relation.different:
        return False
    if relation(answer, alternative) is Relation.same:
        return True
    if to_primary is Relation.same:
        return _states(answer, alternative, question)
    return _kin(alternative, question.primary) and _states(answer, alternative, question)


def _kin(alternative: str, primary: str) -> bool:
    left, right = set(fold(alternative).split()), set(fold(primary).split())
    return len(left) > 1 and 2 * len(left & right) >= len(right)


def _repeats(response: Response, rebuttal: str) -> bool:
    """True when a response gives a stored rebuttal, as its answer or as a sentence of its text."""
    if relation(response.answer, rebuttal) is Relation.same:
        return True
    match = find(rebuttal, response.text)
    whole = len(tokenise(rebuttal)) >= _REBUTTAL_WORDS
    return whole and match is not None and match.kind is SupportKind.exact


def _premise(response: Response, question: Question) -> Comparison:
    if not question.false_premise and not rejects_premise(question.primary, question=question.text):
        return Comparison(None, "none", reason="The response says that the premise is false.")
    for stored in question.answers:
        if _repeats(response, stored):
            return Comparison(True, "lexical", stored, reason="The response says what is stored.")
    if not response.premise_rejected and not _both_deny(response, question):
        return Comparison(None, "none", reason="The response does not say the premise is false.")
    for stored in question.answers:
        if same_rebuttal(response.text, stored, question=question.text):
            reason = "The response rejects the premise as the stored answer does, in other words."
            return Comparison(True, "lexical", stored, new_form=True, reason=reason)
    return Comparison(None, "none", reason="Both reject the premise, in different words.")


_SHARED = 0.5


def same_rebuttal(response: str, stored: str, *, question: str) -> bool:
    """True when a response that rejects the premise says nothing else than a stored rebuttal.

    It shares words with it, and repeats every number in it that the question does not have: "seven
    living former prime ministers" is not "eight".

    Args:
        response: Text of a response that rejects the premise.
        stored: A stored answer of a false-premise question.
    """
    wanted = {token.form for token in tokenise(stored)} - STOP_WORDS
    said = {token.form for token in tokenise(response)}
    if not wanted or len(wanted & said) < _SHARED * len(wanted):
        return False
    return own_numbers(stored, question) <= said


def own_numbers(text: str, question: str) -> set[str]:
    """Numbers of a text that neither the question has nor a date or year is."""
    asked = {token.form for token in tokenise(question)}
    dates = find_dates(text)
    return {
        token.form
        for token in tokenise(text)
        if token.value is not None
        and token.form not in asked
        and not any(mention.start <= token.start < mention.end for mention in dates)
        and not 1900 <= token.value <= 2100
    }
