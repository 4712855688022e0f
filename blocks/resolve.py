"""Resolve a short text from a parameter or the command line to a provider or a store.

Parameters name blocks and never carry keys, so that nothing secret is kept with a flow run.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import parse_qsl

from freshqa.choices import REPLAY
from freshqa.errors import CredentialsError, UsageError
from prefect_freshqa.blocks.saved import load_saved_block
from prefect_freshqa.settings import configured_dataset, configured_store

if TYPE_CHECKING:
    from decimal import Decimal

    from freshqa.answering.language_model import LanguageModel
    from freshqa.evidence.search_engine import SearchEngine
    from freshqa.evidence.web_page import WebReader
    from freshqa.store.database import Store

WITHOUT_BLOCK = ("", "none", "lexical", REPLAY, "serpapi", "serper")
"""Names of providers that are not those of saved blocks."""
BEFORE_COLON = ("recorded", "searxng", "openai")
"""How other such names begin."""
MODEL_SETTINGS = ("max_tokens", "reasoning_effort")
PRICE_REMEDY = (
    "Set OPENAI_PROMPT_USD_PER_MILLION and OPENAI_COMPLETION_USD_PER_MILLION, or the same fields "
    "of its block (0 for a model of your own); or drop the budget."
)


def names_saved_block(spec: str) -> bool:
    """Return whether a provider may be a saved block, which has to be loaded from a Prefect server."""
    scheme, colon, _ = spec.partition(":")
    return scheme not in (BEFORE_COLON if colon else WITHOUT_BLOCK)


def load_search_engine(spec: str) -> SearchEngine | None:
    """Return the search engine that `spec` names.

    Args:
        spec: `recorded:FILE`, `replay`, `serpapi` (key in SERPAPI_API_KEY), `serper` (key in
            SERPER_API_KEY), `searxng:URL`, or a saved block: `slug/name` or its bare name.

    Returns:
        The engine; None for `replay`, where the caller answers from the store's own record.

    Raises:
        NotFound: No such block or file; the message lists what there is.
        CredentialsError: A shorthand whose key is not in the environment.
        UsageError: A bare name that several blocks share.
    """
    # Deferred, here and below: flows and commands import this module, few use every provider.
    from pydantic import SecretStr

    from prefect_freshqa.blocks import search_engines

    scheme, rest = _shorthand(spec, ("recorded", "searxng"))
    if spec == REPLAY:
        return None
    if scheme == "recorded":
        from prefect_freshqa.blocks.recorded_engine import load_recording

        recorded = search_engines.RecordedSearch(path=Path(rest)).get_engine()
        load_recording(recorded.path)  # fails now instead of at the first of 600 searches
        return recorded
    if spec == "serpapi":
        return search_engines.SerpApiSearch(
            api_key=SecretStr(_key("SERPAPI_API_KEY", spec)),
            **_from_environment({"base_url": "SERPAPI_BASE_URL"}),
        ).get_engine()
    if spec == "serper":
        return search_engines.SerperSearch(
            api_key=SecretStr(_key("SERPER_API_KEY", spec))
        ).get_engine()
    if scheme == "searxng":
        return search_engines.SearxngSearch(base_url=rest).get_engine()
    return cast("SearchEngine", load_saved_block(spec, "get_engine").get_engine())


def pages_can_be_read() -> bool:
    """Return whether the extra `pages` is installed."""
    from importlib.util import find_spec

    return bool(find_spec("trafilatura") and find_spec("rank_bm25"))


def load_page_reader(spec: str, *, search: str) -> WebReader | None:
    """Return the reader of pages that `spec` names.

    Args:
        spec: A saved block, `slug/name` or its bare name; "" for a `PageReader` as it comes.
        search: The search engine it reads results of.

    Returns:
        The reader; None where the search is `replay` or a recording: nothing is fetched then, and
        the caller answers from the store's own record.

    Raises:
        NotFound: No such block.
        UsageError: The extra `pages` is not installed.
    """
    if not pages_can_be_read():
        raise UsageError(
            "Reading pages needs the extra `pages`, which is not installed.",
            "Run: pip install 'prefect-freshqa[pages]'.",
        )
    if search == REPLAY or search.startswith("recorded:"):
        return None
    if spec:
        return cast("WebReader", load_saved_block(spec, "get_reader").get_reader())
    from prefect_freshqa.blocks.page_reader import PageReader

    return PageReader().get_reader()


def load_model(spec: str, *, budget_usd: Decimal | None = None) -> LanguageModel | None:
    """Return the language model that `spec` names.

    Args:
        spec: `recorded:FILE`, `replay`, `openai:MODEL` (key in OPENAI_API_KEY, endpoint in
            OPENAI_BASE_URL), or a saved block: `slug/name` or its bare name.
        budget_usd: What may be spent; a model whose price is not known cannot keep to it.

    Returns:
        The model; None for `replay`, where the caller answers from the store's own record.

    Raises:
        NotFound, CredentialsError, UsageError: As for `load_search_engine`.
        UsageError: A budget, and no price.
    """
    from prefect_freshqa.blocks import language_models

    scheme, rest = _shorthand(spec, ("recorded", "openai"))
    if spec == REPLAY:
        return None
    if scheme == "recorded":
        return language_models.RecordedModel(path=rest).get_model()
    if scheme == "openai":
        asked = language_models.OpenAIModel(**_openai_settings(rest, spec)).get_model()
    else:
        asked = cast("LanguageModel", load_saved_block(spec, "get_model").get_model())
    if budget_usd and not getattr(asked, "has_prices", True):
        # models of other packages may know their price
        raise UsageError(
            f"The price of '{spec}' is unknown, so a budget in dollars cannot be enforced.",
            PRICE_REMEDY,
        )
    return asked


def load_store(spec: str = "", *, dataset: str = "") -> Store:
    """Return the store that `spec` names.

    Args:
        spec: A SQLAlchemy URL, a saved `FreshQAStore` block, or "" for PREFECT_FRESHQA_STORE
            and, where that is not set, a SQLite file in the user's data directory.
        dataset: Name of the dataset in a store given by URL, by default that of
            PREFECT_FRESHQA_DATASET, else `freshqa`; a block knows its own.

    Raises:
        NotFound: No such block.
        StoreError: The database does not answer or is not migrated.
    """
    from freshqa.store.database import Store

    spec = spec or configured_store()
    if "://" in spec:
        return Store.open(spec, dataset=dataset or configured_dataset())
    return cast("Store", load_saved_block(spec, "get_store").get_store())


def _shorthand(spec: str, schemes: tuple[str, ...]) -> tuple[str, str]:
    """Scheme and rest of `scheme:rest`; ("", spec) when it is none of `schemes`."""
    scheme, colon, rest = spec.partition(":")
    if not colon or scheme not in schemes:
        return "", spec
    if not rest:
        raise UsageError(f"Missing value after '{scheme}:'.", f"For example: {scheme}:NAME.")
    return scheme, rest


def _openai_settings(model: str, spec: str) -> dict[str, Any]:
    """Settings of `openai:MODEL`; a key is needed only by OpenAI's own endpoint."""
    settings = _from_environment(
        {
            "base_url": "OPENAI_BASE_URL",
            "api_key": "OPENAI_API_KEY",
            "prompt_usd_per_million": "OPENAI_PROMPT_USD_PER_MILLION",
            "completion_usd_per_million": "OPENAI_COMPLETION_USD_PER_MILLION",
        }
    )
    if "base_url" not in settings:
        settings["api_key"] = _key("OPENAI_API_KEY", spec)
    name, _, written = model.partition("?")
    return {"model": name, **settings, **_written_settings(written, spec)}


def _written_settings(written: str, spec: str) -> dict[str, str]:
    """Settings behind the model's name, as in `openai:o4-mini?max_tokens=4000&reasoning_effort=low`."""
    settings = dict(parse_qsl(written, keep_blank_values=True))
    unknown = settings.keys() - set(MODEL_SETTINGS)
    numeric = settings.get("max_tokens", "1")
    if unknown or not (numeric.isascii() and numeric.isdigit() and int(numeric) > 0):
        raise UsageError(
            f"Invalid model settings in {spec!r}.",
            "Use openai:MODEL?max_tokens=4000&reasoning_effort=low, or one of the two.",
        )
    return settings


def _from_environment(variables: dict[str, str]) -> dict[str, Any]:
    """Field → value for the variables that are set."""
    values = {field: os.environ.get(name, "").strip() for field, name in variables.items()}
    return {field: value for field, value in values.items() if value}


def _key(variable: str, spec: str) -> str:
    key = os.environ.get(variable, "").strip()
    if not key:
        raise CredentialsError(
            f"'{spec}' needs a key, and {variable} is not set.",
            f"Run: export {variable}=… ; or save a block in Prefect and name it instead.",
        )
    return key
