"""Documented and reported errors of chat completion servers are classified correctly."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from servers.openai_server import OpenAIServer, completion
from servers.scripted_server import Reply

from freshqa.answering.language_model import Message
from prefect_freshqa.blocks import OpenAIModel
from prefect_freshqa.blocks.openai_client import Endpoint, complete
from prefect_freshqa.blocks.openai_parameters import ParameterMemory
from prefect_freshqa.blocks.provider_dialects import meaning_of, said_by, wait_in

CASES = json.loads(Path(__file__).with_name("provider_errors.json").read_text("utf-8"))["cases"]
SERVERS = {"OpenAI", "Azure", "OpenRouter", "Gemini", "Anthropic", "Mistral", "Groq", "vLLM",
           "llama.cpp", "Ollama", "LM Studio", "TGI", "DeepSeek"}  # fmt: skip
CHAT = [Message("system", "Be brief."), Message("user", "hello")]


@pytest.mark.parametrize("case", CASES, ids=lambda c: f"{c['who']}-{c['status']}-{c['meaning']}")
def test_each_documented_error_raises_the_matching_class(case: dict[str, Any]) -> None:
    said = said_by(case["body"])
    assert meaning_of(case["status"], said).value == case["meaning"]
    assert wait_in(said) == case.get("wait")


def test_every_server_is_covered() -> None:
    assert {case["who"] for case in CASES} >= SERVERS
    assert all(case["source"].startswith("https://") for case in CASES)


def test_the_changelog_states_the_number_of_errors_and_servers() -> None:
    servers = [case["who"] for case in CASES if case["who"] != "any"]
    changes = Path(__file__).parents[2].joinpath("CHANGELOG.md").read_text("utf-8")
    figure = f"{len(servers)} documented and reported errors of {len(set(servers))} servers"
    assert figure in changes


def test_a_refused_parameter_is_learned_from_its_location_in_the_body() -> None:
    (case,) = (case for case in CASES if case["who"] == "Mistral" and case["status"] == 422)
    memory, sent = ParameterMemory(), {"messages": [], "max_completion_tokens": 8192}
    assert memory.learn(("u", "m"), sent, said_by(case["body"]))
    assert memory.fitting(("u", "m"), sent) == {"messages": []}


@pytest.mark.parametrize(
    ("status", "words", "meaning"),
    [
        (413, "Payload Too Large", "context overflow"),
        (413, "request_too_large: Request exceeds the maximum allowed number of bytes.", "context overflow"),
        (400, "input length and `max_tokens` exceed context limit: 199000 + 20000 > 200000", "context overflow"),
        (400, "Input tokens exceed the configured limit of 272000 tokens.", "context overflow"),
        (429, "Throttling: Too many tokens, please wait before trying again.", "minute limit"),
        (429, ("RateLimitReached: Rate limit of 150 per 86400s exceeded for UserByModelByDay. "
         "Please wait 4000 seconds before retrying."), "quota exhausted"),
        (429, ("RateLimitReached: Rate limit of 10 per 60s exceeded for UserByModelByMinute. "
         "Please wait 12 seconds before retrying."), "minute limit"),
        (429, "You have reached your weekly limit.", "quota exhausted"),
        (403, "Key limit exceeded (total limit).", "quota exhausted"),
        (403, "You don't have access to the model with the specified model ID.", "missing model"),
        (422, "role: Input should be 'user' or 'assistant'", "refused role"),
        (400, "unknown variant `system`, expected one of `user`, `assistant`", "refused role"),
        (400, "System message must be at the beginning.", "refused role"),
    ],
)  # fmt: skip
def test_other_wordings_of_the_same_errors_are_recognised(
    status: int, words: str, meaning: str
) -> None:
    assert meaning_of(status, words).value == meaning


def test_a_wait_in_a_field_of_the_body_is_read() -> None:
    assert wait_in(said_by({"error": {"message": "slow down", "retry_after": 3}})) == 3


@pytest.mark.parametrize(
    ("words", "seconds"),
    [
        ("Please try again in 6m0s.", 360),
        ("try again in 1h2m3.5s", 3723.5),
        ("Please try again in 250ms.", 0.25),
        ("Please retry after 26 seconds.", 26),
        ("retryDelay 41s", 41),
        ("Try again in 1 hour.", 3600),
        ("Please try again later.", None),
        ("in 5 minutes; retry in 5 minutes", 300),
    ],
)
def test_waits_written_in_words_are_read(words: str, seconds: float | None) -> None:
    assert wait_in(words) == seconds


@pytest.mark.parametrize(
    "words",
    [
        "invalid temperature: only 1 is allowed for this model",
        "Invalid params: temperature must be in range (0, +inf)",
        "Input validation error: `temperature` must be strictly positive",
        "Unsupported value: 'temperature' does not support 0 with this model.",
        "temperature: Input should be greater than 0",
        "`temperature` is deprecated for this model",
        "The parameter temperature can only be 1",
    ],
)
def test_a_refused_temperature_is_learned_from_any_wording(words: str) -> None:
    memory, sent = ParameterMemory(), {"messages": [], "temperature": 0.0}
    assert memory.learn(("u", "m"), sent, words)
    assert "temperature" not in memory.fitting(("u", "m"), sent)


def test_a_refused_system_message_is_put_before_the_first_user_message(
    openai_server: OpenAIServer,
) -> None:
    def answer(body: Any) -> str | Reply:
        if any(message["role"] == "system" for message in body["messages"]):
            return Reply(400, {"object": "error", "message": "System role not supported"})
        return "Paris"

    openai_server.answer = answer
    model = OpenAIModel(model="gemma", base_url=openai_server.base_url, max_retries=0).get_model()
    assert model.complete(CHAT).text == "Paris"
    assert openai_server.requests[-1].body["messages"] == [
        {"role": "user", "content": "Be brief.\n\nhello"}
    ]
    assert model.complete(CHAT).text == "Paris"
    assert len(openai_server.requests) == 3, "the second call knows"


def test_a_wait_stated_in_the_body_is_respected(openai_server: OpenAIServer) -> None:
    slept: list[float] = []
    gemini = next(c for c in CASES if c["who"] == "Gemini" and c["meaning"] == "minute limit")
    openai_server.script(Reply(429, gemini["body"]))
    endpoint = Endpoint("m", base_url=openai_server.base_url)
    body = complete(endpoint, {"messages": [{"role": "user", "content": "x"}]}, sleep=slept.append)
    assert body["choices"] and slept == [2.3]


def test_a_reasoning_model_gets_a_larger_token_limit_after_the_first_call(
    openai_server: OpenAIServer,
) -> None:
    def answer(body: Any) -> str | Reply:
        if body["max_tokens"] >= 2000:
            return "evaluation: correct"
        return completion(None, finish_reason="length", reasoning_content="We need to")

    openai_server.answer = answer
    url = openai_server.base_url
    model = OpenAIModel(model="reasons", base_url=url, max_retries=0).get_model()
    assert model.complete(CHAT, max_tokens=256).text == "evaluation: correct"
    assert model.complete(CHAT, max_tokens=256).text == "evaluation: correct"
    limits = [request.body["max_tokens"] for request in openai_server.requests]
    assert limits == [256, 4096, 4096]


def test_limit_and_effort_are_settings_of_the_model(openai_server: OpenAIServer) -> None:
    block = OpenAIModel(
        model="set", base_url=openai_server.base_url, max_tokens=3000, reasoning_effort="low"
    )
    block.get_model().complete(CHAT, max_tokens=256)
    sent = openai_server.requests[-1].body
    assert (sent["max_tokens"], sent["reasoning_effort"]) == (3000, "low")
