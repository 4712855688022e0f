"""`SerpApiSearch` over HTTP on loopback, with every known fault."""

from __future__ import annotations

import logging
import pickle
import threading
import time
import traceback
from datetime import date, timezone
from decimal import Decimal

import pytest
from pydantic import SecretStr, ValidationError
from servers import serpapi_server as serpapi
from servers.scripted_server import Reply
from servers.serpapi_server import SerpApiServer

from freshqa.errors import (
    CredentialsError,
    FreshQAError,
    ProviderError,
    ProviderRejected,
    QuotaExhausted,
)
from freshqa.evidence.parsing import parse
from prefect_freshqa.blocks import SerpApiSearch, http_calls
from prefect_freshqa.blocks.search_engine import HttpSearchEngine

KEY = "s3cr3t+key/with%signs"
TODAY = date(2024, 3, 13)
QUERY = "Who leads the Lake Party?"
BODY = serpapi.body(
    QUERY,
    organic_results=[
        {"position": 1, "title": "Lake Party", "link": "https://lake.example/", "snippet": "Ada."}
    ],
)


@pytest.fixture(autouse=True)
def quick_retries(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http_calls, "FIRST_WAIT", 0.01)


def engine(server: SerpApiServer, **settings: object) -> HttpSearchEngine:
    server.bodies[QUERY] = BODY
    defaults = {"timeout_seconds": 5.0, "base_url": server.url, "api_key": SecretStr(KEY)}
    return SerpApiSearch(**{**defaults, **settings}).get_engine()


def failure(searcher: HttpSearchEngine) -> FreshQAError:
    with pytest.raises(FreshQAError) as raised:
        searcher.search(QUERY, as_of=TODAY)
    return raised.value


def test_a_search_sends_the_parameters_of_the_paper_and_keeps_the_response(
    serpapi_server: SerpApiServer,
) -> None:
    result = engine(serpapi_server).search(QUERY, as_of=TODAY)
    sent = dict(serpapi_server.requests[0].query)
    assert sent.pop("api_key") == KEY
    assert sent == {
        "engine": "google",
        "q": QUERY,
        "hl": "en",
        "gl": "us",
        "google_domain": "google.com",
        "output": "json",
        "source": "python",
    }
    assert result.engine == "serpapi"
    assert result.body == BODY
    assert result.cost_usd == Decimal("0.015")
    assert result.fetched_at.tzinfo == timezone.utc
    assert KEY not in repr(result)
    assert [finding.snippet for finding in parse(result)] == ["Ada."]


@pytest.mark.parametrize(
    ("name", "parameter"),
    [("bing", "q"), ("duckduckgo", "q"), ("yahoo", "p"), ("baidu", "q"), ("yandex", "text")],
)
def test_each_engine_gets_the_query_in_its_own_parameter(
    serpapi_server: SerpApiServer, name: str, parameter: str
) -> None:
    result = engine(serpapi_server, engine=name).search(QUERY, as_of=TODAY)
    assert serpapi_server.requests[0].query["engine"] == name
    assert serpapi_server.requests[0].query[parameter] == QUERY
    assert len(parse(result)) == 1


def test_a_page_without_results_is_a_valid_answer(serpapi_server: SerpApiServer) -> None:
    result = engine(serpapi_server).search("something never heard of", as_of=TODAY)
    assert parse(result) == ()


