"""Right, declined, detected: one reply scored by our rules, or as the authors' code scores it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

from freshqa.answering.documents_prompt import WORDINGS
from freshqa.checking.find_answer import SupportKind, find
from freshqa.evaluation.rgb.reply import Reply, Status
from freshqa.evaluation.rgb.testbed import Item


class Scoring(str, Enum):
    """The scoring rules."""

    fixed = "fixed"
    official = "official"


@dataclass(frozen=True)
class Score:
    """The score of one reply.

    Args:
        labels: 1 or 0 for each part of the answer; official: `(-1,)` for a refusal.
        declined: Rej: the fixed sentence is in the reply.
        detected: ED: the fixed sentence is in the reply.
        declined_in_sense: Rej*: by status or judge; None when neither says anything.
        detected_in_sense: ED*: by status or judge; None when neither says anything.
        correct_in_sense: ACC*: by a judge with FreshEval's prompt; None without one.
    """

    labels: tuple[int, ...]
    declined: bool
    detected: bool
    declined_in_sense: bool | None = None
    detected_in_sense: bool | None = None
    correct_in_sense: bool | None = None

    @property
    def correct(self) -> bool:
        """True when every part of the answer is there."""
        return 1 in self.labels and set(self.labels) == {1}


def score(reply: Reply, item: Item, *, language: str, scoring: Scoring) -> Score:
    """Score one reply.

    `fixed`: parts are matched at token boundaries, numbers and dates by value; a refusal that gives
    the answer nevertheless is an answer; Rej* and ED* are read from the status.
    `official`: parts are matched as substrings ("12" is found in "2012"), "insufficient
    information" anywhere makes the whole reply a refusal, and Rej* and ED* need a judge.
    """
    if scoring is Scoring.official:
        return _official(reply, item, language)
    said = reply.status
    return Score(
        labels=tuple(int(holds(part, reply.answer)) for part in item.parts),
        declined=reply.declines(language),
        detected=reply.detects(language),
        declined_in_sense=None if said is None else said is Status.insufficient,
        detected_in_sense=None if said is None else said is Status.conflict,
    )


def _official(reply: Reply, item: Item, language: str) -> Score:
    text = reply.text.replace(" ", "") if language == "zh" else reply.text
    # The authors search every reply for the sentences of both languages.
    declined = any(wording.declines in text for wording in WORDINGS.values())
    detected = any(wording.detects in text for wording in WORDINGS.values())
    labels = [-1] if declined else official_labels(text, item.answer)
    return Score(tuple(labels), declined, detected)


def holds(alternatives: Sequence[str], text: str) -> bool:
    """Return True when the text holds one of the alternatives: same words, number or date.

    `12` is not found in `2012`, and `January 2, 2022` is found in `2 Jan 2022`.
    """
    for alternative in alternatives:
        match = find(alternative, text)
        if match is not None and match.kind is not SupportKind.soft:
            return True
    return False


def official_labels(reply: str, answer: Any) -> list[int]:
    """One 0 or 1 per part, by substring of the lower-cased reply (`checkanswer` in `evalue.py`)."""
    text = reply.lower()
    parts = answer if isinstance(answer, list) else [answer]
    labels = []
    for part in parts:
        alternatives = part if isinstance(part, list) else [part]
        labels.append(int(any(alternative.lower() in text for alternative in alternatives)))
    return labels
