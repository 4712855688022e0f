"""Suggestions for fields other than the answer; never applied automatically."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from freshqa.checking.change_rate import ChangeHistory
from freshqa.checking.round import Round
from freshqa.dataset.question import Question
from freshqa.maintaining.hops import other_hops
from freshqa.maintaining.premise import flag_fits
from freshqa.maintaining.proposal import Outcome
from freshqa.maintaining.reclassify import CADENCE_OF, contradictions, derive_type, reclassify

_FLIPS = (Outcome.premise_now_true, Outcome.premise_now_false)
_CONFIRMED = (Outcome.unchanged, Outcome.alternative)


@dataclass(frozen=True)
class Suggestion:
    """A suggestion for one column.

    Args:
        words: The suggestion with its reason, for the reviewer.
        value: The text that a reviewer may apply with one decision; "" where only a person can
            write it.
    """

    words: str
    value: str = ""


def suggestions(
    question: Question,
    outcome: Outcome,
    *,
    history: ChangeHistory | None,
    answer: str = "",
    chosen: Round | None = None,
) -> Mapping[str, Suggestion]:
    """Column → suggestion.

    Args:
        outcome: The outcome of the check.
        history: What is known of the question's past, this check left out.
        answer: The proposed primary answer, "" when none is proposed.
        chosen: The round that the outcome rests on.
    """
    suggested = {}
    if outcome in _FLIPS:
        fact_type, reason = derive_type(question, history)
        value = fact_type if fact_type != question.fact_type else ""
        words = f"{fact_type}? The premise has flipped. {reason}"
        suggested["fact_type"] = Suggestion(words, value)
        if outcome is Outcome.premise_now_true:
            suggested["question"] = Suggestion("Reword it if the premise is meant to stay false.")
    else:
        suggested |= _type_by_history(question, outcome, history)
        suggested |= _premise_flag(question, answer)
        suggested |= _hops(question, outcome, chosen) if chosen else {}
    if clash := contradictions(question):
        cadence = CADENCE_OF.get(question.fact_type, "")
        suggested["next_review"] = Suggestion(" ".join(clash), cadence)
    return suggested


def _type_by_history(
    question: Question, outcome: Outcome, history: ChangeHistory | None
) -> Mapping[str, Suggestion]:
    known = history or ChangeHistory(0, 0.0)
    if outcome is Outcome.changed:
        known = ChangeHistory(known.changes + 1, known.years, known.last_checked)
    reclassified = reclassify(question, known)
    if reclassified is None:
        return {}
    return {"fact_type": Suggestion(f"{reclassified.new}? {reclassified.reason}", reclassified.new)}


def _premise_flag(question: Question, answer: str) -> Mapping[str, Suggestion]:
    """The other flag, where the new answer denies what the question assumes, or no longer does."""
    if not answer or flag_fits(question.text, answer, false_premise=question.false_premise):
        return {}
    flag = "FALSE" if question.false_premise else "TRUE"
    why = "answers what is asked" if question.false_premise else "denies what the question assumes"
    return {"false_premise": Suggestion(f"{flag}? The new answer {why}.", flag)}


def _hops(question: Question, outcome: Outcome, chosen: Round) -> Mapping[str, Suggestion]:
    """The other number of hops, where the searches of a settled check show it."""
    answers: tuple[str, ...] = ()
    if outcome in _CONFIRMED:
        answers = question.answers
    elif outcome is Outcome.changed:
        answers = (chosen.answer,)
    hops, reason = other_hops(question, chosen.response, answers)
    return {"num_hops": Suggestion(f"{hops}? {reason}", hops)} if hops else {}
