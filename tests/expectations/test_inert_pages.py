"""Cells with markup are shown as text in Data Docs and never run, in a real browser."""

from __future__ import annotations

from datetime import date
from html import unescape
from pathlib import Path

import pytest
from desk.browsing import chromium, in_browser
from hypothesis import given
from hypothesis import strategies as st

from freshqa.dataset.question import FIELD_COLUMNS, Question
from prefect_freshqa.expectations.data_docs import write_data_docs
from prefect_freshqa.expectations.gate import judge
from prefect_freshqa.expectations.inert import unveiled, veiled

HOSTILE = (
    "<img src=x onerror=alert(1)>",
    "<script>alert(1)</script>",
    '"><svg/onload=alert(1)>',
    "'><iframe src=javascript:alert(1)></iframe>",
    "</td></table><script>alert(1)</script>",
    "<a href=javascript:alert(1) id=trap>here</a>",
    "<style>body{display:none}</style>",
    "{{7*7}} ${alert(1)} [here](javascript:alert(1)) $column",
    "&lt;img src=x onerror=alert(1)&gt;",
    "<!-- <body onload=alert(1)>",
)


def hostile_rows() -> list[Question]:
    """For each hostile text one row that holds it in every column a person fills in."""
    rows = []
    for number, text in enumerate(HOSTILE):
        fields = dict.fromkeys(FIELD_COLUMNS, f"{text} {number}")
        rows.append(Question(fields, key=f"q-{number}"))
    return rows


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    folder = tmp_path_factory.mktemp("docs")
    write_data_docs(judge(hostile_rows(), as_of=date(2026, 3, 2)).results, folder)
    return sorted(folder.rglob("*.html"))


@in_browser
def test_a_browser_shows_every_cell_as_text_and_runs_none(pages: list[Path]) -> None:
    ran: list[str] = []
    read = ""
    with chromium() as browser:
        page = browser.new_page()
        page.on("dialog", lambda dialog: (ran.append(dialog.message), dialog.dismiss()))
        page.on("request", lambda request: ran.append(request.url))
        for path in pages:
            page.goto(path.as_uri())
            ran.remove(path.as_uri())
            assert page.locator("img[src=x], iframe, #trap, svg[onload]").count() == 0
            assert page.evaluate("getComputedStyle(document.body).display") != "none"
            read += page.evaluate("document.body.textContent")
    assert ran == []
    for text in HOSTILE:
        assert text in read


def test_tags_in_cells_are_escaped_in_every_page(pages: list[Path]) -> None:
    for path in pages:
        text = path.read_text(encoding="utf-8")
        for tag in (
            "<img src=x",
            "<svg/onload",
            "<iframe src=java",
            "<a href=java",
            "<style>body{",
        ):
            assert tag not in text
    assert any("&lt;img src=x onerror=alert(1)&gt;" in path.read_text("utf-8") for path in pages)


@given(st.text())
def test_any_text_round_trips_as_entities(text: str) -> None:
    page = unveiled(veiled(text))
    assert unescape(page) == text and "<" not in page
