"""The utility of a response: the paper's measures, which are reported, and ours, which decide.

KF1 and recall are those of LLM-Augmenter (Peng et al. 2023) in ParlAI's normalisation. For short
answers they cannot tell a right answer from a wrong one of the same type (AUC 0.49-0.52 measured),
so they never decide; whether the answer is quoted from evidence does.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from freshqa.answering.response import Response
from freshqa.checking.support import SupportReport
from freshqa.evidence.evidence import Evidence
from freshqa.facts.tokens import tokenise
from freshqa.json_record import JsonRecord

_PUNCTUATION = re.compile(r"[!\"#$%&()*+,\-./:;<=>?@\[\]\\^`{|}~_']")
_PARLAI_ARTICLES = re.compile(r"\b(a|an|the)\b")


@dataclass(frozen=True)
class Utility(JsonRecord):
    """The utility of one response, by several measures.

    Args:
        kf1: F1 of the response's words against the evidence (best single finding).
        recall: Share of the evidence's words that the response repeats (best single finding).
        answer_recall: Share of the answer's words found in one and the same finding.
        quoted: True when a finding contains the answer verbatim, as a date or as a number.
        sufficient: True when the method answered at all and some finding holds the answer.
        independent: Number of independent domains that support it.
        newest: Date of the newest supporting finding, or None.
    """

    kf1: float
    recall: float
    answer_recall: float
    quoted: bool
    sufficient: bool
    independent: int
    newest: date | None


def utility(response: Response, supported: SupportReport) -> Utility:
    """Measure a response; `supported` is what the evidence says of its answer."""
    texts = [finding.text for finding in response.evidence]
    return Utility(
        kf1=knowledge_f1(response.text, texts),
        recall=max((_overlap(response.text, text)[1] for text in texts), default=0.0),
        answer_recall=answer_recall(response.answer, response.evidence),
        quoted=bool(supported.firm),
        sufficient=bool(response.answer.strip()) and bool(supported.supports),
        independent=len(supported.independent_domains),
        newest=supported.newest,
    )


def knowledge_f1(response: str, knowledge: Sequence[str]) -> float:
    """KF1: token F1 of a response against the best of several knowledge texts, 0 to 1."""
    best = 0.0
    for text in knowledge:
        precision, recall = _overlap(response, text)
        if precision and recall:
            best = max(best, 2 * precision * recall / (precision + recall))
    return best


def answer_recall(answer: str, evidence: Sequence[Evidence]) -> float:
    """Return the share of an answer's words that one finding contains together, 0 to 1."""
    wanted = {token.form for token in tokenise(answer)}
    if not wanted:
        return 0.0
    shares = (
        len(wanted & {token.form for token in tokenise(finding.text)}) / len(wanted)
        for finding in evidence
    )
    return max(shares, default=0.0)


def parlai_words(text: str) -> list[str]:
    """ParlAI's `normalize_answer`: lower case, punctuation to spaces, articles removed."""
    spaced = _PUNCTUATION.sub(" ", text.lower())
    return _PARLAI_ARTICLES.sub(" ", spaced).split()


def _overlap(response: str, knowledge: str) -> tuple[float, float]:
    """Precision and recall of the response's words against the knowledge's."""
    left, right = Counter(parlai_words(response)), Counter(parlai_words(knowledge))
    common = sum((left & right).values())
    if not common:
        return 0.0, 0.0
    return common / sum(left.values()), common / sum(right.values())
