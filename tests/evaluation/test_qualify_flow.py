"""The flow `qualify_model`, and how a refresh uses its certificate."""

from __future__ import annotations

import logging
import re
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from evaluation.rgb_items import TOWNS, testbed
from servers import openai_server as openai

from freshqa.errors import FreshQAError, NotFound, QuotaExhausted, Refused, RunFailed, UsageError
from freshqa.evaluation.rgb.testbed import Kind, write_testbed
from freshqa.store import records, runs
from freshqa.store.database import Store
from prefect_freshqa.tasks.qualification_plan import plan_qualification
from prefect_freshqa.tasks.qualification_settings import QualificationSettings
from prefect_freshqa.tasks.refresh_settings import RefreshSettings

DAY = date(2026, 3, 9)
LOW = {"noise": 0.5, "rejection": 0.5, "integration": 0.5, "conflict": 0.5}


def reads_well(body: Any) -> str:
    """Names every town of the evidence, and says so when there is none."""
    prompt = str(body["messages"][-1]["content"])
    case = prompt.rsplit("query:", 1)[-1]  # after the demonstrations
    towns = [town for town in TOWNS if re.search(rf"held in {town}", case)]
    if not towns:
        return "premise: valid\nshort answer: unknown\nThe evidence does not say where."
    return f"premise: valid\nshort answer: {', '.join(towns)}"


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, ...]:
    """The three testbeds as files."""
    names = []
    for kind in Kind:
        path = tmp_path / f"{kind.value}.jsonl"
        path.write_bytes(write_testbed(testbed(kind).items))
        names.append(str(path))
    return tuple(names)


@pytest.fixture
def qualified(
    prefect_api: None, town: Store, judge_server: openai.OpenAIServer, files: tuple[str, ...]
) -> Callable[..., dict[str, Any]]:
    """`qualified(…)` runs the flow with the model `openai:reader` on all testbeds."""
    from prefect_freshqa.flows.qualify import qualify_model

    judge_server.answer = reads_well
    usual = {"testbeds": files, "model": "openai:reader", "profile": "best", "bounds": LOW}

    def run(**settings: Any) -> dict[str, Any]:
        key = settings.pop("key", None)
        given = QualificationSettings(**{**usual, **settings})
        return qualify_model(settings=given, as_of=DAY, key=key)

    return run


def test_a_model_that_meets_every_bound_is_certified(qualified, town) -> None:
    result = qualified()
    assert result["passed"], result["failed_bounds"]
    assert {
        name: (rate["hits"], rate["n"]) for name, rate in result["rates"].items()
    } == dict.fromkeys(LOW, (6, 6))
    assert (result["issued_on"], result["expires_on"]) == ("2026-03-09", "2026-06-07")
    assert result["completions"] == 24 and result["wrong"] == []
    (kept,) = records.certificates(town, model="reader")
    assert kept["passed"] and kept["prompt_hash"] == result["prompt_hash"]
    assert set(kept["testbeds"]) == {"base", "integration", "counterfactual"}


def test_the_report_of_a_method_that_never_declines_names_the_failed_bound(
    qualified, judge_server, town
) -> None:
    judge_server.answer = lambda body: "premise: valid\nshort answer: Rome"
    result = qualified()
    assert not result["passed"]
    failed = [line.split(" ")[0] for line in result["failed_bounds"]]
    assert failed == ["noise", "rejection", "integration", "conflict"]
    assert {read["mistake"] for read in result["wrong"]} >= {"answered-although-insufficient"}
    assert not records.certificates(town, model="reader")[0]["passed"]


def test_qualifying_again_on_the_same_day_makes_no_call(qualified, judge_server) -> None:
    first = qualified()
    asked = len(judge_server.requests)
    again = qualified()
    assert again["resumed"] and again["rates"] == first["rates"]
    assert len(judge_server.requests) == asked


def test_an_interrupted_qualification_resumes(qualified, judge_server, town) -> None:
    asked: list[Any] = []

    def until_the_quota_ends(body: Any) -> Any:
        asked.append(body)
        return reads_well(body) if len(asked) <= 10 else openai.quota()

    judge_server.answer = until_the_quota_ends
    with pytest.raises(QuotaExhausted):
        qualified(key="mine", concurrency=1, batch_size=6)
    assert runs.get_run(town, "mine").state == "failed"
    judge_server.answer = reads_well
    before = len(judge_server.requests)
    result = qualified(key="mine", concurrency=1, batch_size=6)
    assert result["passed"] and result["completions"] == 24
    assert len(judge_server.requests) - before == 14


