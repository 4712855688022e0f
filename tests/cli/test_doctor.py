"""`doctor` distinguishes what it verified from what is only present."""

from __future__ import annotations

from command_line import Run
from servers.openai_server import OpenAIServer
from servers.serpapi_server import SerpApiServer

from prefect_freshqa.cli.probing import advice


def test_doctor_reports_keys_as_present_and_probe_verifies_them(
    run: Run, openai_server: OpenAIServer, serpapi_server: SerpApiServer
) -> None:
    assert run("init").code == 0
    done = run(
        *("doctor", "--probe", "--model", "openai:m", "--json"),
        OPENAI_BASE_URL=openai_server.base_url,
        OPENAI_API_KEY="k",
        SERPAPI_API_KEY="k",
        SERPAPI_BASE_URL=serpapi_server.url,
    )
    findings = {finding["what"]: finding for finding in done.json["findings"]}
    assert (done.code, done.json["healthy"]) == (0, True), done.stdout
    assert findings["store"]["verified"] and not findings["OPENAI_API_KEY"]["verified"]
    assert findings["search"]["verified"] and "one search in" in findings["search"]["seen"]
    assert findings["model"]["verified"] and "one reply in" in findings["model"]["seen"]
    assert len(openai_server.requests) == len(serpapi_server.requests) == 1


def test_the_advice_on_concurrency_follows_from_the_time_of_one_reply() -> None:
    slow = advice(30.0)
    assert "With one slot, --concurrency 1 is as fast as more, and 1200 replies take 10.0 h" in slow
    assert advice(1.6) == "--concurrency 16: 1200 replies in 2 minutes."
