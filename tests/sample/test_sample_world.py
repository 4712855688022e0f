"""The files of the sample dataset are consistent with one another and with the rules."""

from __future__ import annotations

import json
import re
from collections import Counter
from datetime import date, datetime
from typing import Any
from urllib.parse import urlsplit

import pytest

from freshqa.dataset.identity import match
from freshqa.dataset.question import Question
from freshqa.dataset.release import read_release
from freshqa.errors import NotFound
from freshqa.sample import path
from prefect_freshqa.expectations.gate import validate

EXPECTED = json.loads(path("expected.json").read_text(encoding="utf-8"))
WEEKS = EXPECTED["refreshes"]
PREFIX = re.compile(r"As of today \w+ \d+, \d{4}, .* is as follows\. (.*?)\.?$")


@pytest.fixture(scope="module")
def questions() -> dict[str, Question]:
    return {q.text: q for q in read_release(path(EXPECTED["release"])).questions}


def records(name: str) -> dict[str, Any]:
    lines = path(name).read_text(encoding="utf-8").splitlines()
    pairs = [(record["question"], record["response"]) for record in map(json.loads, lines)]
    assert len(pairs) == len(dict(pairs)), f"{name} holds a question twice"
    return dict(pairs)


def reply(response: str) -> str:
    match = PREFIX.fullmatch(response)
    assert match, response
    return match[1]


def test_the_release_is_undamaged_and_breaks_no_rule() -> None:
    release = read_release(path("release.csv"))
    assert (release.findings, release.warnings) == ((), ())
    keyed = match(release.questions, ()).questions
    report = validate(keyed, as_of=date.fromisoformat(EXPECTED["as_of"]))
    assert (report.success, report.errors, report.warnings) == (True, (), ())


def test_every_kind_of_question_exists(questions: dict[str, Question]) -> None:
    assert len(questions) == EXPECTED["questions"] >= 40
    kinds = Counter((q.fact_type, q.false_premise) for q in questions.values())
    assert {fact_type for fact_type, _ in kinds} == {
        "never-changing",
        "slow-changing",
        "fast-changing",
    }
    assert sum(n for (_, false_premise), n in kinds.items() if false_premise) >= 8
    assert sum(q.multi_hop for q in questions.values()) >= 6
    assert {q.fields["split"] for q in questions.values()} == {"TEST", "DEV"}


@pytest.mark.parametrize("week", WEEKS, ids=lambda week: week["as_of"])
class TestEachWeek:
    def test_every_question_was_searched_and_answered(
        self, week: dict[str, Any], questions: dict[str, Question]
    ) -> None:
        assert set(records(week["searches"])) == set(questions)
        assert set(records(week["model"])) == set(questions)

    def test_searches_are_what_serpapi_sends_that_day(self, week: dict[str, Any]) -> None:
        for question, body in records(week["searches"]).items():
            assert body["search_metadata"]["status"] == "Success"
            assert body["search_metadata"]["created_at"].startswith(f"{week['as_of']} ")
            assert body["search_parameters"]["q"] == question
            positions = [hit["position"] for hit in body["organic_results"]]
            assert positions == list(range(1, len(positions) + 1))

    def test_every_address_is_reserved_for_examples(self, week: dict[str, Any]) -> None:
        text = path(week["searches"]).read_text(encoding="utf-8")
        hosts = {urlsplit(url).hostname for url in re.findall(r'https?://[^\s"]+', text)}
        assert [host for host in hosts if not str(host).endswith(".example")] == []

    def test_replies_are_supported_by_the_evidence(
        self, week: dict[str, Any], questions: dict[str, Question]
    ) -> None:
        searches = records(week["searches"])
        unsupported = [
            (question, answer)
            for question, answer in (
                (q, reply(response)) for q, response in records(week["model"]).items()
            )
            if week["notable"].get(question, {}).get("outcome") != "insufficient"
            and answer.split(";")[0].casefold()
            not in json.dumps(searches[question], ensure_ascii=False).casefold()
            and not questions[question].false_premise
        ]
        assert unsupported == []

    def test_rebuttals_are_those_of_the_release(
        self, week: dict[str, Any], questions: dict[str, Question]
    ) -> None:
        rebuttals = {
            text: reply(response)
            for text, response in records(week["model"]).items()
            if questions[text].false_premise and not any(text in each["notable"] for each in WEEKS)
        }
        assert rebuttals
        assert rebuttals == {text: questions[text].primary.rstrip(".") for text in rebuttals}

    def test_the_expected_outcomes_add_up(
        self, week: dict[str, Any], questions: dict[str, Question]
    ) -> None:
        notable = Counter(item["outcome"] for item in week["notable"].values())
        unchanged = len(questions) - sum(notable.values())
        assert week["outcomes"] == dict(sorted({**notable, "unchanged": unchanged}.items()))
        assert set(week["notable"]) <= set(questions)


def test_unchanged_answers_of_the_first_week_equal_the_release(
    questions: dict[str, Question],
) -> None:
    replies = records(WEEKS[0]["model"])
    different = [
        text
        for text, question in questions.items()
        if text not in WEEKS[0]["notable"]
        and reply(replies[text]).casefold()
        not in [answer.casefold().rstrip(".") for answer in question.answers]
    ]
    assert different == []


def test_the_second_week_differs_only_where_documented() -> None:
    first, second = (records(week["model"]) for week in WEEKS)
    moved = {text for text in first if reply(first[text]) != reply(second[text])}
    # The heron count was right before it was official; the reply is the same, the evidence is not.
    herons = {"How many ash herons were counted in the latest winter count?"}
    assert moved == (set(WEEKS[1]["notable"]) - herons) | set(WEEKS[0]["reject"])


def test_evidence_is_never_from_the_future() -> None:
    for week in WEEKS:
        hits = [
            hit for body in records(week["searches"]).values() for hit in body["organic_results"]
        ]
        dated = [hit["date"] for hit in hits if "date" in hit and not hit["date"].endswith(" ago")]
        newest = max(datetime.strptime(text, "%b %d, %Y").date() for text in dated)
        assert newest <= date.fromisoformat(week["as_of"])


def test_a_missing_file_is_named_with_those_that_exist() -> None:
    with pytest.raises(NotFound, match=r"release\.csv"):
        path("relaese.csv")
