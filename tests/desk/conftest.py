"""A SQLite store with three versions of the small sheet."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from desk.browsing import SCREEN, chromium, page_of
from store.sheet import DAY, NOW, WEEK, asked, sheet, with_answer

from freshqa.store import publishing, versions
from freshqa.store.database import Store


@pytest.fixture(scope="session")
def _empty_desk_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("desk") / "freshqa.db"
    Store.open(f"sqlite:///{file}", create=True).close()
    return file


@pytest.fixture
def empty_store(_empty_desk_file: Path, tmp_path: Path) -> Iterator[Store]:
    """A store without versions."""
    (tmp_path / "freshqa.db").write_bytes(_empty_desk_file.read_bytes())
    opened = Store.open(f"sqlite:///{tmp_path / 'freshqa.db'}")
    yield opened
    opened.close()


@pytest.fixture
def store(empty_store: Store) -> Store:
    """Versions 1 to 3: a question changes, then one is added; version 2 is `camera-ready`."""
    first = sheet()
    second = with_answer(first, 1, "9")
    third = [*second, asked("=1+1 moons, “twice”?", "zwölf", note="a\nb")]
    for number, rows in enumerate((first, second, third)):
        publishing.publish(
            empty_store,
            rows,
            as_of=DAY + number * WEEK,
            now=NOW + number * WEEK,
            parent=number or None,
            message=f"Week {number}",
        )
    versions.tag(empty_store, "camera-ready", 2, now=NOW)
    return empty_store


@pytest.fixture(scope="module")
def browser():
    """Chromium, for one module: while it is open, its event loop is the thread's."""
    with chromium() as opened:
        yield opened


@pytest.fixture(scope="module")
def tab(browser) -> Any:
    """A page whose colors change at once."""
    return page_of(browser, reduced_motion="reduce")


@pytest.fixture
def page(tab) -> Iterator[Any]:
    """The tab, as good as new: to open one takes a second of CPU."""
    yield tab
    for other in tab.context.pages:
        if other is not tab:
            other.close()
    tab.goto("about:blank")
    tab.context.clear_cookies()
    tab.context.unroute_all()
    tab.emulate_media(color_scheme="null")
    tab.set_viewport_size(SCREEN)
