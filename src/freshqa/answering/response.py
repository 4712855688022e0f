"""The response of an answering method."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Annotated

from pydantic import Field, PlainSerializer, computed_field

from freshqa.answering.language_model import Completion
from freshqa.evidence.evidence import Evidence
from freshqa.evidence.search_engine import SearchResult
from freshqa.json_record import JsonRecord


def _steps(intermediate: Sequence[tuple[str, str]]) -> list[dict[str, str]]:
    return [{"question": question, "answer": answer} for question, answer in intermediate]


@dataclass(frozen=True)
class Response(JsonRecord):
    """One answer to one question, with everything that led to it; JSON counts its calls.

    Args:
        question: The question asked.
        method: `search-only`, `freshprompt` or `self-ask`.
        text: The whole response.
        answer: The answer in it, standing alone ("" when the response gives none).
        evidence: What was read, in prompt order (oldest to newest).
        searches: Every search made, in order.
        completions: Every completion made, in order; the last one is the response.
        intermediate: Follow-up questions with their answers (Self-Ask).
        premise_rejected: True when the response says that the question's premise is false.
        premise_doubtful: True when its label says so, and its words answer the question.
        reports_errors: True when it says that the evidence is wrong or contradicts itself.
        cited: Ids of the findings that the response names as its sources.
    """

    question: str
    method: str
    text: Annotated[str, Field(serialization_alias="response")]
    answer: str
    evidence: tuple[Evidence, ...] = ()
    searches: Annotated[tuple[SearchResult, ...], PlainSerializer(len)] = ()
    completions: Annotated[tuple[Completion, ...], PlainSerializer(len)] = ()
    intermediate: Annotated[tuple[tuple[str, str], ...], PlainSerializer(_steps)] = ()
    premise_rejected: bool = False
    premise_doubtful: bool = False
    reports_errors: bool = False
    cited: tuple[str, ...] = ()

    @property
    def cited_first(self) -> tuple[Evidence, ...]:
        """The findings that the response cites, then the others."""
        return tuple(sorted(self.evidence, key=lambda finding: finding.id not in self.cited))

    @computed_field
    @property
    def model(self) -> str:
        """Name of the model that wrote the response; "" for `search-only`."""
        return self.completions[-1].model if self.completions else ""

    @computed_field
    @property
    def prompt_hash(self) -> str:
        """Hash of the prompt that the response answers; "" for `search-only`."""
        return self.completions[-1].prompt_hash if self.completions else ""

    @computed_field
    @property
    def cost_usd(self) -> Decimal:
        """Money spent on searches and completions."""
        searched = sum((call.cost_usd for call in self.searches), Decimal(0))
        return sum((call.cost_usd for call in self.completions), searched)

    @computed_field
    @property
    def tokens(self) -> int:
        """Tokens read and written by the model."""
        return sum(completion.usage.total for completion in self.completions)
