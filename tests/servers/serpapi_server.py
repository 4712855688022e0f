"""A loopback server of SerpApi's `/search`, with known faults."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from servers.scripted_server import Reply, Request, ScriptedServer

QUERY_PARAMETERS = ("q", "p", "text", "query")
"""Engines name their query differently: google `q`, yahoo `p`, yandex `text`, naver `query`."""


class SerpApiServer(ScriptedServer):
    """`GET /search`.

    Attributes:
        bodies: Query → response body; a query that is not there gets "no results".
        key: When set, another `api_key` gets a 401.
    """

    def __init__(self) -> None:
        super().__init__()
        self.bodies: dict[str, Mapping[str, Any]] = {}
        self.key = ""

    def record(self, path: Path) -> None:
        """Serve a recording: JSON lines `{"question": …, "response": …}`."""
        for line in path.read_text("utf-8").splitlines():
            entry = json.loads(line)
            self.bodies[entry["question"]] = entry["response"]

    def queries(self) -> list[str]:
        """What was searched, in order."""
        return [query_of(request) for request in self.requests]

    def normal(self, request: Request) -> Reply:
        if not request.path.startswith("/search"):
            return Reply(404, {"error": "Not found."})
        if self.key and request.query.get("api_key") != self.key:
            return invalid_key()
        query = query_of(request)
        if not query:
            return Reply(400, {"error": "Missing query `q` parameter."})
        if query not in self.bodies:
            return no_results(query)
        return Reply(body=self.bodies[query])


def query_of(request: Request) -> str:
    return next((request.query[name] for name in QUERY_PARAMETERS if request.query.get(name)), "")


def body(query: str, **parts: Any) -> dict[str, Any]:
    """A successful response body with these parts (`organic_results=[…]`, `answer_box={…}`)."""
    return {
        "search_metadata": {"status": "Success", "created_at": "2024-03-13 00:00:00 UTC"},
        "search_parameters": {"engine": "google", "q": query, "hl": "en", "gl": "us"},
        **parts,
    }


# -- faults, by name ---------------------------------------------------------------------------
def no_results(query: str = "") -> Reply:
    """HTTP 200 and an `error`: an answer, not a failure."""
    state = {"organic_results_state": "Fully empty"}
    text = "Google hasn't returned any results for this query."
    return Reply(body=body(query, search_information=state, error=text))


def invalid_key() -> Reply:
    message = "Invalid API key. Your API key should be here: https://serpapi.com/manage-api-key"
    return Reply(401, {"error": message})


def out_of_searches() -> Reply:
    return Reply(429, {"error": "Your account has run out of searches."})


def throughput(retry_after: str | None = None) -> Reply:
    headers = {"Retry-After": retry_after} if retry_after is not None else {}
    message = "You are exceeding your hourly searches limit. Please upgrade or try later."
    return Reply(429, {"error": message}, headers)


def status_error(status: int = 503) -> Reply:
    message = "We couldn't get valid results for this search. Please try again later."
    return Reply(status, {"search_metadata": {"status": "Error"}, "error": message})


def server_error(status: int = 500) -> Reply:
    return Reply(status, {"error": "Internal error."})


def html(status: int = 200) -> Reply:
    return Reply(status, "<html><body>Bad gateway</body></html>", {"Content-Type": "text/html"})


def truncated() -> Reply:
    return Reply(body=json.dumps(body("q", organic_results=[])), cut=30)


def wrong_json(value: Any = "null") -> Reply:
    """`null`, `[]`, or text that is not valid JSON."""
    return Reply(body=value)
