"""What a person sees of a refresh in the Prefect UI, in a headless browser.

Needs Playwright and a Chromium (`pip install playwright`, `apt install chromium`); skipped without.
With FRESHQA_SCREENSHOTS=FOLDER the pages are photographed: so were those in docs/images.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from servers.prefect_server import PrefectServer

from freshqa.sample import path

playwright = pytest.importorskip("playwright.sync_api")
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")
if CHROMIUM is None:
    pytest.skip("no chromium", allow_module_level=True)
pytestmark = [pytest.mark.integration, pytest.mark.xdist_group("ui")]

REPOSITORY = Path(__file__).parent.parent.parent
SCREENSHOTS = os.environ.get("FRESHQA_SCREENSHOTS")
WEEK = json.loads(path("expected.json").read_text(encoding="utf-8"))["refreshes"][0]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PrefectServer]:
    """A server with its pages, and one refresh of the sample world run against it."""
    home = tmp_path_factory.mktemp("ui")
    store = {"PREFECT_FRESHQA_STORE": f"sqlite:///{home / 'freshqa.db'}"}
    running = PrefectServer(home, REPOSITORY, store, ui=True)
    try:
        running.start_server()
        command(running, "init")
        command(running, "import", str(path("release.csv")), "--as-of", "2026-03-02")
        recorded = [f"--{what}=recorded:{path(WEEK[file])}" for what, file in RECORDINGS]
        command(running, "refresh", "--all", "--as-of", WEEK["as_of"], *recorded)
        yield running
    finally:
        running.stop()


RECORDINGS = (("search", "searches"), ("model", "model"))


def command(server: PrefectServer, *arguments: str) -> None:
    """`prefect-freshqa …` against the server."""
    subprocess.run(
        [sys.executable, "-m", "prefect_freshqa.cli", *arguments],
        env=server.environment,
        check=True,
        capture_output=True,
        timeout=180,
    )


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """A headless Chromium."""
    with playwright.sync_playwright() as running:
        opened = running.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield opened
        opened.close()


def see(server: PrefectServer, browser: Any, address: str, *texts: str, name: str = "") -> None:
    """Open a page and wait until every text is on it."""
    page = browser.new_page(viewport={"width": 1280, "height": 860})
    page.goto(server.url + address, timeout=60_000)
    for text in texts:
        page.get_by_text(text).first.wait_for(timeout=30_000)
    if SCREENSHOTS and name:
        page.wait_for_timeout(2000)  # fonts and the graph settle
        page.screenshot(path=Path(SCREENSHOTS) / f"{name}.png")
    page.close()


def artifact(server: PrefectServer, key: str) -> str:
    """Address of the page of an artifact of the refresh."""
    wanted = {"key": {"any_": [key]}}
    (found,) = server.post("/artifacts/filter", artifacts=wanted)
    return f"/artifacts/artifact/{found['id']}"


def test_the_run_with_a_log_line_for_every_question(server: PrefectServer, browser: Any) -> None:
    (run,) = server.post("/flow_runs/filter")
    line = "Who is the president of Orlune?: changed"
    see(server, browser, f"/runs/flow-run/{run['id']}", "Completed", line, name="run")


@pytest.mark.parametrize(
    ("key", "texts"),
    [
        ("freshqa-due", ("45 questions are checked in this run", "review date 2026-03-07")),
        ("freshqa-progress", ("45 of 45 questions checked",)),
        ("freshqa-proposals", ("13 proposals, highest risk first", "Idris Quane")),
        ("freshqa-proposals-read", ("Which boat won the most recent Gull Race?", "Grey Petrel")),
        ("freshqa-validation-read", ("Passed: 0 errors",)),
        ("freshqa-summary", ("cost_usd",)),
    ],
)
def test_an_artifact(key: str, texts: tuple[str, ...], server: PrefectServer, browser: Any) -> None:
    see(server, browser, artifact(server, key), *texts, name=key.removeprefix("freshqa-"))


def test_the_blocks_with_their_descriptions(server: PrefectServer, browser: Any) -> None:
    see(server, browser, "/blocks/catalog/serpapi-search", "SerpApi Search", name="block")


def test_the_limits_and_the_automation(server: PrefectServer, browser: Any) -> None:
    see(server, browser, "/concurrency-limits?tab=Global", "freshqa-search", "freshqa-model")
    see(server, browser, "/automations", "freshqa: end runs whose process is gone")
