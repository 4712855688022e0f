"""A real browser for tests of the desk: Chromium, Playwright and axe-core."""

from __future__ import annotations

import importlib.util
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser")
CHROMIUM = os.environ.get("FRESHQA_TEST_CHROMIUM") or next(
    filter(None, map(shutil.which, BROWSERS)), ""
)
"""Path of the browser; the one without windows takes less CPU."""
SCREENSHOTS = os.environ.get("FRESHQA_SCREENSHOTS", "")
"""Folder in which pages are photographed: so were those in docs/images."""
QUIET = (
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"),
    *("--disable-background-networking", "--disable-component-update"),
    *(() if SCREENSHOTS else ("--disable-software-rasterizer",)),  # draws what pages do with WebGL
)
SCREEN = {"width": 1280, "height": 800}
PATIENT = 150_000
"""Milliseconds: the first draft of a server imports Great Expectations, on a machine that may be busy."""
VIOLATIONS = """axe.run({resultTypes: ["violations"]})
    .then(results => results.violations.map(violation => violation.id))"""
"""Names of the rules that a page breaks; the whole of the results would be read in three processes."""
MISSING = [
    name
    for name in ("playwright", "axe_playwright_python")
    if importlib.util.find_spec(name) is None
]
needs_browser = [
    pytest.mark.browser,
    pytest.mark.skipif(bool(MISSING), reason=f"browser: {', '.join(MISSING)} missing"),
    pytest.mark.skipif(not CHROMIUM, reason="browser: no chromium; set FRESHQA_TEST_CHROMIUM"),
]


def in_browser(test: Any) -> Any:
    """Mark one test of a module; `pytestmark = needs_browser` marks all."""
    for mark in needs_browser:
        test = mark(test)
    return test


@contextmanager
def chromium() -> Iterator[Any]:
    """A browser while the block runs."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as running:
        opened = running.chromium.launch(executable_path=CHROMIUM, args=list(QUIET))
        yield opened
        opened.close()


def page_of(browser: Any, **context: Any) -> Any:
    """A page of 1280×800 in a session of its own."""
    page = browser.new_context(**{"viewport": SCREEN, **context}).new_page()
    page.set_default_timeout(PATIENT)
    return page


def picture(page: Any, name: str, *, height: int = 800) -> None:
    """Photograph a page, where pictures are wanted."""
    if SCREENSHOTS:
        page.set_viewport_size({"width": 1280, "height": height})
        page.screenshot(path=Path(SCREENSHOTS) / f"desk-{name}.png")
        page.set_viewport_size(SCREEN)


def press(page: Any, key: str) -> None:
    """Press a key that leads to another page."""
    with page.expect_navigation():
        page.keyboard.press(key)


def schemes_with_axe(page: Any) -> Iterator[str]:
    """Each color scheme, as soon as the page is shown in it and has no violation of axe-core's rules.

    The context must have reduced motion: colors must not be on their way to those of a scheme.
    """
    from axe_playwright_python.base import AXE_SCRIPT

    page.evaluate(AXE_SCRIPT)
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        assert page.evaluate(VIOLATIONS) == [], (page.url, scheme)
        yield scheme
