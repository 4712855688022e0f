"""One round of the loop: a response and the results of its checks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any

from freshqa.answering.language_model import Completion
from freshqa.answering.response import Response
from freshqa.checking.answer_kind import wanted_kind
from freshqa.checking.compare import Comparison, compare
from freshqa.checking.equivalence import EquivalenceJudge
from freshqa.checking.feedback import Feedback
from freshqa.checking.find_answer import SupportKind, find
from freshqa.checking.guards import Guard, guard
from freshqa.checking.short_answer import short_answers
from freshqa.checking.support import support
from freshqa.checking.utility import Utility, utility
from freshqa.checking.weigh import Weighed, weigh
from freshqa.dataset.question import Question
from freshqa.facts.verdicts import counts_none
from freshqa.json_record import JsonRecord

_LONGEST_TITLE = 20


class Move(str, Enum):
    """The next move of a policy: acquire something, or end the check."""

    search = "search"  # look the question up
    read = "read-pages"  # read the pages behind what was found
    search_again = "search-again"  # look a follow-up question up, and answer with it
    answer = "answer"  # let the model answer from what there is
    revise = "revise"  # ask again, with feedback
    keep = "keep"  # confirm the stored answer
    propose = "propose"  # the new answer is proposed
    escalate = "escalate"  # a person has to look


@dataclass(frozen=True)
class Acquired(JsonRecord):
    """A move before the first answer, and the features it was decided on."""

    move: Move
    features: tuple[float, ...]


@dataclass(frozen=True)
class Round:
    """One turn of the loop and how useful it was.

    Args:
        number: From 1.
        response: What the method answered.
        answer: Its answer standing alone, or "".
        comparison: Against the stored answers.
        weighed: Stored, proposed and rival answers in the evidence.
        utility: The measures of LLM-Augmenter and ours.
        guards: Results of G1 to G4.
        features: What a learned policy looks at, by the names of `policy_features.NAMES`.
        move: What the policy did then.
        critique: The model's own criticism, when it was asked for one.
        acquired: The moves before the first answer; of the first round only.
    """

    number: int
    response: Response
    answer: str
    comparison: Comparison
    weighed: Weighed
    utility: Utility
    guards: tuple[Guard, ...]
    features: tuple[float, ...] = ()
    move: Move = Move.escalate
    critique: Completion | None = None
    acquired: tuple[Acquired, ...] = ()

    @property
    def feedback(self) -> tuple[Feedback, ...]:
        """The feedback of failed guards, without repetition."""
        said = (guard.feedback for guard in self.guards if guard.feedback is not None)
        return tuple(dict.fromkeys(said))

    @property
    def worth(self) -> tuple[float, ...]:
        """Order of usefulness: agreement, guards passed, sources, words found in evidence."""
        return (
            float(bool(self.comparison.agrees)),
            sum(guard.passed for guard in self.guards) / max(1, len(self.guards)),
            float(self.utility.quoted),
            float(self.utility.independent),
            self.utility.answer_recall,
            self.utility.kf1,
        )

    def to_json(self) -> dict[str, Any]:
        """Return a JSON object for the ledger."""
        return {
            "round": self.number,
            "answer": self.answer,
            "agrees": self.comparison.agrees,
            "how": self.comparison.how,
            "reason": self.comparison.reason,
            "utility": self.utility.to_json(),
            "guards": [guard.to_json() for guard in self.guards],
            "feedback": [item.text for item in self.feedback],
            "critique": self.critique.text if self.critique else "",
            "features": list(self.features),
            "move": self.move.value,
            "spent": {
                "searches": len(self.response.searches),
                "pages": sum(len(result.pages) for result in self.response.searches),
                "completions": len(self.response.completions),
                "usd": str(self.response.cost_usd),
            },
            "acquired": [acquisition.to_json() for acquisition in self.acquired],
        }


def verify(
    number: int, response: Response, question: Question, *, judge: EquivalenceJudge | None = None
) -> Round:
    """Compare, weigh, guard and measure a response; nothing is decided yet.

    Args:
        number: Number of the round, from 1.
        response: What the method answered.
        judge: Asked whether the response agrees where words do not tell.
    """
    if not question.false_premise and counts_none(response.answer, question.text):
        response = replace(response, premise_rejected=False)  # none is a number, too
    comparison = compare(response, question, judge=judge)
    answer = _standing_alone(response, question)
    wanted = ""
    if answer and not comparison.agrees and not response.premise_rejected:
        wanted = "" if question.false_premise else wanted_kind(answer, question)
    answer = "" if wanted else answer
    proposed = (answer,) if answer else ()
    weighed = weigh(question.answers, proposed, response.cited_first, question=question.text)
    return Round(
        number=number,
        response=response,
        answer=answer,
        comparison=comparison,
        weighed=weighed,
        utility=utility(response, weighed.proposed),
        guards=guard(answer, response, weighed, wanted=wanted),
    )


def best(rounds: Sequence[Round]) -> Round:
    """Return the most useful round; the first among equals."""
    return max(rounds, key=lambda candidate: (*candidate.worth, -candidate.number))


def _standing_alone(response: Response, question: Question) -> str:
    """The answer to look for and to propose: a rebuttal whole, anything else cut to its words.

    Of several forms of one answer it is the fullest that the evidence holds.
    A capital at the start of a sentence is lowered if the evidence has it in lower case.
    """
    if response.premise_rejected:
        return response.answer.strip()
    forms = [*short_answers(response.answer, question), _quoted_whole(response)]
    said = [form for form in forms if form]
    evidence, asked = response.evidence, question.text
    quoted = (form for form in said if support(form, evidence, question=asked).firm)
    answer = next(quoted, said[0] if said else "")
    texts = [finding.statement for finding in evidence]
    small = answer[:1].lower() + answer[1:]
    if not any(answer in text for text in texts) and any(small in text for text in texts):
        return small
    return answer


def _quoted_whole(response: Response) -> str:
    """A long answer that resembles a sentence but is word for word in the evidence, such as a title."""
    answer = response.answer.strip().rstrip(".").strip(' "“”')
    if not 0 < len(answer.split()) <= _LONGEST_TITLE:
        return ""
    matches = (find(answer, finding.statement) for finding in response.evidence)
    exact = any(match is not None and match.kind is SupportKind.exact for match in matches)
    return answer if exact else ""
