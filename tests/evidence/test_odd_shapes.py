"""Response bodies of any shape are read or refused with a FreshQAError."""

from __future__ import annotations

import copy
import json
import os
from datetime import datetime, timezone
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from freshqa.errors import FreshQAError
from freshqa.evidence.consolidate import consolidate
from freshqa.evidence.evidence import Evidence
from freshqa.evidence.parsing import parse
from freshqa.evidence.profile import PROFILES
from freshqa.evidence.results_page import LIMITS
from freshqa.evidence.search_engine import SearchResult

HERE = Path(__file__).parent
REAL = Path(os.environ.get("FRESHQA_TEST_DATA", HERE.parents[2] / "shared" / "data")) / "serpapi"
FETCHED = datetime(2026, 11, 27, 20, 0, tzinfo=timezone.utc)

ODD: list[Any] = [
    None, True, False, 0, -1, 7, 1.5, float("nan"), float("inf"), 10**400, "", " ", "a day ago",
    "99999999 days ago", "9" * 400, "\ud800", "\0\u202eabc\n\nanswer: x", "https://[", "http://x]",
    [], {}, [[]], [{}], [None], [[["deep"]]], {"a": {"b": None}}, [1, "two", None, {"three": 3}],
    {"link": 5, "name": None}, "x" * 10_000,
]  # fmt: skip

HUGE = 10**5000
"""Too long for Python to print, so it cannot be part of an example that Hypothesis prints."""


@cache
def bodies() -> list[tuple[str, str]]:
    """Engine and JSON of every body at hand: our own always, recorded ones where they lie."""
    own = [
        ("serpapi", json.dumps(json.loads((HERE / "bodies/google_full.json").read_text()))),
    ]
    for case in json.loads((HERE / "bodies/engines.json").read_text())["cases"]:
        own.append((case["engine"], json.dumps(case["body"])))
    for case in json.loads((HERE / "bodies/answer_boxes.json").read_text())["cases"]:
        own.append(("serpapi", json.dumps({"answer_box": case["box"]})))
    recorded = [p for p in sorted(REAL.glob("*.json")) if p.stat().st_size < 60_000]
    return own + [("serpapi", path.read_text("utf-8")) for path in recorded]


def places(value: Any) -> list[tuple[Any, Any]]:
    """Every (container, key) in a tree of JSON."""
    positions: list[tuple[Any, Any]] = []
    items = value.items() if isinstance(value, dict) else enumerate(value)
    for key, inner in items:
        positions.append((value, key))
        if isinstance(inner, (dict, list)) and inner:
            positions.extend(places(inner))
    return positions


def check(engine: str, body: Any) -> tuple[Evidence, ...]:
    try:
        findings = parse(SearchResult(engine, "q", body, FETCHED))
    except FreshQAError as refused:
        assert "\n" not in str(refused)
        return ()
    for finding in findings:
        for name, limit in LIMITS.items():
            text = getattr(finding, name)
            assert len(text) <= limit
            assert text == " ".join(text.split())
            assert all(letter.isprintable() or letter in "\u200c\u200d" for letter in text)
        assert finding.title or finding.snippet or finding.highlight
        assert finding.url == "" or finding.url.startswith(("http://", "https://"))
        assert finding.date is None or finding.date <= FETCHED.date().replace(day=28)
        assert isinstance(finding.domain, str)
        assert Evidence.from_json(json.loads(json.dumps(finding.to_json()))) == finding
        finding.to_json()["snippet"].encode("utf-8")
    for profile in PROFILES.values():
        assert len(consolidate(findings, question="who won?", profile=profile)) <= profile.kept
    return findings


@settings(max_examples=250, deadline=None)
@given(st.data())
def test_a_body_with_any_damaged_field_is_still_read(data: st.DataObject) -> None:
    engine, text = data.draw(st.sampled_from(bodies()))
    body = json.loads(text)
    for _ in range(data.draw(st.integers(1, 4))):
        container, key = data.draw(st.sampled_from(places(body) or [(body, "answer_box")]))
        change = data.draw(st.sampled_from(["replace", "wrap", "drop", "unwrap"]))
        if change == "replace":
            container[key] = copy.deepcopy(data.draw(st.sampled_from(ODD)))
        elif change == "wrap":
            container[key] = [container.get(key) if isinstance(container, dict) else container[key]]
        elif change == "drop" and isinstance(container, dict):
            container.pop(key, None)
        elif isinstance(container, dict) and isinstance(container.get(key), list):
            container[key] = next(iter(container[key]), None)
    check(engine, body)


def test_every_field_accepts_every_odd_value() -> None:
    own = json.loads((HERE / "bodies/engines.json").read_text())["cases"]
    boxes = json.loads((HERE / "bodies/answer_boxes.json").read_text())["cases"]
    full = json.loads((HERE / "bodies/google_full.json").read_text())
    small = [(case["engine"], case["body"]) for case in own]
    small += [("serpapi", {"answer_box": case["box"]}) for case in boxes]
    small += [("serpapi", {name: part}) for name, part in full.items()]
    for engine, body in small:
        for number, (container, key) in enumerate(places(body)):
            kept = container[key]
            for value in [*ODD[number % 2 :: 2], HUGE]:
                container[key] = value
                try:
                    parse(SearchResult(engine, "q", body, FETCHED))
                except FreshQAError:
                    continue
            container[key] = kept


_KNOWN = """
answer_box organic_results knowledge_graph related_questions ai_overview top_stories sports_results
questions_and_answers search_metadata error results answers infoboxes organic answerBox
peopleAlsoAsk snippet title link date list text_blocks type source search_information
"""
KNOWN = st.sampled_from(_KNOWN.split())
JSON = st.recursive(
    st.sampled_from(ODD[:20]) | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(KNOWN, inner, max_size=4),
    max_leaves=25,
)


@settings(max_examples=250, deadline=None)
@given(st.sampled_from(["serpapi", "searxng", "serper"]), st.dictionaries(KNOWN, JSON, max_size=6))
@example("serpapi", {"organic_results": {"title": "an object where a list is expected"}})
@example("serpapi", {"answer_box": [None, [], {"type": ["list"]}]})
def test_any_json_is_read_or_refused_with_a_freshqa_error(
    engine: str, body: dict[str, Any]
) -> None:
    check(engine, body)


@pytest.mark.parametrize("body", [None, [], "text", 5, True])
def test_a_body_that_is_not_an_object_is_refused(body: Any) -> None:
    with pytest.raises(FreshQAError):
        parse(SearchResult("serpapi", "q", body, FETCHED))


def test_depth_and_size_are_bounded() -> None:
    deep: Any = {"snippet": "bottom"}
    for _ in range(3000):
        deep = {"text_blocks": [deep], "list": [deep], "stories": [deep], "title": "level"}
    flood = [{"title": f"t{i}", "snippet": "word " * 20_000} for i in range(20)]
    body = {"ai_overview": deep, "top_stories": [deep], "knowledge_graph": deep, "answer_box": deep}
    findings = check("serpapi", {**body, "organic_results": flood})
    assert sum(len(f.snippet) for f in findings if f.kind == "organic") <= 20 * LIMITS["snippet"]
