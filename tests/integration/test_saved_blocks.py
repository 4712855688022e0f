"""Blocks saved in a real Prefect server, and how names are resolved."""

from __future__ import annotations

import asyncio

import pytest
from prefect.settings import PREFECT_API_URL, temporary_settings
from servers.prefect_server import PrefectServer
from servers.using import using

from freshqa.errors import NotFound, ProviderError, UsageError
from freshqa.sample import path
from freshqa.store.database import Store
from prefect_freshqa.blocks import FreshQAStore, RecordedSearch
from prefect_freshqa.blocks.resolve import load_search_engine, load_store

pytestmark = pytest.mark.integration


@pytest.fixture(scope="module")
def saved(api_server: PrefectServer, tmp_path_factory: pytest.TempPathFactory) -> str:
    """URL of a store that the block `freshqa-store/integration` names."""
    url = f"sqlite:///{tmp_path_factory.mktemp('store') / 'freshqa.db'}"
    with using(f"{api_server.url}/api"):
        FreshQAStore(url=url, dataset="orlune").save("integration")
        RecordedSearch(path=path("searches-2026-03-09.jsonl")).save("integration")
    Store.open(url, dataset="orlune", create=True)
    return url


@pytest.fixture
def api(api_server: PrefectServer, saved: str):
    with using(f"{api_server.url}/api"):
        yield


def test_the_server_registers_the_block_types(api_server: PrefectServer) -> None:
    types = {block["slug"] for block in api_server.post("/block_types/filter")}
    assert {"freshqa-store", RecordedSearch.get_block_type_slug()} <= types


@pytest.mark.usefixtures("api")
class TestNames:
    @pytest.mark.parametrize("spec", ["integration", "freshqa-store/integration"])
    def test_a_store_is_loaded_by_short_and_full_name(self, spec: str) -> None:
        assert load_store(spec).dataset == "orlune"

    def test_a_search_engine_is_not_confused_with_a_store_of_the_same_name(self) -> None:
        engine = load_search_engine("integration")
        assert engine is not None
        assert callable(engine.search)

    def test_blocks_are_loaded_inside_a_running_event_loop(self) -> None:
        async def inside() -> str:
            return load_store("integration").dataset

        assert asyncio.run(inside()) == "orlune"

    def test_an_unknown_name_lists_what_is_saved(self) -> None:
        with pytest.raises(
            NotFound, match=r"Saved store 'production' not found.*freshqa-store/integration"
        ):
            load_store("production")
        with pytest.raises(NotFound, match="freshqa-store/integration"):
            load_store("freshqa-store/production")

    def test_a_block_of_an_unknown_type_is_reported(self) -> None:
        with pytest.raises(NotFound, match="'slack-webhook'"):
            load_search_engine("slack-webhook/integration")


@pytest.mark.usefixtures("saved")
def test_the_api_returns_the_password_only_on_request(api_server: PrefectServer) -> None:
    documents = api_server.post("/block_documents/filter")
    stores = [d for d in documents if d["block_type"]["slug"] == "freshqa-store"]
    assert [document["data"]["url"] for document in stores] == ["********"]


def test_an_unreachable_api_is_reported_in_one_line() -> None:
    with (
        temporary_settings({PREFECT_API_URL: "http://127.0.0.1:9/api"}),
        pytest.raises(ProviderError, match=r"http://127\.0\.0\.1:9/api .*prefect server start"),
    ):
        load_store("production")


def test_a_block_slug_without_a_name_is_refused() -> None:
    with pytest.raises(UsageError):
        load_store("freshqa-store/")
