"""Pages of the ledger: each text is stored once, under its hash."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import date, datetime, timedelta
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    LargeBinary,
    Select,
    func,
    insert,
    literal,
    or_,
    select,
    update,
)

from freshqa.evidence.web_page import WebPage, WebReader
from freshqa.store.cache import FLIGHTS
from freshqa.store.calls import text_hash
from freshqa.store.database import Store
from freshqa.store.ledger_schema import page as pages
from freshqa.store.ledger_schema import page_text as page_texts
from freshqa.store.ledger_schema import run
from freshqa.store.runs import run_row

NOT_RECORDED = "the ledger has no record of it"


class CachedPages:
    """A reader of pages in front of the ledger; thread-safe.

    Args:
        reader: Who reads what the ledger does not have fresh; None to replay.
        store: Where the ledger is.
        run_key: Key of the run that reads; None outside a run.
        now: The clock.
        window: How long a page may be reused. What this run could not read it does not try again;
            another run does.
    """

    def __init__(
        self,
        reader: WebReader | None,
        store: Store,
        run_key: str | None,
        *,
        now: Callable[[], datetime],
        window: timedelta,
    ) -> None:
        self._reader, self._store, self._run_key = reader, store, run_key
        self._now, self._window = now, window

    def read(self, url: str, *, as_of: date, select: str = "", path: str = "") -> WebPage:
        """Return the fresh page of the ledger, or a new one that is kept there.

        Replaying, it is the newest that was read for that day or an earlier one; a page that the
        ledger does not have is one with a `problem`, as a page that could not be read.

        Raises:
            StoreError: The ledger does not take it.
        """
        asked = "\n".join(part for part in (url, select, path) if part)
        if self._reader is None:
            recorded = self._find(asked, pages.c.as_of <= as_of)
            return recorded or WebPage(url, self._now(), problem=NOT_RECORDED)
        with FLIGHTS.alone((self._store.url, "page", asked)):
            page = self._find(asked, self._usable())
            if page is None:
                page = self._reader.read(url, as_of=as_of, select=select, path=path)
                record_page(
                    self._store, self._run_key, page, as_of=as_of, now=self._now(), asked=asked
                )
            return page

    def _usable(self) -> ColumnElement[bool]:
        fresh = (pages.c.recorded_at >= self._now() - self._window) & (pages.c.text_hash != "")
        if self._run_key is None:
            return fresh
        own = select(run.c.id).where(
            run.c.dataset_id == self._store.dataset_id, run.c.key == self._run_key
        )
        return or_(fresh, pages.c.run_id == own.scalar_subquery())

    def _find(self, asked: str, condition: ColumnElement[bool]) -> WebPage | None:
        query = (
            select(pages)
            .where(pages.c.url_hash == text_hash(asked), condition)
            .order_by(pages.c.as_of.desc(), pages.c.id.desc())
        )
        with self._store.read() as connection:
            for row in connection.execute(query):
                text = _text(connection, row.text_hash) if row.text_hash else ""
                if row.body is not None and text is not None:  # redacted otherwise
                    return replace(WebPage.from_json(row.body), text=text, reused=True)
        return None


def record_page(
    store: Store,
    run_key: str | None,
    page: WebPage,
    *,
    as_of: date,
    now: datetime,
    asked: str = "",
) -> None:
    """Keep a page; a text that the ledger has already is not kept twice.

    Args:
        run_key: Key of the run that read it; None outside a run.
        page: The page, or what kept it from being read.
        as_of: The day it was read for.
        now: When it was received.
        asked: What it is found by; its address when not given.
    """
    with store.write() as connection:
        if page.text and _text(connection, page.sha256) is None:
            connection.execute(
                insert(page_texts).values(text_hash=page.sha256, recorded_at=now, body=page.text)
            )
        connection.execute(
            insert(pages).values(
                run_id=run_row(connection, store, run_key).id if run_key else None,
                url_hash=text_hash(asked or page.url),
                text_hash=page.sha256,
                as_of=as_of,
                fetched_at=page.fetched_at,
                recorded_at=now,
                body=replace(page, text="").to_json(),
            )
        )


def prune_pages(
    connection: Connection, runs: Select[Any], *, before: datetime, dry_run: bool
) -> int:
    """Empty the texts of pages that no run which matters has read, and return how many.

    Args:
        runs: The runs that matter.
        before: Pages read at this time or later keep their text.
        dry_run: Only count.
    """
    kept = select(pages.c.text_hash).where(
        or_(pages.c.recorded_at >= before, pages.c.run_id.in_(runs))
    )
    old = (
        page_texts.c.recorded_at < before,
        page_texts.c.text_hash.not_in(kept),
        func.length(page_texts.c.body) > 0,
    )
    counted = select(func.count()).select_from(page_texts).where(*old)
    count: int = connection.execute(counted).scalar_one()
    if not dry_run:
        connection.execute(update(page_texts).where(*old).values(body=literal(b"", LargeBinary)))
    return count


def _text(connection: Connection, digest: str) -> str | None:
    """Return a text by its hash; None when there is none that is whole."""
    query = select(page_texts.c.body).where(page_texts.c.text_hash == digest)
    body: str | None = next(
        (row.body for row in connection.execute(query) if row.body is not None), None
    )
    return body
