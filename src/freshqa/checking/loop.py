"""LLM-Augmenter's loop: ask, verify, tell what is missing, ask again, at most three times."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from freshqa.answering.response import Response
from freshqa.checking.compare import Comparison, compare
from freshqa.checking.feedback import Feedback, feedback_text
from freshqa.checking.guards import Guard, guard
from freshqa.checking.judgement import Judge
from freshqa.checking.short_answer import short_answer
from freshqa.checking.statement import statement
from freshqa.checking.tokens import fold
from freshqa.checking.utility import Utility, utility
from freshqa.checking.weigh import Weighed, weigh
from freshqa.dataset.question import Question

Ask = Callable[[str, "Response | None"], Response]
"""Answers the question again, given feedback and the response that it is about."""


@dataclass(frozen=True)
class Round:
    """One turn of the loop and what it was found to be worth.

    Args:
        number: From 1.
        answer: The response's answer standing alone, or "".
        guards: Results of G1 to G4.
        feedback: What the next round is told.
        move: `keep` the stored answer, `propose` the new one, `revise`, or `escalate` to a person.
    """

    number: int
    response: Response
    answer: str
    comparison: Comparison
    weighed: Weighed
    utility: Utility
    guards: tuple[Guard, ...]
    feedback: tuple[Feedback, ...]
    move: str

    @property
    def passed(self) -> bool:
        """True when every guard passed."""
        return all(one.passed for one in self.guards)

    def to_json(self) -> Mapping[str, Any]:
        """A JSON object for the ledger."""
        return {
            "round": self.number,
            "answer": self.answer,
            "agrees": self.comparison.agrees,
            "how": self.comparison.how,
            "reason": self.comparison.reason,
            "utility": dict(self.utility.to_json()),
            "guards": [dict(one.to_json()) for one in self.guards],
            "feedback": [item.text for item in self.feedback],
            "move": self.move,
        }


def run_loop(
    question: Question, ask: Ask, *, max_rounds: int = 3, judge: Judge | None = None
) -> list[Round]:
    """Ask until an answer passes, or nothing new comes of it, or the rounds are used up.

    Returns:
        Every round, in order; the last one is the result.
    """
    rounds: list[Round] = []
    response = ask("", None)
    while True:
        rounds.append(_verify(len(rounds) + 1, response, question, rounds, max_rounds, judge))
        if rounds[-1].move != "revise":
            return rounds
        response = ask(feedback_text(rounds[-1].feedback), response)


def _verify(
    number: int,
    response: Response,
    question: Question,
    earlier: list[Round],
    max_rounds: int,
    judge: Judge | None,
) -> Round:
    comparison = compare(response, question, judge=judge)
    answer = _standing_alone(response, question)
    proposed = (answer,) if answer else ()
    weighed = weigh(question.answers, proposed, response.evidence, question=question.text)
    guards = guard(answer, response, weighed)
    feedback = tuple(one.feedback for one in guards if one.feedback)
    repeated = any(fold(answer) == fold(r.answer) for r in earlier)
    if comparison.agrees:
        move = "keep"
    elif not feedback:
        move = "propose"
    elif number >= max_rounds or repeated or not response.completions:
        move = "escalate"
    else:
        move = "revise"
    worth = utility(response, weighed.proposed)
    return Round(number, response, answer, comparison, weighed, worth, guards, feedback, move)


def _standing_alone(response: Response, question: Question) -> str:
    """The answer to look for and to propose: a rebuttal whole, anything else cut to its words.

    A capital that only the start of a sentence explains is undone when the evidence writes it small.
    """
    if response.premise_rejected:
        return response.answer.strip()
    answer = short_answer(response.answer, question)
    texts = [statement(finding) for finding in response.evidence]
    small = answer[:1].lower() + answer[1:]
    if not any(answer in text for text in texts) and any(small in text for text in texts):
        return small
    return answer