def test_an_unfinished_probe_certifies_nothing(qualified, town) -> None:
    result = qualified(budget_tokens=1, concurrency=1)
    assert result["left"] > 0 and not result["passed"] and not result["recorded"]
    assert records.certificates(town, model="reader") == ()


def test_refused_items_are_left_out_and_named(qualified, judge_server) -> None:
    judge_server.answer = lambda body: openai.refusal()
    result = qualified()
    assert result["rates"]["noise"]["n"] == 0 and result["rates"]["noise"]["left_out"] == 6
    assert len(result["details"][0]["failed"]) == 6
    assert all("was not probed" in line for line in result["failed_bounds"])


def test_official_scoring_compares_and_licenses_nothing(qualified, judge_server, town) -> None:
    judge_server.answer = lambda body: "Rome, though there is insufficient information."
    result = qualified(scoring="official", method="rgb", full=True)
    assert not result["passed"] and records.certificates(town, model="reader") == ()
    assert result["failed_bounds"][0].startswith("Official scoring is for comparison")
    system = judge_server.requests[0].body["messages"][0]["content"]
    assert "status:" not in system
    assert result["details"][0]["rates"]["Rej"]["hits"] == 6


def refreshed(town: Store, policy: str, on: date = DAY, **settings: Any) -> tuple[str, ...]:
    from prefect_freshqa.tasks.license_check import missing_licence

    given = RefreshSettings(policy=policy, model="openai:reader", **settings)
    return missing_licence(town, given, on)


def test_a_certificate_licenses_a_refresh_only_with_the_same_settings(qualified, town) -> None:
    assert refreshed(town, "certified") == ("model reader has no certificate",)
    qualified()
    assert refreshed(town, "certified", profile="best") == ()
    other = ("the model was probed with other prompts or settings",)
    assert refreshed(town, "certified", profile="paper-gpt4") == other
    assert refreshed(town, "certified", profile="best", method="self-ask") == other
    assert refreshed(town, "certified", date(2026, 6, 7), profile="best") == (
        "it expired on 2026-06-07",
    )


def refresh(policy: str) -> dict[str, Any]:
    from prefect_freshqa.flows.refresh import refresh_dataset

    settings = RefreshSettings(policy=policy, method="search-only", search="replay", limit=1)
    return refresh_dataset(as_of=DAY, settings=settings, key=f"week-{policy}")


def test_policy_certified_is_refused_before_any_call(qualified, town) -> None:
    qualified(method="search-only")
    with pytest.raises(Refused, match=r"rejection .*: 0 of 6, lower bound 0.000 is below 0.500"):
        refresh("certified")
    assert "week-certified" not in {run.key for run in runs.list_runs(town)}


def test_policy_assisted_warns_and_hold_does_not(
    prefect_api: None, town: Store, caplog: pytest.LogCaptureFixture
) -> None:
    from prefect_freshqa.tasks.license_check import check_licence

    with caplog.at_level(logging.WARNING), pytest.raises(RunFailed) as failed:
        refresh("assisted")  # a replay without recordings
    assert failed.value.summary["unlicensed"] == ["model search-only has no certificate"]
    assert "Not qualified: model search-only has no certificate." in caplog.text
    assert check_licence(town, RefreshSettings(policy="hold"), on=DAY) == ()


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"testbeds": ()}, "Missing testbeds"),
        ({"testbeds": ("x/base.jsonl", "base.jsonl")}, "same name"),
        ({"testbeds": ("none.jsonl",)}, "Testbed not found: none.jsonl"),
        ({"model": "replay"}, "is not a model"),
        ({"bounds": {"speed": 1.0}}, "Unknown bound speed"),
    ],
)
def test_bad_input_is_reported_before_anything_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: dict[str, Any], message: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "x").mkdir()
    for path in ("base.jsonl", "x/base.jsonl"):
        (tmp_path / path).write_bytes(write_testbed(testbed(Kind.base).items))
    usual = {"testbeds": ("base.jsonl",), "method": "rgb", "model": "replay"}
    usual |= {"method": "search-only"} if "model" not in settings else {}
    with pytest.raises(FreshQAError, match=message) as refused:
        plan_qualification.fn(QualificationSettings(**{**usual, **settings}), DAY, None)
    assert refused.value.remedy
    kind = NotFound if "not found" in message else UsageError
    assert isinstance(refused.value, kind)
