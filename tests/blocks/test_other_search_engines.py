"""SearXNG, Serper and engines of other packages over HTTP on loopback, and recordings."""

from __future__ import annotations

import json
import pickle
from collections.abc import Iterator
from datetime import date, datetime, timezone
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr, ValidationError
from servers.scripted_server import Reply, Request, ScriptedServer

from freshqa.errors import (
    BadData,
    CredentialsError,
    NotFound,
    ProviderRejected,
    QuotaExhausted,
)
from freshqa.evidence.parsing import parse
from prefect_freshqa.blocks import (
    RecordedSearch,
    SearxngSearch,
    SerpApiSearch,
    SerperSearch,
    WebSearch,
)

TODAY = date(2026, 11, 27)
HIT = {"title": "Lake Cup", "url": "https://lakecup.example/", "content": "The Otters won."}


class Server(ScriptedServer):
    def normal(self, request: Request) -> Reply:
        if request.method == "POST":
            hit = {"title": HIT["title"], "link": HIT["url"], "snippet": HIT["content"]}
            return Reply(body={"organic": [hit]})
        return Reply(body={"results": [HIT]})


@pytest.fixture
def server() -> Iterator[Server]:
    server = Server()
    with server.running():
        yield server


def test_searxng_requests_json_in_the_configured_language(server: Server) -> None:
    engine = SearxngSearch(base_url=f"{server.url}/", language="de", country="at").get_engine()
    result = engine.search("Seepokal", as_of=TODAY)
    (request,) = server.requests
    assert (request.method, request.path) == ("GET", "/search")
    assert request.query == {"q": "Seepokal", "format": "json", "language": "de-AT"}
    assert [f.snippet for f in parse(result)] == ["The Otters won."]
    assert result.cost_usd == 0


def test_searxng_without_json_output_is_reported_with_the_setting_to_change(server: Server) -> None:
    server.always(Reply(403, "<html>Forbidden</html>", {"Content-Type": "text/html"}))
    with pytest.raises(ProviderRejected, match=r"settings\.yml"):
        SearxngSearch(base_url=server.url).get_engine().search("x", as_of=TODAY)


def test_serper_gets_the_key_in_a_header_and_the_query_in_the_body(server: Server) -> None:
    block = SerperSearch(api_key=SecretStr("s3cr3t"), base_url=server.url)
    result = block.get_engine().search("Lake Cup", as_of=TODAY)
    (request,) = server.requests
    assert (request.method, request.path) == ("POST", "/search")
    assert request.headers["x-api-key"] == "s3cr3t"
    assert request.body == {"q": "Lake Cup", "hl": "en", "gl": "us"}
    assert "s3cr3t" not in str(result)
    assert result.cost_usd == Decimal("0.001")
    assert [f.snippet for f in parse(result)] == ["The Otters won."]


@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        (Reply(403, {"message": "Unauthorized."}), CredentialsError),
        (Reply(400, {"message": "Not enough credits"}), QuotaExhausted),
        (Reply(307, "", {"Location": "https://elsewhere.example/"}), ProviderRejected),
    ],
)
def test_errors_of_serper_raise_the_matching_class(
    server: Server, reply: Reply, kind: type[Exception]
) -> None:
    server.always(reply)
    block = SerperSearch(api_key=SecretStr("s3cr3t"), base_url=server.url)
    with pytest.raises(kind):
        block.get_engine().search("x", as_of=TODAY)
    assert len(server.requests) == 1


def test_settings_of_a_block_apply_to_every_request(server: Server) -> None:
    block = SearxngSearch(
        base_url=server.url, parameters={"engines": "wikipedia", "format": "json"}
    )
    block.get_engine().search("x", as_of=TODAY)
    assert server.requests[0].query["engines"] == "wikipedia"


def test_web_search_finds_an_engine_by_its_registered_name(server: Server) -> None:
    engine = WebSearch(engine="searxng", base_url=server.url).get_engine()
    assert engine.name == "searxng"
    assert len(parse(engine.search("x", as_of=TODAY))) == 1
    assert WebSearch(engine="serper").get_engine().base_url == "https://google.serper.dev"
    with pytest.raises(NotFound, match="searxng, serpapi, serper"):
        WebSearch(engine="altavista").get_engine()


@pytest.mark.parametrize(
    ("settings", "wrong"),
    [
        ({"api_key": "k", "enginee": "bing"}, "enginee"),
        ({"api_key": "k", "timeout_seconds": 0}, "timeout_seconds"),
        ({"api_key": "k", "max_attempts": 0}, "max_attempts"),
        ({"api_key": "k", "cost_usd_per_search": -1}, "cost_usd_per_search"),
        ({"api_key": "k", "engine": "google&api_key=x"}, "engine"),
        ({}, "api_key"),
    ],
)
def test_an_invalid_setting_is_refused_by_name(settings: dict[str, Any], wrong: str) -> None:
    with pytest.raises(ValidationError) as refused:
        SerpApiSearch(**settings)
    assert [error["loc"] for error in refused.value.errors()] == [(wrong,)]


# -- recordings --------------------------------------------------------------------------------
def body(answer: str, day: str = "") -> dict[str, Any]:
    stamp = {"search_metadata": {"created_at": f"{day} 08:00:00 UTC"}} if day else {}
    return {**stamp, "answer_box": {"type": "organic_result", "title": "t", "answer": answer}}


