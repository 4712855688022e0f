"""Ten questions of the demo with a real language model: the protocol is tested, quality is printed.

    make live

These tests are not part of the default run. They do not assert what a model says, only that its
replies are counted, bounded and read safely.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from datetime import date, timedelta

import pytest
from live.local_model import Served, missing, served_model
from sqlalchemy import select

from freshqa import sample
from freshqa.answering.budget import Budget
from freshqa.answering.find_json import read_json
from freshqa.answering.freshprompt import ask_within_context
from freshqa.answering.language_model import LanguageModel, Message
from freshqa.answering.metered import MeteredModel
from freshqa.answering.methods import answer
from freshqa.answering.response import Response
from freshqa.answering.settings import AnswerSettings
from freshqa.checking.find_answer import find
from freshqa.dataset.question import Question
from freshqa.dataset.release import read_release
from freshqa.errors import BudgetExhausted, CredentialsError, FreshQAError, NotFound
from freshqa.evaluation.fresheval import judge_response
from freshqa.evaluation.judgement import Judgement, Mode
from freshqa.evidence.evidence import Evidence, EvidenceKind
from freshqa.evidence.search_engine import SearchEngine, SearchResult
from freshqa.store import ledger_schema
from freshqa.store.cache import CachedModel
from freshqa.store.database import Store
from prefect_freshqa.blocks import RecordedSearch
from prefect_freshqa.tasks.cached_providers import clock

pytestmark = [
    pytest.mark.live,
    pytest.mark.timeout(3600),
    pytest.mark.skipif(not os.environ.get("FRESHQA_LIVE"), reason="live: run `make live`"),
]
AS_OF = date(2026, 3, 9)
SHORT = AnswerSettings(demonstrations=2, max_tokens=60, follow_ups=2)
"""Small enough for a small model on two cores."""


class Searches:
    """The sample world's searches; a question that the model makes up finds nothing."""

    name = "sample"

    def __init__(self) -> None:
        path = sample.path("searches-2026-03-09.jsonl")
        self._engine: SearchEngine = RecordedSearch(path=str(path)).get_engine()
        self._template = self._engine.search("Who is the president of Orlune?", as_of=AS_OF)

    def search(self, query: str, *, as_of: date) -> SearchResult:
        try:
            return self._engine.search(query, as_of=as_of)
        except NotFound:
            at = self._template.fetched_at
            return SearchResult("serpapi", query, {"organic_results": []}, at, reused=True)


@pytest.fixture(scope="module")
def served() -> Iterator[Served]:
    if reason := missing():
        pytest.skip(f"live: {reason}")
    with served_model() as model:
        yield model


@pytest.fixture
def model(served: Served) -> LanguageModel:
    return served.block.get_model()


@pytest.fixture(scope="module")
def questions() -> list[Question]:
    asked = read_release(sample.path("release.csv")).questions
    one_hop = [q for q in asked if not q.multi_hop and not q.false_premise][:6]
    return [
        *one_hop,
        *[q for q in asked if q.false_premise][:2],
        *[q for q in asked if q.multi_hop][:2],
    ]


def report(method: str, question: Question, response: Response) -> None:
    held = any(find(stored, response.text) for stored in question.answers)
    said = " ".join(response.text.split())[:100]
    print(f"{method:11} {'holds' if held else '-----'} {question.text} → {said}")


def check(response: Response) -> None:
    """What holds of every response, however bad the model."""
    for completion in response.completions:
        assert completion.usage.prompt_tokens > 0 and completion.usage.completion_tokens > 0
        assert completion.finish_reason in ("stop", "length")
        assert completion.text and completion.prompt_hash and completion.raw
    assert response.text
    assert response.tokens == sum(c.usage.total for c in response.completions)


@pytest.mark.parametrize("method", ["freshprompt", "self-ask"])
def test_ten_questions_are_answered(
    model: LanguageModel, questions: list[Question], method: str
) -> None:
    assert len(questions) == 10
    for question in questions:
        response = answer(
            question.text,
            method=method,
            as_of=AS_OF,
            search=Searches(),
            model=model,
            settings=SHORT,
            multi_hop=question.multi_hop,
        )
        check(response)
        assert len(response.completions) <= SHORT.follow_ups + 2
        report(method, question, response)


