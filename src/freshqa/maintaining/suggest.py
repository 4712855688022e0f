"""What a reviewer might want to change besides the answer; nothing of it is ever applied by itself."""

from __future__ import annotations

from collections.abc import Mapping

from freshqa.checking.history import ChangeHistory
from freshqa.dataset.question import Question
from freshqa.maintaining.proposal import Outcome
from freshqa.maintaining.reclassify import contradictions, derive_type, reclassify

_FLIPS = (Outcome.premise_now_true, Outcome.premise_now_false)


def suggestions(
    question: Question, outcome: Outcome, *, history: ChangeHistory | None
) -> Mapping[str, str]:
    """Column → suggestion with its reason.

    Args:
        question: The stored row.
        outcome: What the check came to.
        history: What is known of the question's past, this check left out.
    """
    found = {}
    if outcome in _FLIPS:
        fact_type, reason = derive_type(question, history)
        found["fact_type"] = f"{fact_type}? The premise has flipped. {reason}"
        if outcome is Outcome.premise_now_true:
            found["question"] = "Reword it if the premise is meant to stay false."
    else:
        found |= _type_by_history(question, outcome, history)
    if clash := contradictions(question):
        found["next_review"] = " ".join(clash)
    return found


def _type_by_history(
    question: Question, outcome: Outcome, history: ChangeHistory | None
) -> Mapping[str, str]:
    known = history or ChangeHistory(0, 0.0)
    if outcome is Outcome.changed:
        known = ChangeHistory(known.changes + 1, known.years, known.last_checked)
    found = reclassify(question, known)
    if found is None:
        return {}
    return {"fact_type": f"{found.new}? {found.reason}"}
