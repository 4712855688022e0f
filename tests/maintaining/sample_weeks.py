"""Check the sample dataset as on the Mondays of its script, with recorded searches and replies."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from datetime import date, datetime, timezone
from typing import Any

from freshqa.answering.extraction import extract
from freshqa.answering.language_model import Completion
from freshqa.answering.response import Response
from freshqa.dataset.question import Question
from freshqa.evidence.consolidate import consolidate
from freshqa.evidence.parsing import parse
from freshqa.evidence.profile import PROFILES
from freshqa.evidence.search_engine import SearchResult
from freshqa.maintaining.proposal import CheckedQuestion
from freshqa.maintaining.recheck import recheck
from freshqa.sample import path

EXPECTED = json.loads(path("expected.json").read_text(encoding="utf-8"))


def recorded(name: str) -> dict[str, Any]:
    lines = path(name).read_text(encoding="utf-8").splitlines()
    return {record["question"]: record["response"] for record in map(json.loads, lines)}


def answers_of(week: dict[str, Any]) -> Callable[[Question], Response]:
    searches, replies = recorded(week["searches"]), recorded(week["model"])
    day = datetime.combine(date.fromisoformat(week["as_of"]), datetime.min.time(), timezone.utc)

    def respond(question: Question) -> Response:
        result = SearchResult("serpapi", question.text, searches[question.text], day)
        evidence = consolidate(
            parse(result), question=question.text, profile=PROFILES["paper-gpt4"]
        )
        reply = replies[question.text]
        said = extract(reply, question=question.text)
        return Response(
            question=question.text,
            method="freshprompt",
            text=said.text,
            answer=said.answer,
            evidence=evidence,
            searches=(result,),
            completions=(Completion(reply, "recorded", "0" * 64, day),),
            premise_rejected=said.premise_rejected,
        )

    return respond


def check_week(questions: Sequence[Question], week: dict[str, Any]) -> list[CheckedQuestion]:
    respond = answers_of(week)
    as_of = date.fromisoformat(week["as_of"])

    def check(question: Question) -> CheckedQuestion:
        return recheck(question, as_of=as_of, ask=lambda feedback, prior: respond(question))

    return [check(question) for question in questions]