@pytest.mark.parametrize(
    ("reply", "kind", "attempts"),
    [
        (serpapi.invalid_key(), CredentialsError, 1),
        (Reply(403, {"error": "Your account is suspended."}), CredentialsError, 1),
        (serpapi.out_of_searches(), QuotaExhausted, 1),
        (Reply(400, {"error": "Unsupported `bling` parameter."}), ProviderRejected, 1),
        (Reply(404, {"error": "Not found."}), ProviderRejected, 1),
        (Reply(410, {"error": "The search is gone."}), ProviderRejected, 1),
        (Reply(200, {"error": "Something odd."}), ProviderRejected, 1),
        (serpapi.throughput(), ProviderError, 3),
        (serpapi.status_error(), ProviderError, 3),
        (serpapi.status_error(200), ProviderError, 3),
        (serpapi.server_error(502), ProviderError, 3),
        (serpapi.html(200), ProviderError, 3),
        (serpapi.html(503), ProviderError, 3),
        (serpapi.truncated(), ProviderError, 3),
        (serpapi.wrong_json("null"), ProviderError, 3),
        (serpapi.wrong_json("[]"), ProviderError, 3),
        (serpapi.wrong_json(""), ProviderError, 3),
        (serpapi.wrong_json("[" * 100_000), ProviderError, 3),
        (Reply(200, {"search_metadata": {"status": "Processing"}}), ProviderError, 3),
        (Reply(drop=True), ProviderError, 3),
        (Reply(302, "", {"Location": "https://elsewhere.example/"}), ProviderRejected, 1),
    ],
    ids=lambda value: value.__name__ if isinstance(value, type) else None,
)
def test_each_fault_raises_its_own_class_after_its_number_of_attempts(
    serpapi_server: SerpApiServer, reply: Reply, kind: type[FreshQAError], attempts: int
) -> None:
    serpapi_server.always(reply)
    raised = failure(engine(serpapi_server))
    assert type(raised) is kind
    assert len(serpapi_server.requests) == attempts
    assert raised.remedy
    assert "\n" not in str(raised)
    again = pickle.loads(pickle.dumps(raised))
    assert (str(again), type(again), again.kind) == (str(raised), kind, raised.kind)


@pytest.mark.parametrize(
    ("fault", "no_cache"),
    [(serpapi.status_error(), "true"), (serpapi.html(502), None), (Reply(drop=True), None)],
    ids=["failed search", "proxy", "dropped"],
)
def test_only_a_failed_search_is_repeated_with_no_cache(
    serpapi_server: SerpApiServer, fault: Reply, no_cache: str | None
) -> None:
    serpapi_server.script(fault)
    assert engine(serpapi_server).search(QUERY, as_of=TODAY).body == BODY
    assert [r.query.get("no_cache") for r in serpapi_server.requests] == [None, no_cache]


def test_retry_after_is_respected(serpapi_server: SerpApiServer) -> None:
    serpapi_server.script(serpapi.throughput("1"))
    engine(serpapi_server).search(QUERY, as_of=TODAY)
    first, second = serpapi_server.requests
    assert second.at - first.at >= 1.0


def test_a_longer_wait_than_allowed_ends_the_search_at_once(serpapi_server: SerpApiServer) -> None:
    serpapi_server.always(serpapi.throughput("3600"))
    started = time.monotonic()
    assert isinstance(failure(engine(serpapi_server)), ProviderError)
    assert time.monotonic() - started < 20
    assert len(serpapi_server.requests) == 1


@pytest.mark.parametrize(
    "slow", [Reply(delay=30), Reply(body=BODY, drip=0.05)], ids=["silent", "dripping"]
)
def test_a_timeout_bounds_the_whole_attempt(serpapi_server: SerpApiServer, slow: Reply) -> None:
    serpapi_server.always(slow)
    started = time.monotonic()
    raised = failure(engine(serpapi_server, timeout_seconds=0.5, max_attempts=2))
    assert isinstance(raised, ProviderError)
    assert 1.0 <= time.monotonic() - started < 20


def test_a_timeout_also_bounds_slow_headers() -> None:
    import socket

    listener = socket.create_server(("127.0.0.1", 0))
    stop = threading.Event()

    def drip() -> None:
        connection, _ = listener.accept()
        for byte in b"HTTP/1.1 200 OK\r\nX-Slow: " + b"x" * 500:
            if stop.wait(0.1):
                break
            connection.sendall(bytes([byte]))
        connection.close()

    thread = threading.Thread(target=drip, daemon=True)
    thread.start()
    block = SerpApiSearch(
        api_key=SecretStr(KEY),
        base_url=f"http://127.0.0.1:{listener.getsockname()[1]}",
        timeout_seconds=0.5,
        max_attempts=1,
    )
    started = time.monotonic()
    assert isinstance(failure(block.get_engine()), ProviderError)
    assert time.monotonic() - started < 20
    stop.set()
    thread.join()
    listener.close()


