"""Pages in the ledger are stored once, reused and replayed."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import date, datetime, timedelta

from sqlalchemy import func, select
from store.ledger import start
from store.sheet import DAY, NOW, sheet

from freshqa.evidence.web_page import WebPage
from freshqa.store.database import Store
from freshqa.store.ledger_schema import page, page_text
from freshqa.store.pages import NOT_RECORDED, CachedPages
from freshqa.store.publishing import publish

URL = "https://otters.example/final"
REUSED_FOR = timedelta(days=6)


@dataclass
class Web:
    """A reader that counts."""

    text: str = "The otters won."
    problem: str = ""
    asked: list[str] = field(default_factory=list)

    def read(self, url: str, *, as_of: date, select: str = "", path: str = "") -> WebPage:
        self.asked.append(url)
        text = "" if self.problem else self.text
        return WebPage(url, NOW, text, "Final", "2024-03-10", problem=self.problem, seconds=0.5)


def cached(
    store: Store, web: Web | None, run: str | None = "week-11", now: datetime = NOW
) -> CachedPages:
    return CachedPages(web, store, run, now=lambda: now, window=REUSED_FOR)


def begin(store: Store, *runs: str) -> None:
    publish(store, sheet(), as_of=DAY, now=NOW, parent=None, kind="import")
    for run in runs:
        start(store, run)


def test_a_page_is_read_once_and_replayed_unchanged(store: Store) -> None:
    begin(store, "week-11")
    web = Web()
    first = cached(store, web).read(URL, as_of=DAY)
    again = cached(store, web).read(URL, as_of=DAY)
    replayed = cached(store, None).read(URL, as_of=DAY + timedelta(days=30))
    assert web.asked == [URL]
    assert again == replayed == replace(first, reused=True)


def test_the_same_text_is_stored_once(store: Store) -> None:
    begin(store, "week-11")
    pages = cached(store, Web())
    for number in range(3):
        pages.read(f"{URL}/{number}", as_of=DAY)
    with store.read() as connection:
        rows, texts = (
            connection.execute(select(func.count()).select_from(t)).scalar_one()
            for t in (page, page_text)
        )
        address = connection.execute(select(page_text.c.text_hash)).scalar_one()
    assert (rows, texts) == (3, 1)
    assert address == WebPage(URL, NOW, "The otters won.").sha256


def test_an_old_page_is_read_again(store: Store) -> None:
    begin(store, "week-11")
    cached(store, Web()).read(URL, as_of=DAY)
    web = Web("The herons won.")
    later = cached(store, web, None, NOW + timedelta(days=7)).read(URL, as_of=DAY)
    assert (web.asked, later.text) == ([URL], "The herons won.")


def test_an_unreadable_page_is_tried_again_only_by_another_run(store: Store) -> None:
    begin(store, "week-11", "week-12")
    web = Web(problem="its robots.txt disallows it")
    for run in ("week-11", "week-11", "week-12"):
        assert cached(store, web, run).read(URL, as_of=DAY).problem == "its robots.txt disallows it"
    assert len(web.asked) == 2


def test_a_replay_ignores_later_days_and_other_pages(store: Store) -> None:
    begin(store, "week-11")
    cached(store, Web()).read(URL, as_of=DAY)
    replay = cached(store, None)
    assert replay.read(URL, as_of=DAY - timedelta(days=1)).problem == NOT_RECORDED
    assert replay.read(f"{URL}/other", as_of=DAY).problem == NOT_RECORDED
