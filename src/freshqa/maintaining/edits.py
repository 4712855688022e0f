"""Answers written by a reviewer, as changes of the official columns."""

from __future__ import annotations

from collections.abc import Mapping

from freshqa.dataset.question import ANSWER_COLUMNS, ANSWER_SLOTS
from freshqa.errors import BadData

SEPARATOR = "|"


def answers_as_edits(text: str) -> Mapping[str, str]:
    """`primary | alternative | …` as column → text.

    With a separator all slots are named, so that no alternative of the replaced fact is left over.
    An answer alone is the primary; its other forms are left to the rule that makes them.

    Raises:
        BadData: no answer, or more than there are slots.
    """
    answers = [part.strip() for part in text.split(SEPARATOR)]
    answers = [answer for answer in answers if answer]
    if not answers:
        raise BadData("An edit needs an answer.", "Give the answer; separate alternatives with |.")
    if len(answers) > ANSWER_SLOTS:
        raise BadData(
            f"{len(answers)} answers exceed the {ANSWER_SLOTS} answer columns of a question.",
            "Remove the least likely forms.",
        )
    if SEPARATOR not in text:
        return {"answer_0": answers[0]}
    padded = answers + [""] * (ANSWER_SLOTS - len(answers))
    return dict(zip(ANSWER_COLUMNS, padded, strict=True))
