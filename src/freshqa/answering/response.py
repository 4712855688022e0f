"""What an answering method gives back."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from freshqa.answering.language_model import Completion
from freshqa.evidence.evidence import Evidence
from freshqa.evidence.search_engine import SearchResult


@dataclass(frozen=True)
class Response:
    """One answer to one question, with everything that led to it.

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
    text: str
    answer: str
    evidence: tuple[Evidence, ...] = ()
    searches: tuple[SearchResult, ...] = ()
    completions: tuple[Completion, ...] = ()
    intermediate: tuple[tuple[str, str], ...] = ()
    premise_rejected: bool = False
    premise_doubtful: bool = False
    reports_errors: bool = False
    cited: tuple[str, ...] = ()

    @property
    def cited_first(self) -> tuple[Evidence, ...]:
        """What was read: the findings that the response names, then the others."""
        return tuple(sorted(self.evidence, key=lambda finding: finding.id not in self.cited))

    @property
    def model(self) -> str:
        """Name of the model that wrote the response; "" for `search-only`."""
        return self.completions[-1].model if self.completions else ""

    @property
    def prompt_hash(self) -> str:
        """Hash of the prompt that the response answers; "" for `search-only`."""
        return self.completions[-1].prompt_hash if self.completions else ""

    @property
    def cost_usd(self) -> Decimal:
        """Money spent on searches and completions."""
        searched = sum((call.cost_usd for call in self.searches), Decimal(0))
        return sum((call.cost_usd for call in self.completions), searched)

    @property
    def tokens(self) -> int:
        """Tokens read and written by the model."""
        return sum(completion.usage.total for completion in self.completions)

    def to_json(self) -> dict[str, Any]:
        """Return the shape printed by `prefect-freshqa ask --json`."""
        return {
            "question": self.question,
            "method": self.method,
            "response": self.text,
            "answer": self.answer,
            "premise_rejected": self.premise_rejected,
            "premise_doubtful": self.premise_doubtful,
            "reports_errors": self.reports_errors,
            "evidence": [finding.to_json() for finding in self.evidence],
            "cited": list(self.cited),
            "intermediate": [{"question": q, "answer": a} for q, a in self.intermediate],
            "model": self.model,
            "prompt_hash": self.prompt_hash,
            "searches": len(self.searches),
            "completions": len(self.completions),
            "tokens": self.tokens,
            "cost_usd": str(self.cost_usd),
        }
