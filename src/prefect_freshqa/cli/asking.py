"""What `ask` asks with: a method bound to its providers, with or without the ledger."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta
from decimal import Decimal
from typing import Any

from freshqa.answering.batch import Asked
from freshqa.answering.budget import Budget
from freshqa.answering.language_model import LanguageModel
from freshqa.answering.metered import MeteredModel, MeteredSearch
from freshqa.answering.methods import answer
from freshqa.answering.response import Response
from freshqa.answering.settings import AnswerSettings
from freshqa.evidence.search_engine import SearchEngine
from prefect_freshqa.blocks.resolve import load_model, load_search_engine
from prefect_freshqa.cli.options import now, open_store

SEARCH_ONLY = "search-only"
REUSE = timedelta(days=6)
"""How long a call that the ledger holds is taken instead of a new one."""


def asking(
    *,
    method: str,
    as_of: date,
    search: str,
    model: str,
    settings: AnswerSettings,
    store: str,
    budget_usd: Decimal | None,
) -> Callable[[Asked], Response]:
    """A function that answers one question.

    Args:
        search, model: Names as `--search` and `--model` take them.
        store: URL of a store whose ledger keeps and reuses every call; "" for none, unless a
            provider is `replay`.
    """
    # Loaded first, so that a wrong name is said before anything is asked.
    needed = method != SEARCH_ONLY
    engine = load_search_engine(search)
    model_asked = load_model(model, budget_usd=budget_usd) if needed else None
    budget = Budget(usd=budget_usd)
    replaying = engine is None or (needed and model_asked is None)
    wrap = _through_ledger if store or replaying else _metered
    wrapped_search, wrapped_model = wrap(engine, model_asked, store, budget)

    def ask(asked: Asked) -> Response:
        return answer(
            asked.question,
            method=method,
            as_of=as_of,
            search=wrapped_search,
            model=wrapped_model if needed else None,
            settings=settings,
            multi_hop=asked.multi_hop,
        )

    return ask


Providers = tuple[SearchEngine, LanguageModel | None]


def _metered(
    engine: SearchEngine | None, model: LanguageModel | None, store: str, budget: Budget
) -> Providers:
    assert engine is not None, "a replay goes through the ledger"
    return MeteredSearch(engine, budget), MeteredModel(model, budget) if model else None


def _through_ledger(
    engine: SearchEngine | None, model: LanguageModel | None, store: str, budget: Budget
) -> Providers:
    from freshqa.store.cache import CachedModel, CachedSearch

    settings: Any = {"now": now, "window": REUSE, "budget": budget}
    opened = open_store(store)
    return (
        CachedSearch(engine, opened, None, **settings),
        CachedModel(model, opened, None, **settings),
    )
