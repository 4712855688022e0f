"""The method that `ask` calls, bound to its providers, with or without the ledger."""

from __future__ import annotations

import os
from collections.abc import Callable
from datetime import date, timedelta
from decimal import Decimal
from typing import TYPE_CHECKING, Any

from freshqa.answering.batch import Asked
from freshqa.answering.budget import Budget
from freshqa.answering.language_model import LanguageModel
from freshqa.answering.metered import MeteredModel, MeteredSearch
from freshqa.answering.method_options import Way
from freshqa.answering.methods import answer, searches
from freshqa.answering.response import Response
from freshqa.choices import REPLAY
from freshqa.defaults import REUSE_DAYS
from freshqa.errors import StoreError
from freshqa.evaluation.texts import Texts, method_texts
from freshqa.evidence.search_engine import SearchEngine
from prefect_freshqa.blocks.resolve import load_model, load_search_engine
from prefect_freshqa.cli.options import now, open_store
from prefect_freshqa.cli.output import progress_to_stderr
from prefect_freshqa.settings import STORE_VARIABLE

if TYPE_CHECKING:
    from freshqa.store.database import Store

SEARCH_ONLY = "search-only"


def asking(
    way: Way,
    *,
    as_of: date,
    search: str,
    model: str,
    store: str,
    budget_usd: Decimal | None,
) -> tuple[Callable[[Asked], Response], Texts]:
    """Return a function that answers one question, and the texts it asks with.

    Args:
        way: Method, profile and files.
        search, model: Names as `--search` and `--model` take them.
        store: URL of a store whose ledger keeps and reuses every call; "" for none, unless a
            provider is `replay`. One that only the environment names may be missing.
    """
    way.settings(as_of=as_of)  # an unknown name or file is reported before any paid call
    engine = load_search_engine(search) if searches(way.method) else None
    needed = way.method != SEARCH_ONLY
    model_asked = load_model(model, budget_usd=budget_usd) if needed else None
    replaying = REPLAY in ((search if searches(way.method) else ""), (model if needed else ""))
    ledger = _ledger(store, required=replaying) if store or replaying else None
    budget = Budget(usd=budget_usd)
    wrapped_search, wrapped_model = (
        _through_ledger(engine, model_asked, ledger, budget)
        if ledger
        else _metered(engine, model_asked, budget)
    )
    if not searches(way.method):
        wrapped_search = None
    settings = way.settings(as_of=as_of, search=wrapped_search)

    def ask(asked: Asked) -> Response:
        return answer(
            asked.question,
            method=way.method,
            as_of=as_of,
            search=wrapped_search,
            model=wrapped_model if needed else None,
            settings=settings,
            multi_hop=asked.multi_hop,
        )

    return ask, method_texts(way.method, way.profile, settings)


Providers = tuple[SearchEngine | None, LanguageModel | None]


def _ledger(url: str, *, required: bool) -> Store | None:
    """Return the store, or None where the one of the environment cannot be used: a note says so."""
    try:
        return open_store(url, writes=True)
    except StoreError as unusable:
        if required or url != os.environ.get(STORE_VARIABLE):
            raise
        progress_to_stderr().print(
            f"Note: searches and completions are not kept: {unusable.message}",
            markup=False,
            soft_wrap=True,
        )
        return None


def _metered(engine: SearchEngine | None, model: LanguageModel | None, budget: Budget) -> Providers:
    return (
        MeteredSearch(engine, budget) if engine else None,
        MeteredModel(model, budget) if model else None,
    )


def _through_ledger(
    engine: SearchEngine | None, model: LanguageModel | None, store: Store, budget: Budget
) -> Providers:
    from freshqa.store.cache import CachedModel, CachedSearch

    settings: Any = {"now": now, "window": timedelta(days=REUSE_DAYS), "budget": budget}
    return (
        CachedSearch(engine, store, None, **settings),
        CachedModel(model, store, None, **settings),
    )
