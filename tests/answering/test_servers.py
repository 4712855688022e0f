"""The loopback servers behave as scripted."""

from __future__ import annotations

import json
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest
import requests
from servers import openai_server as openai
from servers import serpapi_server as serpapi
from servers.openai_server import OpenAIServer
from servers.scripted_server import Reply, Request
from servers.serpapi_server import SerpApiServer

PATIENCE = 60
"""Seconds until something is stuck, not slow."""


def post(server: OpenAIServer, text: str = "hello", **parameters: object) -> requests.Response:
    body = {"model": "m", "messages": [{"role": "user", "content": text}], **parameters}
    return requests.post(f"{server.base_url}/chat/completions", json=body, timeout=PATIENCE)


def test_a_script_is_followed_in_order_then_normal_replies_return(
    openai_server: OpenAIServer,
) -> None:
    openai_server.answers["hello"] = "world"
    openai_server.script(openai.rate_limited("1"), openai.html(), None, openai.server_error(503))
    replies = [post(openai_server) for _ in range(5)]
    assert [reply.status_code for reply in replies] == [429, 200, 200, 503, 200]
    assert replies[0].headers["Retry-After"] == "1"
    assert replies[4].json()["choices"][0]["message"]["content"] == "world"
    assert openai_server.prompts() == ["hello"] * 5


def test_unsupported_parameters_and_long_prompts_are_refused(openai_server: OpenAIServer) -> None:
    openai_server.unsupported = {"max_tokens"}
    openai_server.context_tokens = 10
    assert post(openai_server, max_tokens=5).json()["error"]["param"] == "max_tokens"
    assert post(openai_server, "x" * 100).json()["error"]["code"] == "context_length_exceeded"


def test_dropped_and_truncated_replies_raise_connection_errors(openai_server: OpenAIServer) -> None:
    openai_server.script(Reply(drop=True), openai.truncated())
    with pytest.raises(requests.ConnectionError):
        post(openai_server)
    with pytest.raises(requests.RequestException):
        post(openai_server)


def test_silent_and_slow_replies_take_time(serpapi_server: SerpApiServer) -> None:
    serpapi_server.script(Reply(delay=0.1), Reply(body="0123456789", drip=0.02))
    started = time.monotonic()
    requests.get(f"{serpapi_server.url}/search", timeout=PATIENCE)
    requests.get(f"{serpapi_server.url}/search", timeout=PATIENCE)
    assert time.monotonic() - started > 0.25


def test_concurrency_is_counted_and_limited(serpapi_server: SerpApiServer) -> None:
    normal, arrived, go = serpapi_server.normal, threading.Semaphore(0), threading.Event()

    def hold(request: Request) -> Reply:
        arrived.release()
        go.wait(PATIENCE)
        return normal(request)

    serpapi_server.normal = hold  # type: ignore[method-assign]
    serpapi_server.limit_concurrency(3, serpapi.throughput())
    url = f"{serpapi_server.url}/search?q=x"

    def ask(_: int) -> int:
        return requests.get(url, timeout=PATIENCE).status_code

    with ThreadPoolExecutor(3) as pool:
        held = pool.map(ask, range(3))
        assert all(arrived.acquire(timeout=PATIENCE) for _ in range(3))
        beyond = [ask(number) for number in range(2)]
        go.set()
        assert (list(held), beyond) == ([200] * 3, [429] * 2)
    assert serpapi_server.peak >= 4


def test_random_faults_are_the_same_for_the_same_seed(serpapi_server: SerpApiServer) -> None:
    def run() -> list[int]:
        serpapi_server.clear()
        serpapi_server.at_random(0.3, serpapi.server_error(), seed=7)
        url = f"{serpapi_server.url}/search?q=x"
        return [requests.get(url, timeout=PATIENCE).status_code for _ in range(20)]

    first = run()
    assert first == run()
    assert 0 < first.count(500) < 20


def test_serpapi_serves_a_recording(serpapi_server: SerpApiServer, tmp_path) -> None:
    recorded = serpapi.body("who?", organic_results=[{"title": "Someone"}])
    line = json.dumps({"question": "who?", "response": recorded})
    (tmp_path / "serp.jsonl").write_text(line + "\n", "utf-8")
    serpapi_server.record(tmp_path / "serp.jsonl")
    serpapi_server.burst(2, 1, serpapi.out_of_searches())
    bodies = [
        requests.get(f"{serpapi_server.url}/search", params={"q": q}, timeout=PATIENCE).json()
        for q in ("who?", "what?", "who?")
    ]
    assert bodies[0]["organic_results"][0]["title"] == "Someone"
    assert bodies[1]["search_information"]["organic_results_state"] == "Fully empty"
    assert bodies[2]["error"] == "Your account has run out of searches."
    assert serpapi_server.queries() == ["who?", "what?", "who?"]
