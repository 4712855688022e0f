"""What the loop makes of first replies: outcomes, proposals, and what each round changed."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timezone

from benchmarks.checking_data import SEARCHED_ON
from benchmarks.prompts.candidates import Recipe
from benchmarks.prompts.first_replies import ask_once
from benchmarks.prompts.questions import RecordedQuestion
from freshqa.answering.language_model import LanguageModel
from freshqa.answering.response import Response
from freshqa.errors import NotFound
from freshqa.evaluation.judgement import Mode, Verdict
from freshqa.evaluation.lexical import lexical_verdict
from freshqa.maintaining.acceptance_policy import decide_by_policy
from freshqa.maintaining.proposal import CheckedQuestion, Outcome
from freshqa.maintaining.recheck import CheckSettings, recheck


@dataclass(frozen=True)
class Checked:
    """A question after the loop.

    Args:
        rounds: Whether the answer of each round was right, in order.
        automatic: True when policy `assisted` accepts the proposal without a person.
    """

    asked: RecordedQuestion
    checked: CheckedQuestion
    rounds: tuple[bool, ...]
    automatic: bool

    @property
    def proposed(self) -> Verdict | None:
        """Verdict of the lexical judge on the proposed answers; None when none is proposed."""
        answers = self.checked.outcome in (Outcome.changed, Outcome.conflicting)
        if not answers or not self.checked.proposed:
            return None
        said = "; ".join(self.checked.proposed)
        return lexical_verdict(self.asked.gold, said, mode=Mode.relaxed)[0]

    @property
    def proposed_right(self) -> bool | None:
        """Whether the judge credits what is proposed; None when no answer is proposed."""
        return None if self.proposed is None else self.proposed is Verdict.correct

    @property
    def wrong_automatic(self) -> bool:
        """True when a changed fact is confirmed, or an answer replaced wrongly, without a person."""
        if not self.automatic:
            return False
        return self.asked.case.changed or self.proposed_right is False


def checked_questions(
    questions: Sequence[RecordedQuestion],
    recipe: Recipe,
    model: LanguageModel,
    *,
    rounds: int,
) -> Iterator[Checked]:
    """Check every question as a refresh does, without a judge; what cannot be asked is left out."""
    for asked in questions:
        given: list[Response] = []
        missing: list[NotFound] = []

        def ask(
            feedback: str,
            prior: Response | None,
            asked: RecordedQuestion = asked,
            given: list[Response] = given,
            missing: list[NotFound] = missing,
        ) -> Response:
            try:
                response = ask_once(asked, recipe, model, feedback, prior)
            except NotFound as failure:
                missing.append(failure)
                raise
            given.append(response)
            return response

        checked = recheck(
            asked.stored, as_of=SEARCHED_ON, ask=ask, settings=CheckSettings(max_rounds=rounds)
        )
        if not missing:
            yield Checked(asked, checked, _right(asked, given), _automatic(asked, checked))


def _right(asked: RecordedQuestion, given: Sequence[Response]) -> tuple[bool, ...]:
    verdicts = (lexical_verdict(asked.gold, r.answer, mode=Mode.relaxed)[0] for r in given)
    return tuple(verdict is Verdict.correct for verdict in verdicts)


def _automatic(asked: RecordedQuestion, checked: CheckedQuestion) -> bool:
    if checked.proposal is None:
        return False
    now = datetime.combine(SEARCHED_ON, datetime.min.time(), timezone.utc)
    decision = decide_by_policy(checked.proposal, asked.stored, policy="assisted", now=now)
    return decision.action is not None
