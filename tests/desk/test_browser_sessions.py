"""The desk in a real browser: refused forms, expired sessions, pages of the queue."""

from __future__ import annotations

import re

from desk.browsing import needs_browser, page_of, picture, press
from desk.server import serving
from desk.world import CUP, FERRY, KEEPER, fill, many

from freshqa.store.proposals import proposal
from prefect_freshqa.desk import queue_page
from prefect_freshqa.desk.accounts import add_account
from prefect_freshqa.desk.limits import LIMITS

pytestmark = needs_browser


def test_a_browser_without_script_that_reports_too_often_keeps_its_text(
    browser, empty_store, monkeypatch
) -> None:
    fill(empty_store)
    monkeypatch.setitem(LIMITS, "report", (1, 1 / 3600))
    with serving(empty_store, read_only=True, reports=True) as url:
        page = page_of(browser, java_script_enabled=False)
        for question in (CUP, FERRY):
            page.goto(f"{url}/report?question={question.key}")
            page.locator("[name=answer]").fill("Black Petrel & <co>")
            page.locator("[name=link]").fill("https://gazette.example/race")
            page.get_by_role("button", name="Send the report").click()
            page.locator("h1").wait_for()
        assert page.locator("h1").inner_text() == "Request failed"
        line = page.locator(".failure:not([hidden])").inner_text()
        assert re.fullmatch(r"Too many requests\. Try again in \d+ seconds\.", line)
        assert page.locator("[name=question]").input_value() == FERRY.text
        assert page.locator("[name=answer]").input_value() == "Black Petrel & <co>"
        picture(page, "refused-light", height=620)
        monkeypatch.setitem(LIMITS, "report", (5, 1000.0))
        page.get_by_role("button", name="Send it again").click()
        page.get_by_text("Thank you").wait_for()


def test_signing_in_again_in_another_tab_keeps_typed_text(page, empty_store, tmp_path) -> None:
    ids = fill(empty_store)
    file = tmp_path / "accounts.json"
    add_account(file, "Ada", "reviewer")
    with serving(empty_store, accounts=file) as url:

        def sign_in(tab):
            tab.goto(f"{url}/sign-in")
            tab.locator("[name=name]").fill("Ada")
            tab.locator("[name=token]").fill(add_account(file, "Ada", "reviewer"))
            with tab.expect_navigation():
                tab.get_by_role("button", name="Sign in").click()

        sign_in(page)
        page.goto(f"{url}/proposals/{ids[0]}")
        page.locator("[name=reason]").fill("The register says so")
        page.keyboard.press("Escape")
        page.context.clear_cookies()
        page.keyboard.press("a")
        line = page.locator("form.decision > .failure")
        line.wait_for()
        assert "Sign in in another tab" in line.inner_text()
        assert page.locator("[name=reason]").input_value() == "The register says so"
        sign_in(page.context.new_page())
        press(page, "a")
        decision = proposal(empty_store, ids[0]).decision
        assert (decision.by, decision.reason) == ("Ada", "The register says so")


def test_j_on_the_last_row_of_the_queue_opens_the_next_page(page, empty_store, monkeypatch) -> None:
    monkeypatch.setattr(queue_page, "PAGE", 4)
    rows, checks = many(5)
    ids = fill(empty_store, checks, rows)
    with serving(empty_store, local_user="Ada") as url:
        page.goto(f"{url}/queue")
        for _ in range(4):
            page.keyboard.press("j")
        press(page, "j")
        assert page.url == f"{url}/queue?page=2"
        page.keyboard.press("j")
        press(page, "Enter")
        assert page.url == f"{url}/proposals/{ids[-1]}"
        assert KEEPER.text not in page.content()
