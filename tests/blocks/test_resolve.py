"""Block names, shorthands and URLs are resolved to blocks; no Prefect server is needed."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest

from freshqa.answering.language_model import Message
from freshqa.errors import CredentialsError, NotFound, StoreError, UsageError
from freshqa.sample import path
from freshqa.store.database import Store
from prefect_freshqa.blocks.resolve import (
    load_model,
    load_search_engine,
    load_store,
    names_saved_block,
)

QUESTION = "Who is the president of Orlune?"
KEYS = ("SERPAPI_API_KEY", "SERPER_API_KEY", "OPENAI_API_KEY", "OPENAI_BASE_URL")


@pytest.fixture(autouse=True)
def no_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (*KEYS, "PREFECT_FRESHQA_STORE"):
        monkeypatch.delenv(name, raising=False)


def test_replay_needs_no_search_engine_or_model() -> None:
    assert load_search_engine("replay") is None
    assert load_model("replay") is None


def test_recorded_searches_are_read_from_the_file() -> None:
    engine = load_search_engine(f"recorded:{path('searches-2026-03-09.jsonl')}")
    assert engine is not None
    result = engine.search(QUESTION, as_of=date(2026, 3, 9))
    assert result.body["answer_box"]["answer"] == "Idris Quane"


def test_recorded_replies_are_read_from_the_file() -> None:
    model = load_model(f"recorded:{path('model-2026-03-09.jsonl')}")
    assert model is not None
    completion = model.complete([Message("user", "…")], question=QUESTION)
    assert completion.text.endswith("Idris Quane.")


@pytest.mark.parametrize("load", [load_search_engine, load_model])
def test_a_missing_recording_is_named(load, tmp_path: Path) -> None:
    missing = tmp_path / "nothing.jsonl"
    with pytest.raises(NotFound, match=r"nothing\.jsonl"):
        load(f"recorded:{missing}")


@pytest.mark.parametrize(
    ("load", "spec", "variable"),
    [
        (load_search_engine, "serpapi", "SERPAPI_API_KEY"),
        (load_search_engine, "serper", "SERPER_API_KEY"),
        (load_model, "openai:gpt-4o", "OPENAI_API_KEY"),
    ],
)
def test_a_missing_key_is_reported_with_its_environment_variable(
    load, spec: str, variable: str
) -> None:
    with pytest.raises(CredentialsError, match=rf"{variable}.*export {variable}=…"):
        load(spec)


def test_keys_come_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("SERPAPI_API_KEY", "SERPER_API_KEY", "OPENAI_API_KEY"):
        monkeypatch.setenv(name, "a-key-that-must-not-show")
    loaded = [load_search_engine("serpapi"), load_search_engine("serper"), load_model("openai:m")]
    assert None not in loaded
    assert "must-not-show" not in repr(loaded)


def test_a_custom_endpoint_needs_no_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:9/v1")
    assert load_model("openai:local") is not None


def test_searxng_needs_no_key() -> None:
    assert load_search_engine("searxng:http://127.0.0.1:9") is not None


@pytest.mark.parametrize("spec", ["openai:", "searxng:", "recorded:"])
def test_a_shorthand_without_a_value_is_refused(spec: str) -> None:
    load = load_model if spec == "openai:" else load_search_engine
    with pytest.raises(UsageError, match=spec):
        load(spec)


def test_a_store_is_loaded_by_url(sqlite_url: str) -> None:
    Store.open(sqlite_url, create=True)
    assert load_store(sqlite_url).dataset == "freshqa"


def test_a_store_is_loaded_from_the_environment_variable(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    Store.open(sqlite_url, create=True)
    monkeypatch.setenv("PREFECT_FRESHQA_STORE", sqlite_url)
    assert load_store().url == load_store(sqlite_url).url


def test_a_store_without_a_schema_is_reported_with_the_command_that_creates_it(
    sqlite_url: str,
) -> None:
    with pytest.raises(StoreError, match="prefect-freshqa init"):
        load_store(sqlite_url)


@pytest.mark.parametrize("spec", ["google", "serpapi-search/google", "openai", "recorded", "local"])
def test_a_name_that_may_be_that_of_a_saved_block(spec: str) -> None:
    assert names_saved_block(spec)


@pytest.mark.parametrize(
    "spec",
    ["", "none", "lexical", "replay", "serpapi", "serper", "openai:gpt-4o", "recorded:a.jsonl"],
)
def test_a_name_that_needs_no_saved_block(spec: str) -> None:
    assert not names_saved_block(spec)
