"""Every recorded or documented results page gives the expected evidence."""

from __future__ import annotations

import json
import re
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import pytest

from freshqa import errors
from freshqa.errors import FreshQAError, NotFound, ProviderError
from freshqa.evidence.evidence import Evidence
from freshqa.evidence.parsing import engine_format, parse
from freshqa.evidence.search_engine import SearchResult

BODIES = Path(__file__).parent / "bodies"
FETCHED = datetime(2026, 11, 27, 20, 0, tzinfo=timezone.utc)


def load(name: str) -> dict[str, Any]:
    return json.loads((BODIES / name).read_text("utf-8"))


def result(body: Any, engine: str = "serpapi", fetched_at: datetime = FETCHED) -> SearchResult:
    return SearchResult(engine, "q", body, fetched_at)


BOXES = load("answer_boxes.json")
ENGINES = load("engines.json")["cases"]
FAILURES = load("failures.json")["cases"]


@pytest.mark.parametrize("case", BOXES["cases"], ids=lambda case: case["box"].get("type", "none"))
def test_every_type_of_answer_box_gives_its_answer(case: dict[str, Any]) -> None:
    body = {"search_metadata": {"created_at": BOXES["created_at"]}, "answer_box": case["box"]}
    (box,) = parse(result(body))
    assert {
        "title": box.title,
        "snippet": box.snippet,
        "highlight": box.highlight,
        "date": box.date.isoformat() if box.date else None,
    } == {name: case[name] for name in ("title", "snippet", "highlight", "date")}
    assert parse(result({**body, "answer_box": [case["box"], {"type": "unknow"}]})) == (box,)


def test_a_complete_results_page_gives_the_expected_evidence() -> None:
    expected = [Evidence.from_json(record) for record in load("google_full.expected.json")]
    assert list(parse(result(load("google_full.json")))) == expected


@pytest.mark.parametrize("case", ENGINES, ids=lambda case: case["name"])
def test_every_engine_is_read(case: dict[str, Any]) -> None:
    findings = parse(result(case["body"], case["engine"]))
    assert [
        [e.kind.value, e.source, e.title, e.snippet, e.date.isoformat() if e.date else None]
        for e in findings
    ] == case["expected"]
    assert [e.highlight for e in findings if e.kind == "answer-box"] in ([], ["The Otters"])


@pytest.mark.parametrize("case", FAILURES, ids=lambda case: f"{case['engine']}-{case['status']}")
def test_a_failed_search_is_never_read_as_an_empty_one(case: dict[str, Any]) -> None:
    failure = engine_format(case["engine"]).failure(case["status"], case["body"])
    assert (type(failure).__name__ if failure else None) == case["kind"]
    if failure is None:
        assert parse(result(case["body"], case["engine"])) == ()
    elif case["status"] == 200 and isinstance(case["body"], dict):
        with pytest.raises(getattr(errors, case["kind"])):
            parse(result(case["body"], case["engine"]))
    assert failure is None or (failure.remedy and "\n" not in str(failure))


def test_only_temporary_failures_are_retryable() -> None:
    for case in FAILURES:
        failure = engine_format(case["engine"]).failure(case["status"], case["body"])
        assert failure is None or failure.retryable == isinstance(failure, ProviderError)


def test_relative_dates_count_from_the_time_of_the_response() -> None:
    body = {"organic_results": [{"title": "t", "link": "https://a.example", "date": "1 day ago"}]}
    stamped = {"search_metadata": {"created_at": "2024-03-01 10:00:00 UTC"}, **body}
    assert str(parse(result(stamped))[0].date) == "2024-02-29"
    assert str(parse(result(body))[0].date) == "2026-11-26"


@pytest.mark.parametrize(
    ("snippet", "day", "kept"),
    [
        ("It ended in Orlune.25 Mar 2024", "2024-03-25", "It ended in Orlune."),
        ("It ended in Orlune.5 Mar 2024", "2024-03-05", "It ended in Orlune."),
        ("It ended in Orlune.Mar 25, 2024", "2024-03-25", "It ended in Orlune."),
    ],
)
def test_a_date_appended_to_a_snippet_is_read_completely(snippet: str, day: str, kept: str) -> None:
    asked = {"question": "When did it end?", "snippet": snippet, "link": "https://a.example"}
    [finding] = parse(result({"related_questions": [asked]}))
    assert (str(finding.date), finding.snippet) == (day, kept)


def test_the_evidence_survives_json() -> None:
    for finding in parse(result(load("google_full.json"))):
        assert Evidence.from_json(json.loads(json.dumps(finding.to_json()))) == finding


def test_an_unknown_engine_is_refused_with_the_known_ones() -> None:
    with pytest.raises(NotFound, match=r"'altavista'\. Available: searxng, serpapi, serper"):
        parse(result({}, "altavista"))


def test_another_package_can_register_an_engine_as_documented(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    manual = (BODIES.parents[2] / "docs" / "search-engines.md").read_text("utf-8")
    section = manual.split("## Bring your own engine")[1]
    example, toml = (
        re.search(rf"```{language}\n(.*?)```", section, re.DOTALL)
        for language in ("python", "toml")
    )
    assert example and toml
    (tmp_path / "acme_search.py").write_text(example[1])
    metadata = tmp_path / "acme-1.0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: acme\nVersion: 1.0\n")
    registered = re.sub(r'\[project\.entry-points\."(.+)"\]', r"[\1]", toml[1]).replace('"', "")
    (metadata / "entry_points.txt").write_text(registered)
    monkeypatch.syspath_prepend(str(tmp_path))
    hit = {"headline": "Lake Cup", "address": "https://lakecup.example/", "published": "yesterday"}
    try:
        (finding,) = parse(result({"hits": [hit, None]}, "acme"))
    finally:
        engine_format.cache_clear()
    assert (finding.title, finding.source, str(finding.date)) == (
        "Lake Cup",
        "lakecup.example",
        "2026-11-26",
    )


@pytest.mark.real_data
def test_every_recorded_body_is_read_or_refused_by_name(shared_data: Path) -> None:
    read = 0
    for path in sorted((shared_data / "serpapi").glob("*.json")):
        body = json.loads(path.read_text("utf-8"))
        body = body.get("body", body)  # error bodies are wrapped together with their status
        expected_error = re.match(r"error_[45]", path.name)
        try:
            findings = parse(result(body))
        except FreshQAError:
            assert expected_error, f"{path.name} is no error"
            continue
        assert not expected_error, f"{path.name} is an error"
        read += len(findings)
        listed = body.get("organic_results", [])
        organic = [f for f in findings if f.kind == "organic"]
        assert len(organic) == len(listed), f"{path.name} lost a hit"
        dated = [hit for hit in listed if hit.get("date")]
        assert sum(f.date is not None for f in organic) == len(dated), f"{path.name} lost a date"
    assert read > 500
