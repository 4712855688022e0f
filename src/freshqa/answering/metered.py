"""A search engine and a language model whose every call is charged to a budget."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date
from typing import Any

from freshqa.answering.budget import Budget
from freshqa.answering.language_model import Completion, LanguageModel, Message
from freshqa.evidence.search_engine import SearchEngine, SearchResult


class MeteredSearch:
    """A search engine that raises `BudgetExhausted` when nothing is left."""

    def __init__(self, engine: SearchEngine, budget: Budget) -> None:
        self.name = engine.name
        self._engine, self._budget = engine, budget

    def search(self, query: str, *, as_of: date) -> SearchResult:
        """Search once and charge it."""
        with self._budget.search():
            result = self._engine.search(query, as_of=as_of)
            self._budget.charge_search(result.cost_usd)
        return result


class MeteredModel:
    """A language model that raises `BudgetExhausted` when nothing is left."""

    def __init__(self, model: LanguageModel, budget: Budget) -> None:
        self.name = model.name
        self._model, self._budget = model, budget

    def complete(
        self,
        messages: Sequence[Message],
        *,
        question: str = "",
        max_tokens: int = 1024,
        temperature: float = 0.0,
        schema: Mapping[str, Any] | None = None,
    ) -> Completion:
        """Complete once and charge it."""
        with self._budget.completion():
            completion = self._model.complete(
                messages,
                question=question,
                max_tokens=max_tokens,
                temperature=temperature,
                schema=schema,
            )
            self._budget.charge_completion(completion.usage, completion.cost_usd)
        return completion
