"""Deterministic guards that every proposed answer must pass (the four abilities RGB probes).

G1 noise: the answer is quoted from evidence. G2 rejection: without evidence there is no answer.
G3 integration: every part of an answer has support. G4 counterfactual: no independent evidence that
is as new holds on to the stored answer. A failed guard never picks an answer: the outcome becomes
`insufficient` (G1–G3) or `conflicting` (G4).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from pydantic import Field, PlainSerializer

from freshqa.answering.response import Response
from freshqa.checking.feedback import Feedback, FeedbackCode
from freshqa.checking.support import support
from freshqa.checking.weigh import Weighed
from freshqa.dates.mentions import read_date
from freshqa.facts.same_fact import is_list, list_parts
from freshqa.json_record import JsonRecord

_BEST = 3
"""Findings nearest to the question: the best hits and the answer box."""


def _code(feedback: Feedback | None) -> str | None:
    return feedback.code.value if feedback else None


@dataclass(frozen=True)
class Guard(JsonRecord):
    """The result of one guard.

    Args:
        name: `G1` to `G4`.
        passed: Whether the proposed answer passes.
        feedback: What to tell the next round when it may not.
    """

    name: Annotated[str, Field(serialization_alias="guard")]
    passed: bool
    feedback: Annotated[Feedback | None, PlainSerializer(_code)] = None


def guard(
    answer: str, response: Response, weighed: Weighed, *, wanted: str = ""
) -> tuple[Guard, ...]:
    """Run G1–G4 on an answer.

    Args:
        answer: What is to be proposed, standing alone.
        wanted: The kind that is asked for, when the response answers with another one.
        response: The response that it comes from.
        weighed: The stored answers against the response's answer, in the response's evidence.
    """
    if wanted:
        other = Feedback(FeedbackCode.other_kind, (response.answer, wanted))
        return (Guard("G2", False, other),)
    if not answer:
        return (Guard("G2", False, Feedback(FeedbackCode.no_answer)),)
    noise = _noise(answer, response, weighed)
    guards = (noise, _rejection(answer, response, weighed), _integration(answer, response))
    if not noise.passed:
        return guards  # the answer has no support, so nothing can contradict it
    return (*guards, _counterfactual(answer, response, weighed))


def _noise(answer: str, response: Response, weighed: Weighed) -> Guard:
    if weighed.proposed.firm:
        return Guard("G1", True)
    return Guard("G1", False, _not_quoted(answer, response, weighed))


def _rejection(answer: str, response: Response, weighed: Weighed) -> Guard:
    if weighed.proposed.supports:
        return Guard("G2", True)
    return Guard("G2", False, _not_quoted(answer, response, weighed))


def _not_quoted(answer: str, response: Response, weighed: Weighed) -> Feedback:
    """Findings that may contain the answer: those with other answers of its kind, else the best ones."""
    hints = [quote.evidence_id for quote in weighed.proposed.supports]
    hints += [rival.evidence_id for rival in weighed.rivals]
    if not hints:
        hints = [finding.id for finding in response.evidence[-_BEST:]]
    return Feedback(FeedbackCode.no_quote, (answer,), _named(response, hints))


def _named(response: Response, ids: Sequence[str]) -> tuple[str, ...]:
    """Findings by number and domain, in the order in which the model reads them."""
    numbered = enumerate(response.evidence, 1)
    return tuple(
        f"{number} ({finding.domain})" for number, finding in numbered if finding.id in ids
    )


def _integration(answer: str, response: Response) -> Guard:
    if read_date(answer) is not None or not is_list(answer):
        return Guard("G3", True)
    for part in list_parts(answer):
        if not support(part, response.evidence, question=response.question).firm:
            return Guard("G3", False, Feedback(FeedbackCode.part_missing, (part,)))
    return Guard("G3", True)


def _counterfactual(answer: str, response: Response, weighed: Weighed) -> Guard:
    if not weighed.conflict:
        return Guard("G4", True)
    sides = [quote.evidence_id for quote in (*weighed.proposed.firm, *weighed.contrary)]
    sides += [rival.evidence_id for rival in weighed.rivals]
    findings = _named(response, sides)
    newest, contrary = weighed.proposed.newest, weighed.newest_contrary
    if newest and contrary and contrary > newest:
        dated = (answer, newest.isoformat(), contrary.isoformat(), weighed.against)
        return Guard("G4", False, Feedback(FeedbackCode.old_evidence, dated, findings))
    return Guard("G4", False, Feedback(FeedbackCode.conflict, (answer, weighed.against), findings))
