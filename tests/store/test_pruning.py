"""The content of old calls is removed unless a version or an open proposal needs it."""

from __future__ import annotations

from datetime import datetime, timedelta

from sqlalchemy import func, select
from store.ledger import CHECKED, start
from store.sheet import DAY, NOW, sheet

from freshqa.answering.language_model import Completion, Message
from freshqa.evidence.search_engine import SearchResult
from freshqa.evidence.web_page import WebPage
from freshqa.maintaining.proposal import Action, Decision
from freshqa.store.calls import record_completion, record_search
from freshqa.store.checks import record_check
from freshqa.store.database import Store
from freshqa.store.known_calls import find_search
from freshqa.store.ledger_schema import completion, page_text, search
from freshqa.store.pages import record_page
from freshqa.store.proposal_decisions import decide
from freshqa.store.pruning import Pruned, prune
from freshqa.store.publishing import publish
from freshqa.store.runs import finish_run
from freshqa.store.verifying import verify

LATER = NOW + timedelta(days=400)


def pay(store: Store, run: str | None, now: datetime = NOW) -> None:
    name = run or "ask"
    result = SearchResult("serpapi", name, {"a": 1}, now)
    record_search(store, run, result, name.ljust(64, "h"))
    page = WebPage(f"https://{name}.example", now, f"Text of {name}.")
    record_page(store, run, page, as_of=DAY, now=now)
    record_completion(
        store, run, Completion("yes", "m", name.ljust(64, "p"), now), [Message("user", name)]
    )


def full(store: Store) -> list[int]:
    with store.read() as connection:
        return [
            connection.execute(
                select(func.count()).select_from(table).where(func.length(table.c.body) > 0)
            ).scalar_one()
            for table in (search, completion, page_text)
        ]


def run_with(store: Store, key: str, *, propose: bool, action: Action | None = None) -> None:
    start(store, key)
    pay(store, key)
    if propose:
        id = record_check(store, key, CHECKED, now=NOW)
        assert id is not None
        if action is not None:
            decide(store, Decision(id, action, "Ada", NOW))
    finish_run(store, key, state="completed", summary={}, now=NOW)


def test_the_content_of_calls_that_no_proposal_needs_is_removed(store: Store) -> None:
    publish(store, sheet(), as_of=DAY, now=NOW, parent=None, kind="import")
    run_with(store, "rejected", propose=True, action=Action.reject)
    run_with(store, "accepted", propose=True, action=Action.accept)
    run_with(store, "open", propose=True)
    run_with(store, "nothing", propose=False)
    pay(store, None)
    pay(store, None, now=LATER)
    cutoff = LATER - timedelta(days=365)
    assert prune(store, before=cutoff, dry_run=True) == Pruned(3, 3, 2, 2)
    assert full(store) == [6, 6, 5]
    assert prune(store, before=cutoff) == Pruned(3, 3, 2, 2)
    assert full(store) == [3, 3, 3]
    assert prune(store, before=cutoff) == Pruned(0, 0, 0, 2)
    assert {verified.status for verified in verify(store)} == {"ok"}
    with store.read() as connection:
        rows = connection.execute(select(search.c.request_hash)).scalars().all()
    assert len(rows) == 6


def test_a_redacted_call_is_not_reused(store: Store) -> None:
    publish(store, sheet(), as_of=DAY, now=NOW, parent=None, kind="import")
    pay(store, None)
    prune(store, before=LATER)
    assert find_search(store, "ask".ljust(64, "h"), since=NOW - timedelta(days=1)) is None


def test_the_calls_of_a_running_run_are_kept(store: Store) -> None:
    publish(store, sheet(), as_of=DAY, now=NOW, parent=None, kind="import")
    start(store, "under-way")
    pay(store, "under-way")
    assert prune(store, before=LATER).searches == 0