def recording(folder: Path, *records: dict[str, Any]) -> Path:
    path = folder / "searches.jsonl"
    path.write_text("\n".join(json.dumps(record) for record in records) + "\n", "utf-8")
    return path


def answers(path: Path, query: str, as_of: date = TODAY) -> str:
    result = RecordedSearch(path=path).get_engine().search(query, as_of=as_of)
    assert result.reused
    assert result.cost_usd == 0
    return parse(result)[0].highlight


def test_recorded_questions_are_found_regardless_of_case_and_punctuation(tmp_path: Path) -> None:
    path = recording(tmp_path, {"question": "Who won the Lake Cup?", "response": body("Otters")})
    assert answers(path, "who won the lake cup") == "Otters"


def test_the_latest_recording_up_to_the_requested_day_is_used(tmp_path: Path) -> None:
    path = recording(
        tmp_path,
        {"question": "q", "response": body("second", "2026-11-20")},
        {"question": "q", "response": body("first", "2026-11-01")},
    )
    assert answers(path, "q") == "second"
    assert answers(path, "q", date(2026, 11, 19)) == "first"
    assert answers(path, "q", date(2020, 1, 1)) == "first", "there is nothing earlier"


def test_fetched_at_is_the_day_of_the_recording_or_else_the_requested_day(tmp_path: Path) -> None:
    path = recording(
        tmp_path,
        {"question": "old", "response": body("a", "2024-03-13")},
        {"question": "undated", "response": body("b")},
    )
    engine = RecordedSearch(path=path).get_engine()
    assert engine.search("old", as_of=TODAY).fetched_at == datetime(
        2024, 3, 13, 8, tzinfo=timezone.utc
    )
    assert engine.search("undated", as_of=TODAY).fetched_at.date() == TODAY


def test_a_folder_of_bodies_is_a_recording(tmp_path: Path) -> None:
    asked = {"search_parameters": {"engine": "google", "q": "Who won?"}}
    (tmp_path / "a.json").write_text(json.dumps({**asked, **body("Otters")}), "utf-8")
    record = {"question": "Where?", "response": body("Elm Park")}
    (tmp_path / "b.json").write_text(json.dumps(record), "utf-8")
    assert answers(tmp_path, "Who won?") == "Otters"
    assert answers(tmp_path, "Where?") == "Elm Park"


def test_other_engines_can_be_recorded(tmp_path: Path) -> None:
    response = {"answers": ["Otters"]}
    path = recording(tmp_path, {"question": "q", "engine": "searxng", "response": response})
    assert answers(path, "q") == "Otters"


def test_a_recorded_error_is_raised(tmp_path: Path) -> None:
    path = recording(tmp_path, {"question": "q", "response": {"error": "Invalid API key."}})
    with pytest.raises(CredentialsError):
        answers(path, "q")


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b'{"question": "q", "response": {}}\n{"question": ', r"line 2 is not valid JSON"),
        (b'{"question": "q", "response": {}}\n\n[1]', r"line 3 is not an object"),
        (b'{"response": {}}', r"line 1 has no question"),
        (b'{"question": "q", "response": "text"}', r"line 1 has a response that is not an object"),
        (b'{"question": "q\xff"}', r"cannot be read \(UnicodeDecodeError\)"),
    ],
)
def test_an_invalid_recording_is_reported_with_its_line(
    tmp_path: Path, content: bytes, message: str
) -> None:
    path = tmp_path / "searches.jsonl"
    path.write_bytes(content)
    with pytest.raises(BadData, match=message):
        RecordedSearch(path=path).get_engine().search("q", as_of=TODAY)


def test_a_question_without_a_recording_is_not_found(tmp_path: Path) -> None:
    path = recording(tmp_path, {"question": "q", "response": body("a")})
    with pytest.raises(NotFound, match="has no search for 'something else'"):
        RecordedSearch(path=path).get_engine().search("something else", as_of=TODAY)
    with pytest.raises(NotFound, match=r"(?i)recording.* not found"):
        RecordedSearch(path=tmp_path / "none.jsonl").get_engine().search("q", as_of=TODAY)


def test_an_edited_recording_is_read_again_and_its_parameters_change(tmp_path: Path) -> None:
    path = recording(tmp_path, {"question": "q", "response": body("old answer")})
    engine = RecordedSearch(path=path).get_engine()
    before = engine.parameters
    assert answers(path, "q") == "old answer"
    recording(tmp_path, {"question": "q", "response": body("new")})
    assert answers(path, "q") == "new"
    assert engine.parameters != before
    assert pickle.loads(pickle.dumps(engine)).search("q", as_of=TODAY).body == body("new")


@pytest.mark.real_data
def test_the_real_recording_answers_all_its_questions(shared_data: Path) -> None:
    path = shared_data / "serp/google_2024-03-13_dev.jsonl"
    engine = RecordedSearch(path=path).get_engine()
    questions = [json.loads(line)["question"] for line in path.read_text("utf-8").splitlines()]
    assert len(questions) == 323
    findings = [parse(engine.search(question, as_of=date(2024, 3, 13))) for question in questions]
    assert sum(not evidence for evidence in findings) <= 5
