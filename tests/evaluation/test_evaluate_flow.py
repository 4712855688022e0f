"""The flow `evaluate_model` on a real store, a real Prefect API and a judge on loopback."""

from __future__ import annotations

from pathlib import Path

import pytest
from evaluation.town import NEW_DAY, OLD_DAY, RESPONSES, responses_file, write_lines
from servers import openai_server as openai

from freshqa.errors import QuotaExhausted
from freshqa.store import records, runs


def cells(result: dict, mode: str = "relaxed") -> dict[str, tuple[int, int, int]]:
    return {
        cell["column"]: (cell["hits"], cell["n"], cell["left_out"])
        for cell in result["table"]
        if cell["mode"] == mode
    }


def verdicts(result: dict, mode: str = "relaxed") -> dict[str, str]:
    return {j["question"]: j["verdict"] for j in result["judgements"] if j["mode"] == mode}


def test_a_file_is_judged_by_the_lexical_judge(evaluated, town, tmp_path: Path) -> None:
    file = responses_file(tmp_path, date="2026-03-09")
    result = evaluated(responses=str(file), judge="lexical")
    assert (result["mode"], result["judge"], result["version"]) == ("relaxed", "lexical", 2)
    assert verdicts(result) == {
        "Who is the mayor?": "incorrect",
        "How many bridges are there?": "correct",
        "Who painted the hall?": "incorrect",
        "Why did the lake vanish?": "unrated",
    }
    assert cells(result)["all"] == (1, 3, 1)
    (memory,) = result["memory"]
    assert memory["changed"]["hits"] == 0 and memory["repeats_former_answer"]["hits"] == 1
    assert "Lexical" in result["notes"][0].title()
    assert len(records.judgements(town, f"{result['evaluation']}:relaxed")) == 4
    assert runs.get_run(town, result["evaluation"]).state == "completed"


def test_artifacts_show_the_table_the_judgements_and_the_chart(
    evaluated, town, tmp_path: Path
) -> None:
    from prefect.client.orchestration import get_client
    from prefect.settings import PREFECT_UI_ENABLED, temporary_settings

    with temporary_settings({PREFECT_UI_ENABLED: True}):  # else nothing is drawn
        result = evaluated(responses=str(responses_file(tmp_path)), judge="lexical")
    flow_run = runs.get_run(town, result["evaluation"]).flow_run_id
    with get_client(sync_client=True) as client:
        wanted = {"artifacts": {"flow_run_id": {"any_": [flow_run]}}}
        artifacts = {
            a["key"]: a for a in client.request("POST", "/artifacts/filter", json=wanted).json()
        }
    assert set(artifacts) == {
        "freshqa-accuracy",
        "freshqa-evaluation",
        "freshqa-evaluation-progress",
        "freshqa-judgements",
    }
    assert artifacts["freshqa-evaluation-progress"]["data"] == 100.0
    assert "| valid premise: fast |" in artifacts["freshqa-evaluation"]["data"]
    assert artifacts["freshqa-accuracy"]["data"].startswith("data:image/png;base64,")


def test_repeating_a_command_reuses_the_recorded_results(
    evaluated, judge_server, tmp_path: Path
) -> None:
    settings = {"responses": str(responses_file(tmp_path)), "judge": "openai:judge"}
    first = evaluated(**settings)
    asked = len(judge_server.requests)
    again = evaluated(**settings)
    assert asked == len(judge_server.requests) == len(RESPONSES)
    assert again["resumed"] and again["judgements"] == first["judgements"]
    assert again["table"] == first["table"]


def test_calls_in_flight_never_exceed_the_concurrency(
    evaluated, judge_server, tmp_path: Path
) -> None:
    judge_server.latency = 0.25
    settings = {"responses": str(responses_file(tmp_path)), "judge": "openai:judge"}
    evaluated(**settings, batch_size=1, concurrency=1)
    assert judge_server.peak == 1
    judge_server.latency = 1.0  # long beside what a busy machine needs to send the next
    evaluated(**settings, concurrency=4, mode="strict")
    assert 1 < judge_server.peak <= 4


def test_a_model_judges_both_modes_and_its_recording_repeats_the_verdicts(
    evaluated, judge_server, tmp_path: Path
) -> None:
    result = evaluated(
        responses=str(responses_file(tmp_path)), judge="openai:judge", mode="both", version=1
    )
    assert cells(result, "strict")["all"] == cells(result, "relaxed")["all"] == (3, 4, 0)
    assert result["judge_errors"] == []
    assert result["gap"][0]["difference"] == 0.0
    judged = result["judgements"][0]
    assert (judged["judge"], judged["gold_version"], judged["gold_as_of"]) == (
        "judge",
        1,
        "2026-03-02",
    )
    assert len(judged["prompt_hash"]) == 64 and judged["judged_at"]
    assert result["completions"] == 8 and result["tokens"] > 0


def test_responses_without_a_readable_verdict_are_unrated_and_named(
    evaluated, judge_server, tmp_path: Path
) -> None:
    judge_server.answer = lambda body: "Hard to say."
    result = evaluated(responses=str(responses_file(tmp_path)), judge="openai:judge")
    assert set(verdicts(result).values()) == {"unrated"}
    assert cells(result)["all"] == (0, 0, 4)
    assert "no verdict in 3 replies" in result["judgements"][0]["comment"]
    assert len(judge_server.requests) == 12  # three for each, and no more


