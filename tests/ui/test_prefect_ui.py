"""What the Prefect UI shows of a refresh, in a headless browser.

Needs Playwright and a Chromium (`pip install playwright`, `apt install chromium`); skipped without.
With FRESHQA_SCREENSHOTS=FOLDER the pages are photographed: so were those in docs/images.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from command_line import run_module, run_warm
from desk.browsing import SCREENSHOTS, chromium, needs_browser
from servers.prefect_server import PrefectServer

from freshqa.sample import path

pytestmark = [pytest.mark.integration, *needs_browser]

REPOSITORY = Path(__file__).parent.parent.parent
UIS = ("", "/v2")
"""Where the two versions of the Prefect UI begin; the first is what a new server shows."""
WEEK = json.loads(path("expected.json").read_text(encoding="utf-8"))["refreshes"][0]
RECORDINGS = (("search", "searches"), ("model", "model"))
IDLE = {
    f"PREFECT_SERVER_SERVICES_{name}_ENABLED": "false"
    for name in ("CANCELLATION_CLEANUP", "FOREMAN", "LATE_RUNS", "SCHEDULER", "TRIGGERS")
}
"""Loops of a server that no page shows anything of."""
NAVIGATE = """address => {
    history.pushState({}, "", address)
    dispatchEvent(new PopStateEvent("popstate", {state: {}}))
}"""
"""What the router of either UI does for a link."""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PrefectServer]:
    """A server with its pages, and one refresh of the sample world run against it."""
    home = tmp_path_factory.mktemp("ui")
    store = {"PREFECT_FRESHQA_STORE": f"sqlite:///{home / 'freshqa.db'}"}
    running = PrefectServer(home, REPOSITORY, {**store, **IDLE}, ui=True)
    try:
        running.start_server()
        command(running, "init")
        command(running, "import", str(path("release.csv")), "--as-of", "2026-03-02")
        recorded = [f"--{what}=recorded:{path(WEEK[file])}" for what, file in RECORDINGS]
        command(running, "refresh", "--all", "--as-of", WEEK["as_of"], *recorded)
        running.prefect("--no-prompt", "deploy", "--name", "weekly-refresh", "--name", "review")
        yield running
    finally:
        running.stop()


def command(server: PrefectServer, *arguments: str) -> None:
    """`prefect-freshqa …` against the server."""
    done = run_warm([*arguments], server.environment, REPOSITORY)
    assert done.code == 0, done.stderr


@pytest.fixture(scope="module")
def page() -> Iterator[Any]:
    """The only tab of a headless Chromium: what an earlier page loaded is not loaded again."""
    with chromium() as browser:
        yield browser.new_page(
            viewport={"width": 1280, "height": 900},
            extra_http_headers={"Accept-Encoding": "identity"},  # to compress 10 MB takes seconds
        )


@pytest.fixture(scope="module")
def review(server: PrefectServer) -> str:
    """A run of the deployment `review` that waits with its form, executed as a worker does it."""
    run = server.run_deployment("review-proposals/review")
    done = run_module(
        "prefect.engine", folder=REPOSITORY, **server.environment, PREFECT__FLOW_RUN_ID=run
    )
    assert done.code == 0, done.stderr
    server.wait_for_run(run, states={"PAUSED"})
    return run


def see(server: PrefectServer, page: Any, address: str, *texts: str, name: str = "") -> None:
    """Go to an address, wait until every text is on the page, and photograph it.

    Where the same version of the UI is open, and none of the texts is on the screen, go there as a
    link does: to load the application again takes longer than to show anything in it.
    """
    version = page.url.startswith(f"{server.url}/v2/")
    loaded = page.url.startswith(server.url) and version == address.startswith("/v2/")
    if loaded and not any(page.get_by_text(text).count() for text in texts):
        page.evaluate(NAVIGATE, address)
    else:
        page.goto(server.url + address, timeout=60_000)
    for text in texts:
        page.get_by_text(text).first.wait_for(timeout=30_000)
    photograph(page, name)


def photograph(page: Any, name: str) -> None:
    """Keep a picture of what is on the screen, when a folder for it is given."""
    if SCREENSHOTS and name:
        page.wait_for_timeout(2000)  # fonts and the graph settle
        page.screenshot(path=Path(SCREENSHOTS) / f"{name}.png")


def artifact(server: PrefectServer, key: str) -> str:
    """Address of the page of an artifact of the refresh."""
    wanted = {"key": {"any_": [key]}}
    (artifact,) = server.post("/artifacts/filter", artifacts=wanted)
    return f"/artifacts/artifact/{artifact['id']}"


def test_the_run_page_shows_a_log_line_for_every_question(server: PrefectServer, page: Any) -> None:
    (run,) = server.post("/flow_runs/filter", flows={"name": {"any_": ["refresh-dataset"]}})
    line = "Who is the president of Orlune?: changed"
    see(server, page, f"/runs/flow-run/{run['id']}", "Completed", line, name="run")


def place_of(element: Any) -> dict[str, float]:
    """Where an element is; the page draws itself again while it reads more."""
    for _ in range(300):
        element.wait_for(timeout=60_000)
        if place := element.bounding_box():
            return dict(place)
        element.page.wait_for_timeout(100)
    raise AssertionError("it is never drawn")


@pytest.mark.parametrize(
    ("key", "last_column", "texts"),
    [
        ("freshqa-due", "risk", ("45 questions are checked in this run", "review date 2026-03-07")),
        ("freshqa-progress", "", ("45 of 45 questions checked",)),
        ("freshqa-proposals", "id", ("13 proposals, highest risk first", "Grey Petrel")),
        ("freshqa-validation", "", ("Passed: 0 errors",)),
        ("freshqa-summary", "value", ("cost_usd",)),
        ("freshqa-timeline", "", ("cost per week and provider",)),
    ],
)
@pytest.mark.parametrize("ui", UIS)
def test_each_artifact_is_shown(
    ui: str,
    key: str,
    last_column: str,
    texts: tuple[str, ...],
    server: PrefectServer,
    page: Any,
) -> None:
    name = key.removeprefix("freshqa-") + ui.replace("/", "-")
    see(server, page, ui + artifact(server, key), *texts, name=name)
    if last_column:
        header = page.locator("th").get_by_text(last_column, exact=True).first
        box = place_of(header)
        side = place_of(page.get_by_text("Created").first)  # the column beside the table
        assert box["x"] + box["width"] <= side["x"]


def test_the_review_form_is_shown_in_the_first_version_of_the_ui(
    server: PrefectServer, page: Any, review: str
) -> None:
    see(server, page, f"/runs/flow-run/{review}", "Suspended")
    page.get_by_role("button", name="Resume").first.click()
    page.get_by_text("Form 1 of 2, 10 proposals.").first.wait_for(timeout=30_000)
    page.get_by_text("“September 25, 2026”").first.wait_for(timeout=30_000)
    photograph(page, "form")
    page.goto("about:blank")  # the form is not open in the next test


def test_the_review_form_is_shown_in_the_second_version_of_the_ui(
    server: PrefectServer, page: Any, review: str
) -> None:
    see(server, page, f"/v2/runs/flow-run/{review}", "Suspended")
    page.get_by_role("button", name="Open menu").click()
    page.get_by_role("menuitem", name="Resume").click()
    page.get_by_text("Form 1 of 2: 10 proposals").wait_for(timeout=30_000)
    photograph(page, "form-v2-evidence")
    first = page.get_by_text("Form 1 of 2, 10 proposals.").first
    first.scroll_into_view_if_needed(timeout=30_000)
    page.get_by_text("“September 25, 2026”").first.wait_for(timeout=30_000)
    photograph(page, "form-v2")
    page.goto("about:blank")  # the form is not open in the next test


@pytest.mark.parametrize("ui", UIS)
def test_the_parameter_form_of_a_weekly_refresh_is_ordered_and_explained(
    ui: str, server: PrefectServer, page: Any, review: str
) -> None:
    """Everyday settings are on the first screen, research settings come last; all are explained."""
    deployment = server.get("/deployments/name/refresh-dataset/weekly-refresh")["id"]
    address = f"{ui}/deployments/deployment/{deployment}/run"
    texts = ("Search engine:", "Maximum amount to spend in this run", "Budget: usd")
    see(server, page, address, *texts)
    form = page.locator("body").inner_text()
    everyday, budget, research = map(form.index, ("Search engine:", "Budget: usd", "Research:"))
    assert everyday < budget < research
    page.get_by_text("Search engine:").first.scroll_into_view_if_needed()
    photograph(page, f"parameters{ui.replace('/', '-')}")


def test_the_blocks_are_shown_with_their_descriptions(server: PrefectServer, page: Any) -> None:
    see(server, page, "/blocks/catalog/serpapi-search", "SerpApi Search", name="block")


def test_the_limits_and_the_automation_are_shown(server: PrefectServer, page: Any) -> None:
    see(server, page, "/concurrency-limits?tab=Global", "freshqa-search", "freshqa-model")
    see(server, page, "/automations", "freshqa: end runs whose process is gone")