def test_verdicts_are_read_safely_and_paid_once(
    served: Served, questions: list[Question], sqlite_url: str
) -> None:
    store = Store.open(sqlite_url, create=True)
    cases = [(question, question.primary) for question in questions[:5]]
    cases += [(question, "Nobody knows.") for question in questions[5:]]

    def judged_by(engine: LanguageModel, budget: Budget) -> list[Judgement]:
        judge = CachedModel(engine, store, None, now=clock, window=timedelta(1), budget=budget)
        return [
            judge_response(question, response, mode=Mode.relaxed, judge=judge, retries=0)
            for question, response in cases
        ]

    budget = Budget()
    judged = judged_by(served.block.get_model(), budget)
    for judgement in judged:
        check_judgement(judgement)
    verdicts = [judgement.verdict for judgement in judged]
    print("judge:", {v.value: verdicts.count(v) for v in set(verdicts)}, "of 5 right, 5 wrong")
    with store.read() as connection:
        held = set(connection.execute(select(ledger_schema.completion.c.prompt_hash)).scalars())
    assert held == {judgement.prompt_hash for judgement in judged} and len(held) == 10
    assert budget.spent.completions == 10
    assert budget.spent.tokens == sum(judgement.tokens for judgement in judged)

    broke = Budget(tokens=0)  # the ledger gives all of it again, and nothing new is begun
    assert [
        judgement.verdict for judgement in judged_by(served.block.get_model(), broke)
    ] == verdicts
    cases.append((questions[0], "Somebody else."))
    with pytest.raises(BudgetExhausted):
        judged_by(served.block.get_model(), broke)


def check_judgement(judgement: Judgement) -> None:
    """A verdict stands in the judge's own words; a reply without one is counted as unrated."""
    (reply,) = judgement.completions
    assert judgement.attempts == 1 and judgement.tokens == reply.usage.total > 0
    if judgement.rated:
        own = reply.text.lower()
        word = judgement.verdict.value
        assert f"evaluation: {word}" in own.replace("*", "") or "credited" in own
    else:
        assert judgement.comment.startswith("no verdict in 1 replies")


def test_a_prompt_that_overflows_is_shortened(served: Served, model: LanguageModel) -> None:
    if not served.context_tokens:
        pytest.skip("live: the context of OPENAI_BASE_URL is not known")
    words = " ".join(f"x{n}q" for n in range(served.context_tokens // 12))
    evidence = [
        Evidence(
            EvidenceKind.organic, title=f"Orlune {n}", snippet=f"president {n} {words}", rank=n
        )
        for n in range(1, 11)
    ]
    completion, kept = ask_within_context(
        "Who is the president of Orlune?", evidence, as_of=AS_OF, model=model, settings=SHORT
    )
    assert 1 <= len(kept) < 10
    assert completion.usage.prompt_tokens <= served.context_tokens


def test_a_budget_stops_the_work(served: Served, questions: list[Question]) -> None:
    budget = Budget(tokens=1500)
    metered = MeteredModel(served.block.get_model(), budget)
    answered = 0
    with pytest.raises(BudgetExhausted):
        for question in questions:
            answer(
                question.text,
                method="freshprompt",
                as_of=AS_OF,
                search=Searches(),
                model=metered,
                settings=SHORT,
            )
            answered += 1
    assert 1 <= answered < len(questions)
    assert budget.spent.tokens > 0
    assert budget.spent.usd > 0 or not served.block.prompt_usd_per_million


def test_a_reply_follows_the_schema_or_is_read_as_no_answer(model: LanguageModel) -> None:
    schema = {
        "type": "object",
        "properties": {"answer": {"type": "string", "maxLength": 40}},
        "required": ["answer"],
        "additionalProperties": False,
    }
    asked = [Message("user", "The mayor is Cleo Waffle. Who is the mayor? Reply in JSON.")]
    completion = model.complete(asked, max_tokens=80, schema=schema)
    record = read_json(completion.text)
    print("schema:", record)
    assert record is None or isinstance(record, dict)


def test_a_wrong_key_raises_credentials_error(served: Served) -> None:
    if not served.context_tokens:
        pytest.skip("live: whether OPENAI_BASE_URL needs a key is not known")
    wrong = served.block.model_copy(update={"api_key": None}).get_model()
    with pytest.raises(CredentialsError):
        wrong.complete([Message("user", "hello")])


def test_a_reply_that_is_cut_is_still_counted(model: LanguageModel) -> None:
    try:
        completion = model.complete([Message("user", "Count from 1 to 100.")], max_tokens=3)
    except FreshQAError as failure:  # a reasoning model has written nothing yet
        assert "used up its tokens" in failure.message
    else:
        assert completion.finish_reason == "length"
        assert completion.usage.completion_tokens <= 3
