"""Pages are read only for the risky question of a refresh, and reported with their cost."""

from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path

import pytest
from store.ledger import start
from store.sheet import DAY, NOW, asked

from freshqa.evidence.web_page import WebPage
from freshqa.maintaining.plan import plan_refresh
from freshqa.store import publishing
from freshqa.store.checks import record_check, tally
from freshqa.store.database import Store
from freshqa.store.pages import record_page
from prefect_freshqa.tasks.checking import check_question
from prefect_freshqa.tasks.providers import make_providers
from prefect_freshqa.tasks.refresh_settings import RefreshSettings

pytest.importorskip("trafilatura", reason="extra pages")
RISKY = asked(
    "Who won the final of the otter league?",
    "Bo Lindt",
    fact_type="fast-changing",
    next_review="03/01/2026",
)
SETTLED = asked(
    "Who founded the otter league?", "Ada Berg", fact_type="never-changing", next_review="N/A"
)
TEXTS = {
    RISKY.text: ("The otter league is popular.", "Mira Vale won the final of the otter league."),
    SETTLED.text: ("Ada Berg founded the otter league.", "Ada Berg founded it in 1950."),
}


def recording(path: Path) -> str:
    """Searches with two results each, as JSON lines."""
    with path.open("w", encoding="utf-8") as lines:
        for number, (question, (snippet, _)) in enumerate(TEXTS.items()):
            hits = [
                {"position": n, "title": f"League {n}", "link": link(number, n), "snippet": snippet}
                for n in (1, 2)
            ]
            response = {
                "search_metadata": {"created_at": "2026-03-09 10:00:00 UTC"},
                "organic_results": hits,
            }
            lines.write(json.dumps({"question": question, "response": response}) + "\n")
    return f"recorded:{path}"


def link(number: int, place: int) -> str:
    return f"https://site{place}.example/{number}"


def test_pages_are_read_only_for_the_risky_row_and_reported(
    sqlite_url: str, tmp_path: Path
) -> None:
    store = Store.open(sqlite_url, create=True)
    publishing.publish(
        store, [RISKY, SETTLED], as_of=DAY - timedelta(days=7), now=NOW, parent=None, kind="import"
    )
    for number, (_, text) in enumerate(TEXTS.values()):
        for place in (1, 2):
            page = WebPage(link(number, place), NOW, text)
            record_page(store, None, page, as_of=DAY, now=NOW)
    run = start(store)
    search = recording(tmp_path / "searches.jsonl")
    settings = RefreshSettings(method="search-only", search=search, read_pages=2)
    providers = make_providers(store, run, settings)
    by_question = {}
    for planned in plan_refresh([RISKY, SETTLED], as_of=DAY, every_question=True):
        checked = check_question(run, planned, providers, settings)
        record_check(store, run.key, checked, now=NOW)
        by_question[checked.question] = checked
    assert all(finding.page for finding in by_question[RISKY.text].evidence)
    assert not any(finding.page for finding in by_question[SETTLED.text].evidence)
    steps = tally(store, run.key).steps.to_json()
    assert (steps["read-pages"]["taken"], steps["read-pages"]["pages"]) == (1, 2)
    assert (steps["search"]["taken"], steps["search"]["searches"]) == (2, 2)
    assert by_question[RISKY.text].searches == 1
