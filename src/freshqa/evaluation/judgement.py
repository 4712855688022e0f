"""The judgement of one response."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from enum import Enum
from typing import Annotated, Protocol

from pydantic import Field

from freshqa.answering.language_model import Completion
from freshqa.dataset.question import Question
from freshqa.json_record import JsonRecord, Moment


class Mode(str, Enum):
    """The mode in which FreshEval credits a response."""

    relaxed = "relaxed"  # the primary answer counts
    strict = "strict"  # any hallucination costs the credit


class Verdict(str, Enum):
    """A verdict, or `unrated` if there is none."""

    correct = "correct"
    incorrect = "incorrect"
    unrated = "unrated"  # no judge could decide: counted and named, but not part of percentages


@dataclass(frozen=True)
class Judgement(JsonRecord):
    """One verdict on one response, with the data needed to repeat it.

    Args:
        question: The question in its gold row.
        verdict: correct, incorrect or unrated.
        mode: relaxed or strict.
        judge: Name of the model that judged, `lexical`, or `recorded:NAME`.
        comment: Why, in the judge's words; for `unrated` what went wrong.
        key: Stable key of the question.
        prompt_hash: Hash of the judge's prompt; "" without a model.
        gold: Revision hash of the row whose answers were the gold.
        gold_version: Number of the version that row was read from.
        gold_as_of: Date on which that version was right.
        judged_at: When (aware, UTC); None for a judge without a clock (`lexical`).
        responded_on: Date of the response, when it is known.
        attempts: How often the judge was asked.
        marks: What a reader must know: `response-after-gold`, `gold-changed-since`,
            `suspicious-response:NAME`.
        tokens, cost_usd: What judging took.
        completions: The judge's replies, for the ledger; not part of the JSON.
    """

    question: str
    verdict: Verdict
    mode: Mode
    judge: str
    comment: str = ""
    response: str = ""
    key: str = ""
    prompt_hash: str = ""
    gold: str = ""
    gold_version: int | None = None
    gold_as_of: date | None = None
    judged_at: Moment | None = None
    responded_on: date | None = None
    attempts: int = 0
    marks: tuple[str, ...] = ()
    tokens: int = 0
    cost_usd: Decimal = Decimal(0)
    completions: Annotated[tuple[Completion, ...], Field(exclude=True)] = field(
        default=(), compare=False, repr=False
    )

    @property
    def correct(self) -> bool:
        """True when the response is credited."""
        return self.verdict is Verdict.correct

    @property
    def rated(self) -> bool:
        """True when there is a verdict."""
        return self.verdict is not Verdict.unrated


class Judge(Protocol):
    """Anything that gives verdicts: a model, a recording, a rule; thread-safe."""

    name: str

    def judge(self, question: Question, response: str, *, mode: Mode) -> Judgement:
        """Judge one response against the question's answers.

        Raises:
            ProviderError, ProviderRejected, QuotaExhausted, CredentialsError, BudgetExhausted:
                as the model does. A reply that makes no sense is not an error but `unrated`.
        """
        ...