def test_an_interrupted_run_resumes_without_repeating_paid_calls(
    evaluated, judge_server, town, tmp_path: Path
) -> None:
    answer, asked = judge_server.answer, []

    def until_the_quota_ends(body):
        asked.append(body)
        return answer(body) if len(asked) <= 2 else openai.quota()

    judge_server.answer = until_the_quota_ends
    settings = {
        "responses": str(responses_file(tmp_path)),
        "judge": "openai:judge",
        "key": "mine",
        "concurrency": 1,
    }
    with pytest.raises(QuotaExhausted):
        evaluated(**settings)
    assert runs.get_run(town, "mine").state == "failed"
    judge_server.answer = answer
    before = len(judge_server.requests)
    result = evaluated(**settings)
    assert len(judge_server.requests) - before == 2
    assert result["resumed"] and cells(result)["all"] == (3, 4, 0)
    assert result["completions"] == 4


def test_responses_beyond_the_budget_are_reported_and_judged_later(
    evaluated, judge_server, town, tmp_path: Path
) -> None:
    settings = {
        "responses": str(responses_file(tmp_path)),
        "judge": "openai:judge",
        "key": "thrifty",
        "concurrency": 1,
    }
    result = evaluated(**settings, budget_tokens=1)
    assert result["left"] == 3 and len(result["judgements"]) == 1
    assert runs.get_run(town, "thrifty").state == "incomplete"
    assert records.judgements(town, "thrifty:relaxed") == ()
    rest = evaluated(**settings)
    assert rest["left"] == 0 and len(rest["judgements"]) == 4
    assert len(judge_server.requests) == 4


def test_each_response_is_judged_by_the_version_in_force_on_its_date(
    evaluated, tmp_path: Path
) -> None:
    question = "Who is the mayor?"
    for day, verdict in ((OLD_DAY, "correct"), (NEW_DAY, "incorrect")):
        record = {"question": question, "response": "Ada Berg", "date": day.isoformat()}
        file = write_lines(tmp_path / f"{day}.jsonl", [record])
        result = evaluated(responses=str(file), judge="lexical", by_response_date=True)
        assert verdicts(result) == {question: verdict}
        assert result["version"] is None
    by_day = evaluated(responses=str(file), judge="lexical", as_of=OLD_DAY)
    assert by_day["version"] == 1
    assert by_day["marks"] == {"gold-changed-since": 1, "response-after-gold": 1}


def test_versions_share_one_chart_and_two_runs_are_compared(
    evaluated, town, tmp_path: Path
) -> None:
    from freshqa.evaluation.judgement import Mode
    from prefect_freshqa.tasks.recorded_evaluations import points_of

    file = str(responses_file(tmp_path))
    old = evaluated(responses=file, judge="lexical", version=1)
    new = evaluated(responses=file, judge="lexical", version=2, compare=old["evaluation"])
    all_questions = new["compared"][0]
    assert (all_questions["only_first"], all_questions["only_second"]) == (0, 1)
    assert new["golds_differ"] == 1
    series = runs.get_run(town, new["evaluation"]).settings["series"]
    points = points_of(town, series, Mode.relaxed)
    assert {point.version for point in points} == {1, 2}


def test_recorded_verdicts_and_recorded_replies_serve_as_judges(evaluated, tmp_path: Path) -> None:
    file = str(responses_file(tmp_path))
    rows = [{"question": q, "verdict": "correct"} for q in list(RESPONSES)[:2]]
    ada = write_lines(tmp_path / "ada.jsonl", rows)
    by_ada = evaluated(responses=file, judge=f"recorded:{ada}")
    assert (by_ada["judge"], cells(by_ada)["all"]) == ("recorded:ada.jsonl", (2, 2, 2))
    said = [{"question": q, "response": "Fine.\nevaluation: incorrect"} for q in RESPONSES]
    replies = write_lines(tmp_path / "replies.jsonl", said)
    assert cells(evaluated(responses=file, judge=f"recorded:{replies}"))["all"] == (0, 4, 0)


def test_without_responses_the_method_answers_the_questions(
    evaluated, judge_server, tmp_path: Path
) -> None:
    def answer(body) -> str:
        return "premise: valid\nshort answer: Eva Falk"

    judge_server.answer = answer
    searches = [
        {"question": q, "response": {"organic_results": [{"snippet": "Eva Falk is the mayor."}]}}
        for q in RESPONSES
    ]
    recording = write_lines(tmp_path / "searches.jsonl", searches)
    settings = {"search": f"recorded:{recording}", "judge": "lexical", "as_of": NEW_DAY}
    asked = evaluated(**settings, method="freshprompt", model="openai:asked")
    assert verdicts(asked)["Who is the mayor?"] == "correct"
    assert asked["responses"] == {"asked": 4, "method": "freshprompt", "model": "openai:asked"}
    assert {j["responded_on"] for j in asked["judgements"]} == {"2026-03-09"}
    searched = evaluated(**settings, method="search-only")
    assert verdicts(searched)["Who is the mayor?"] == "correct"
    assert searched["completions"] == 0


def test_a_question_that_the_provider_refuses_is_unrated(
    evaluated, judge_server, tmp_path: Path
) -> None:
    judge_server.answer = lambda body: openai.refusal()
    searches = [{"question": q, "response": {"organic_results": []}} for q in RESPONSES]
    recording = write_lines(tmp_path / "searches.jsonl", searches)
    result = evaluated(
        search=f"recorded:{recording}", model="openai:asked", judge="lexical", as_of=NEW_DAY
    )
    assert set(verdicts(result).values()) == {"unrated"}
    assert result["judgements"][0]["comment"].startswith("the model failed: ")
