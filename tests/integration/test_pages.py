"""A complete refresh that reads pages, with loopback servers and a Prefect server."""

from __future__ import annotations

import json
import logging
import sys
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from servers.empty_store import new_store
from servers.page_server import LOOPBACK, PageServer, page
from servers.prefect_server import PrefectServer
from servers.serpapi_server import SerpApiServer, body
from servers.using import using
from store.sheet import DAY, NOW, asked

from freshqa.dataset.question import Question, packed
from freshqa.evidence.address_rule import AddressRule
from freshqa.evidence.source_recipe import COLUMN
from freshqa.maintaining.draft import proposed_answers
from freshqa.store import proposals, publishing
from prefect_freshqa.blocks import PageReader, SerpApiSearch
from prefect_freshqa.flows.refresh import refresh_dataset
from prefect_freshqa.tasks.refresh_settings import RefreshSettings

pytest.importorskip("trafilatura", reason="extra pages")
pytestmark = pytest.mark.integration
WON = "Who won the final of the otter league?"
FOUNDED = "Who founded the otter league?"
MEMBERS = "How many members does the otter league have?"


class LoopbackPageReader(PageReader):
    """What reads the test's own servers."""

    _block_type_name = "Loopback Page Reader"
    _block_type_slug = "loopback-page-reader"

    def address_rule(self) -> AddressRule:
        return LOOPBACK


@pytest.fixture(scope="module")
def servers(api_server: PrefectServer) -> Iterator[tuple[PageServer, SerpApiServer]]:
    """Pages and a search engine, saved as blocks."""
    web, search = PageServer(), SerpApiServer()
    with web.running(), search.running():
        with using(f"{api_server.url}/api"):
            LoopbackPageReader.register_type_and_schema()
            LoopbackPageReader(timeout_seconds=30, spacing_seconds=0).save("pages", overwrite=True)
            SerpApiSearch(api_key="key", base_url=search.url).save("pages", overwrite=True)
        yield web, search


@pytest.fixture
def web(servers: tuple[PageServer, SerpApiServer]) -> PageServer:
    servers[0].clear()
    return servers[0]


@pytest.fixture
def search(servers: tuple[PageServer, SerpApiServer]) -> SerpApiServer:
    servers[1].clear()
    return servers[1]


def rows(web: PageServer) -> list[Question]:
    recipe = {"url": f"{web.url}/members", "select": "td", "label": "Clubs", "transform": "number"}
    quick = {"fact_type": "fast-changing", "next_review": "03/01/2026"}
    members = asked(MEMBERS, "31", **quick)
    return [
        asked(WON, "Bo Lindt", **quick),
        asked(FOUNDED, "Ada Berg", fact_type="never-changing", next_review="N/A"),
        replace(members, attributes=packed({COLUMN: json.dumps(recipe)})),
    ]


def serve(web: PageServer, search: SerpApiServer) -> None:
    contents = {
        WON: ("The otter league is popular.", "Mira Vale won the final of the otter league."),
        FOUNDED: ("Ada Berg founded the otter league.", "She founded it in 1950."),
        MEMBERS: ("The otter league has 99 members.", "It has 99 members."),
    }
    for name, (question, (snippet, text)) in zip(
        ("won", "founded", "clubs"), contents.items(), strict=True
    ):
        hit = {"position": 1, "title": name, "link": f"{web.url}/{name}", "snippet": snippet}
        search.bodies[question] = body(question, organic_results=[hit])
        web.pages[f"/{name}"] = page(text)
    table = "<table><tr><th>Clubs</th><td>33</td></tr></table>"
    web.pages["/members"] = page(table)


@pytest.fixture
def refresh(
    api_server: PrefectServer, web: PageServer, search: SerpApiServer, sqlite_url: str
) -> Iterator[Any]:
    serve(web, search)
    with using(f"{api_server.url}/api"), closing(new_store(sqlite_url)) as store:
        publishing.publish(
            store, rows(web), as_of=DAY - timedelta(days=7), now=NOW, parent=None, kind="import"
        )

        def run(
            page_reader: str = "loopback-page-reader/pages", **settings: Any
        ) -> tuple[dict[str, Any], dict[str, Any]]:
            told = RefreshSettings(
                store=sqlite_url,
                method="search-only",
                search="serpapi-search/pages",
                page_reader=page_reader,
                every_question=True,
                **settings,
            )
            summary = refresh_dataset(as_of=DAY, settings=told, key="week")
            stored_proposals = proposals.proposals(store, status=None)
            return summary, {
                stored.proposal.question: stored.proposal for stored in stored_proposals
            }

        yield run


def test_risky_rows_have_their_pages_read_and_recipes_save_the_search(
    refresh: Any, web: PageServer, search: SerpApiServer
) -> None:
    summary, proposed = refresh(read_pages=2)
    assert sorted(search.queries()) == sorted([WON, FOUNDED])
    asked_for = [path for path in web.paths() if path != "/robots.txt"]
    assert sorted(asked_for) == ["/members", "/won"]
    assert proposed[WON].evidence[0].page
    assert "Mira Vale won" in proposed[WON].evidence[0].snippet
    assert proposed_answers(proposed[MEMBERS]) == ("33",)
    steps = summary["steps"]
    assert (steps["computed"]["taken"], steps["read-pages"]["pages"]) == (1, 1)


def test_a_recipe_whose_page_has_another_layout_is_searched(
    refresh: Any, web: PageServer, search: SerpApiServer
) -> None:
    web.pages["/members"] = page("<table><tr><td>31</td><td>33</td></tr></table>")
    _, proposed = refresh()
    assert MEMBERS in search.queries()
    assert proposed_answers(proposed[MEMBERS]) == ()


def test_recipes_are_not_read_where_the_calendar_alone_may_answer(
    refresh: Any, web: PageServer, search: SerpApiServer
) -> None:
    refresh(compute="calendar")
    assert MEMBERS in search.queries()
    assert web.requests == []


def test_without_the_extra_recipes_are_searched_and_the_run_says_so(
    refresh: Any,
    search: SerpApiServer,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    monkeypatch.setitem(sys.modules, "trafilatura", None)  # as if it were not installed
    with caplog.at_level(logging.WARNING):
        refresh(page_reader="")
    assert MEMBERS in search.queries()
    assert (
        "1 due questions have a source recipe, and the extra `pages` is not installed"
        in caplog.text
    )