@pytest.mark.parametrize(
    "reply",
    [
        Reply(401, {"error": f"Invalid API key: {KEY}"}),
        Reply(400, {"error": "Bad request /search?api_key=s3cr3t%2Bkey%2Fwith%25signs&q=x"}),
        Reply(302, "", {"Location": f"https://elsewhere.example/?api_key={KEY}"}),
        Reply(drop=True),
        serpapi.truncated(),
    ],
    ids=["echoed", "echoed in a URL", "redirect", "dropped", "truncated"],
)
def test_the_key_is_in_no_message_traceback_or_log(
    serpapi_server: SerpApiServer, reply: Reply, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    serpapi_server.always(reply)
    searcher = engine(serpapi_server, max_attempts=1)
    raised = failure(searcher)
    seen = [caplog.text, repr(searcher), repr(raised), str(raised)]
    link: BaseException | None = raised
    while link is not None:
        seen.append("".join(traceback.format_exception(link)))
        link = link.__cause__ or link.__context__
    assert ("GET /search" in caplog.text) is not reply.drop, "requests are logged with their reply"
    assert not [text for text in seen if "s3cr3t" in text]


def test_the_error_for_an_unreachable_service_does_not_contain_the_key(
    caplog: pytest.LogCaptureFixture,
) -> None:
    block = SerpApiSearch(
        api_key=SecretStr(KEY), base_url="http://127.0.0.1:9", max_attempts=1, timeout_seconds=2
    )
    raised = failure(block.get_engine())
    assert "127.0.0.1" in str(raised)
    assert "s3cr3t" not in str(raised) + caplog.text
    assert raised.__context__ is None


def test_connections_are_reused_and_threads_share_an_engine(serpapi_server: SerpApiServer) -> None:
    searcher = engine(serpapi_server)
    for _ in range(3):
        searcher.search(QUERY, as_of=TODAY)
    results: list[object] = []
    threads = [
        threading.Thread(target=lambda: results.append(searcher.search(QUERY, as_of=TODAY).body))
        for _ in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [BODY] * 8
    pool = searcher._session.get_adapter("http://").poolmanager.connection_from_url(
        serpapi_server.url
    )
    assert pool.num_connections < 11, "three searches in a row and eight at once open at most nine"


def test_an_engine_can_be_pickled_to_another_process(serpapi_server: SerpApiServer) -> None:
    searcher = engine(serpapi_server)
    searcher.search(QUERY, as_of=TODAY)
    copy = pickle.loads(pickle.dumps(searcher))
    assert copy.search(QUERY, as_of=TODAY).body == BODY


def test_the_parameters_that_identify_a_search_include_the_engine_and_not_the_key(
    serpapi_server: SerpApiServer,
) -> None:
    google, bing = engine(serpapi_server), engine(serpapi_server, engine="bing")
    assert google.parameters != bing.parameters
    assert KEY not in str(google.parameters)
    assert QUERY not in str(google.parameters)


def test_text_that_a_database_cannot_store_is_replaced(serpapi_server: SerpApiServer) -> None:
    body = '{"organic_results": [{"title": "a\\u0000b \\ud800 c \\ud83d\\ude00", "x": NaN}]}'
    serpapi_server.script(Reply(body=body))
    result = engine(serpapi_server).search(QUERY, as_of=TODAY)
    assert result.body == {"organic_results": [{"title": "ab \ufffd c 😀", "x": None}]}


def test_a_key_echoed_in_the_body_is_redacted(serpapi_server: SerpApiServer) -> None:
    serpapi_server.script(Reply(body={"organic_results": [], "asked": f"/search?api_key={KEY}"}))
    result = engine(serpapi_server).search(QUERY, as_of=TODAY)
    assert result.body["asked"] == "/search?api_key=***"


def test_an_invalid_address_is_refused() -> None:
    with pytest.raises(ValidationError, match="base_url"):
        SerpApiSearch(api_key=SecretStr(KEY), base_url="serpapi.com")
    nowhere = SerpApiSearch(api_key=SecretStr(KEY), base_url="http://:80:80").get_engine()
    raised = failure(nowhere)
    assert isinstance(raised, ProviderRejected)
    assert "base_url" in str(raised)
    assert raised.__context__ is None
    assert "s3cr3t" not in str(raised)


def test_a_response_that_is_too_large_is_cut_off(
    serpapi_server: SerpApiServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(http_calls, "MAX_BYTES", 100_000)
    serpapi_server.always(Reply(body=b"[" + b" " * 300_000 + b"]"))
    assert isinstance(failure(engine(serpapi_server, max_attempts=1)), ProviderError)
