"""`OpenAIModel` against a loopback server with every known fault."""

from __future__ import annotations

import json
import pickle
import time
import traceback
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from typing import Any

import pytest
from pydantic import ValidationError
from servers import openai_server as openai
from servers.openai_server import OpenAIServer
from servers.scripted_server import Reply

from freshqa.answering.budget import Budget, Spent
from freshqa.answering.failures import EmptyReply, MalformedReply, ModelRefused, ReplyCutShort
from freshqa.answering.language_model import Message, Usage
from freshqa.answering.metered import MeteredModel
from freshqa.errors import (
    ContextOverflow,
    CredentialsError,
    FreshQAError,
    ProviderError,
    ProviderRejected,
    QuotaExhausted,
)
from prefect_freshqa.blocks import OpenAIModel
from prefect_freshqa.blocks.openai_client import Endpoint, complete, connection

HELLO = [Message("user", "hello")]
KEY = "sk-secret-0123456789abcdef"


def model(server: OpenAIServer, **settings: Any) -> Any:
    settings = {"model": "m", "base_url": server.base_url, "max_retries": 0, **settings}
    return OpenAIModel(**settings).get_model()


def endpoint(server: OpenAIServer, **settings: Any) -> Endpoint:
    return Endpoint(**{"model": "m", "base_url": server.base_url, "retries": 3, **settings})


ONCE = [
    (
        Reply(200, {"error": "Unexpected endpoint or method. (POST /chat/completions)"}),
        ProviderRejected,
        "returned an error: Unexpected endpoint",  # LM Studio, which sends it with a 200
    ),
    (openai.refusal("No."), ModelRefused, "refuses: No."),
    (openai.no_content("content_filter"), ModelRefused, "filtered"),
    (openai.content_filter(), ModelRefused, "content_filter"),
    (openai.no_content("length"), ReplyCutShort, "used up its tokens"),
    (openai.completion("<think>long thoughts", finish_reason="length"), ReplyCutShort, "used up"),
    (openai.completion("[THINK]thoughts", finish_reason="MAX_TOKENS"), ReplyCutShort, "used up"),
    (
        openai.completion("<|channel|>analysis<|message|>x", finish_reason="model_length"),
        ReplyCutShort,
        "used up",
    ),
    (openai.completion("Half an", finish_reason="content_filter"), ModelRefused, "was filtered"),
    (openai.completion("Half an", finish_reason="SAFETY"), ModelRefused, "was filtered"),
    (openai.completion("Half an", finish_reason="sensitive"), ModelRefused, "was filtered"),
    (openai.quota(), QuotaExhausted, "insufficient_quota"),
    (openai.error(401, "Incorrect API key", code="invalid_api_key"), CredentialsError, "401"),
    (openai.error(403, "No access to this model", code=None), CredentialsError, "403"),
    (
        openai.error(404, "The model does not exist", code="model_not_found"),
        ProviderRejected,
        "404",
    ),
    (openai.flat_error("vllm", "temperature must be non-negative"), ProviderRejected, "non-neg"),
    (openai.flat_error("ollama", "invalid message role"), ProviderRejected, "invalid message role"),
    (openai.error(422, "bad value", code=None), ProviderRejected, "422"),
    (openai.context_overflow("openai"), ContextOverflow, "context_length_exceeded"),
    (openai.context_overflow("llama.cpp"), ContextOverflow, "context size"),
    (openai.context_overflow("vllm"), ContextOverflow, "maximum context length"),
    (openai.context_overflow("ollama"), ContextOverflow, "context length"),
]
AGAIN = [
    (openai.rate_limited(), ProviderError, "429"),
    (openai.server_error(500), ProviderError, "500"),
    (openai.server_error(503), ProviderError, "503"),
    (openai.html(502), ProviderError, "an HTML page"),
    (openai.html(200), MalformedReply, "sent HTML"),
    (openai.wrong_json(), MalformedReply, "not JSON"),
    (openai.wrong_json("[1, 2]"), MalformedReply, "did not return a JSON object"),
    (openai.wrong_json("null"), MalformedReply, "did not return a JSON object"),
    (openai.wrong_json({"choices": [{"text": "old style"}]}), MalformedReply, "without a message"),
    (openai.no_choices([]), EmptyReply, "without choices"),
    (openai.no_choices(None), EmptyReply, "without choices"),
    (openai.no_content(), EmptyReply, "empty reply"),
    (
        openai.wrong_json(
            {"choices": [{"message": {"content": None, "reasoning_content": "Ada Voss."}}]}
        ),
        EmptyReply,
        "only in reasoning_content",
    ),
    (openai.completion("  "), EmptyReply, "empty reply"),
    (openai.completion("<|channel|>analysis<|message|>x"), EmptyReply, "empty reply"),
    (openai.error_with_200(), ProviderError, "upstream failed"),
    (openai.completion("Half an", finish_reason="error"), ProviderError, "broke off its reply"),
    (openai.completion("Half", finish_reason="network_error"), ProviderError, "broke off"),
    (
        openai.completion("Half", finish_reason="insufficient_system_resource"),
        ProviderError,
        "broke off",
    ),
    (openai.completion("Half", finish_reason="abort"), ProviderError, "broke off"),
    (openai.broken_off("Half an"), ProviderError, "broke off"),
    (Reply(body=""), MalformedReply, "not JSON"),
    (openai.truncated(), ProviderError, "Model m at 127.0.0.1"),
    (Reply(drop=True), ProviderError, "cannot be reached"),
]


def case_id(value: Any) -> str | None:
    return value.replace(" ", "-") if isinstance(value, str) else ""


@pytest.mark.parametrize("answered", [False, True], ids=["first request", "later request"])
@pytest.mark.parametrize(("reply", "kind", "said"), ONCE, ids=case_id)
def test_a_permanent_failure_is_raised_at_once_as_its_own_error_class(
    openai_server: OpenAIServer,
    reply: Reply,
    kind: type[FreshQAError],
    said: str,
    answered: bool,
):
    asked = endpoint(openai_server, max_tokens=5)
    if answered:
        complete(asked, HELLO_BODY)
    openai_server.requests.clear()
    openai_server.always(reply)
    with pytest.raises(kind, match=said) as raised:
        complete(asked, {"messages": [], "max_tokens": 5})
    assert not raised.value.retryable and type(raised.value) is kind
    assert len(openai_server.requests) == 1


@pytest.mark.parametrize("azure", [False, True], ids=["OpenAI", "Azure"])
def test_a_later_request_differs_from_the_first_in_its_body_alone(
    openai_server: OpenAIServer, azure: bool
):
    where = {"base_url": openai_server.base_url}
    if azure:
        where = {"azure_endpoint": openai_server.url, "azure_version": "2024-10-21"}
    asked = Endpoint(model="m", key=KEY, **where)
    for content in ("hello", "hello", "guten Tag 😀"):
        body = {"messages": [{"role": "user", "content": content}], "max_tokens": 7}
        complete(asked, {**body, "temperature": 0.0})
    first, second, other = openai_server.requests
    assert (second.path, second.query, second.body) == (first.path, first.query, first.body)
    assert second.headers == first.headers
    assert other.body["messages"][0]["content"] == "guten Tag 😀"
    length = {"content-length": other.headers["content-length"]}
    assert other.headers == {**first.headers, **length}


def test_a_later_request_says_who_is_not_there(openai_server: OpenAIServer):
    asked = endpoint(openai_server, retries=0, timeout=1.0)
    complete(asked, HELLO_BODY)
    for reply, said in ((Reply(drop=True), "cannot be reached"), (Reply(delay=30), "in time")):
        openai_server.always(reply)
        with pytest.raises(ProviderError, match=said):
            complete(asked, HELLO_BODY)


@pytest.mark.parametrize(("reply", "kind", "said"), AGAIN, ids=case_id)
def test_a_temporary_failure_is_retried_and_then_raised_as_its_own_error_class(
    openai_server: OpenAIServer, reply: Reply, kind: type[FreshQAError], said: str
):
    slept: list[float] = []
    openai_server.always(reply)
    with pytest.raises(kind, match=said) as raised:
        complete(endpoint(openai_server, retries=2), {"messages": []}, sleep=slept.append)
    assert raised.value.retryable and type(raised.value) is kind
    assert len(openai_server.requests) == 3
    assert 0.25 <= slept[0] <= 0.5 <= slept[1] <= 1.0
    openai_server.always(None)
    openai_server.script(reply)
    body = complete(endpoint(openai_server), HELLO_BODY, sleep=slept.append)
    assert body["choices"][0]["message"]["content"] == "Paris"


HELLO_BODY: dict[str, Any] = {"messages": [{"role": "user", "content": "hello"}]}


@pytest.mark.parametrize(
    ("asked", "slept", "requests"), [("2", [2.0], 2), ("0", [0.0], 2), ("300", [], 1)]
)
def test_a_retry_after_beyond_the_deadline_ends_the_call(
    openai_server: OpenAIServer, asked: str, slept: list[float], requests: int
):
    waited: list[float] = []
    openai_server.script(openai.rate_limited(asked))
    if requests == 1:
        with pytest.raises(ProviderError, match="429"):
            complete(endpoint(openai_server), HELLO_BODY, sleep=waited.append)
    else:
        complete(endpoint(openai_server), HELLO_BODY, sleep=waited.append)
    assert waited == slept and len(openai_server.requests) == requests


@pytest.mark.parametrize(
    "reply", [Reply(delay=30), Reply(body=openai.completion("x" * 400).payload, drip=0.05)]
)
def test_silent_and_slow_replies_end_at_the_deadline(openai_server: OpenAIServer, reply: Reply):
    openai_server.always(reply)
    started = time.monotonic()
    with pytest.raises(ProviderError, match="did not answer in time"):
        model(openai_server, timeout_seconds=0.5).complete(HELLO)
    assert time.monotonic() - started < 15


def test_an_unreachable_server_is_named_without_a_client_traceback():
    with pytest.raises(
        ProviderError, match=r"Model m at 127\.0\.0\.1:9 cannot be reached"
    ) as raised:
        OpenAIModel(
            model="m", base_url="http://127.0.0.1:9/v1", max_retries=0
        ).get_model().complete(HELLO)
    assert raised.value.__cause__ is None and raised.value.__context__ is None


@pytest.mark.parametrize(
    "reply",
    [
        openai.error(401, f"Incorrect API key provided: {KEY}.", code="invalid_api_key"),
        openai.error(500, f"Authorization: Bearer {KEY}", code=None),
        openai.error(400, "header api-key=abcdef0123456789 refused", code=None),
        openai.refusal(f"I will not use {KEY}"),
        Reply(drop=True),
        openai.html(200),
    ],
    ids=range(6),
)
def test_errors_do_not_contain_the_key_and_can_be_pickled(
    openai_server: OpenAIServer, reply: Reply
):
    openai_server.always(reply)
    asked = model(openai_server, api_key=KEY)
    with pytest.raises(FreshQAError) as raised:
        asked.complete(HELLO)
    shown = "".join(traceback.format_exception(raised.value)) + repr(asked.endpoint) + str(asked)
    assert KEY not in shown and "abcdef0123456789" not in shown
    again = pickle.loads(pickle.dumps(raised.value))
    assert type(again) is type(raised.value) and again.message == raised.value.message
    assert openai_server.requests[0].headers["authorization"] == f"Bearer {KEY}"


def test_the_model_is_picklable_and_blocks_hide_the_key(openai_server: OpenAIServer):
    block = OpenAIModel(model="m", base_url=openai_server.base_url, api_key=KEY)
    assert KEY not in repr(block) and KEY not in block.model_dump_json()
    copy = pickle.loads(pickle.dumps(block.get_model()))
    assert copy.complete(HELLO).text == "Paris"


def test_refused_parameters_are_renamed_or_dropped_and_remembered(openai_server: OpenAIServer):
    openai_server.unsupported = {"max_tokens", "temperature"}
    asked = model(openai_server)
    assert asked.complete(HELLO, max_tokens=77).text == "Paris"
    assert len(openai_server.requests) == 3
    assert asked.complete(HELLO, max_tokens=77).text == "Paris"
    assert len(openai_server.requests) == 4, "the second call knows"
    last = openai_server.requests[-1].body
    assert last["max_completion_tokens"] == 77
    assert "max_tokens" not in last and "temperature" not in last
    assert model(openai_server, model="other").complete(HELLO).model == "other"
    assert "temperature" in openai_server.requests[4].body, "another model is tried afresh"


def test_a_schema_is_sent_and_dropped_if_the_server_does_not_support_it(
    openai_server: OpenAIServer,
):
    schema = {"type": "object", "properties": {"a": {"type": "string"}}}
    asked = model(openai_server)
    asked.complete(HELLO, schema=schema)
    wanted = openai_server.requests[0].body["response_format"]
    assert wanted["json_schema"]["schema"] == schema
    openai_server.unsupported = {"response_format"}
    assert asked.complete(HELLO, schema=schema).text == "Paris"
    assert "response_format" not in openai_server.requests[-1].body
    assert openai_server.requests[-2].body["response_format"] == {"type": "json_object"}


def test_an_endpoint_that_refuses_every_request_is_asked_twice(openai_server: OpenAIServer):
    openai_server.always(openai.unsupported("temperature"))
    with pytest.raises(ProviderRejected, match="temperature"):
        model(openai_server).complete(HELLO)
    assert len(openai_server.requests) == 2


def test_usage_and_money_are_counted_and_missing_usage_is_zero(openai_server: OpenAIServer):
    asked = model(
        openai_server, prompt_usd_per_million="2.50", completion_usd_per_million=Decimal(10)
    )
    openai_server.script(openai.completion("x" * 40))
    priced = asked.complete(HELLO)
    assert priced.usage == Usage(10, 10)
    assert priced.cost_usd == Decimal("0.000125")
    openai_server.usage = False
    assert asked.complete(HELLO).usage == Usage(0, 0)
    assert asked.complete(HELLO).cost_usd == 0


def test_text_parts_are_joined(openai_server: OpenAIServer):
    parts = [{"type": "text", "text": "Pa"}, {"type": "text", "text": "ris"}, {"type": "image"}]
    openai_server.script(openai.completion(parts))
    assert model(openai_server).complete(HELLO).text == "Paris"


@pytest.mark.parametrize("kind", ["thinking", "reasoning", "reasoning.text", "redacted_thinking"])
def test_reasoning_parts_are_left_out_of_the_text(openai_server: OpenAIServer, kind: str):
    thought = {"type": kind, "text": "It was Rome. ", "thinking": [{"type": "text", "text": "x"}]}
    openai_server.script(openai.completion([thought, {"type": "text", "text": "Paris"}]))
    assert model(openai_server).complete(HELLO).text == "Paris"


@pytest.mark.parametrize("reason", ["length", "MAX_TOKENS", "model_length", "max_output_tokens"])
def test_a_reply_with_text_cut_at_the_token_limit_is_marked_as_cut(
    openai_server: OpenAIServer, reason: str
):
    openai_server.script(openai.completion("Ada Voss led Orlune until", finish_reason=reason))
    completion = model(openai_server).complete(HELLO)
    assert completion.cut and completion.finish_reason == "length"


@pytest.mark.parametrize("reason", ["stop", "eos", "eos_token", "end_turn", "COMPLETE", "", None])
def test_a_complete_reply_is_not_marked_as_cut(openai_server: OpenAIServer, reason: Any):
    openai_server.script(openai.completion("Paris", finish_reason=reason))
    assert not model(openai_server).complete(HELLO).cut


def test_lone_surrogates_and_nul_are_replaced_in_text_and_body(openai_server: OpenAIServer):
    body = json.dumps(openai.completion("It is \ud83d 12\0. \U0001f600").body)
    openai_server.script(Reply(body=body))
    completion = model(openai_server).complete(HELLO)
    assert completion.text == "It is \N{REPLACEMENT CHARACTER} 12. \U0001f600"
    assert json.dumps(completion.raw, ensure_ascii=False).encode("utf-8")


def test_azure_requests_use_its_path_and_header(openai_server: OpenAIServer):
    block = OpenAIModel(model="deployed", api_key=KEY, azure_endpoint=openai_server.url)
    assert block.get_model().complete(HELLO).text == "Paris"
    request = openai_server.requests[0]
    assert request.path == "/openai/deployments/deployed/chat/completions"
    assert request.query == {"api-version": "2024-10-21"}
    assert request.headers["api-key"] == KEY


def test_base_url_and_azure_endpoint_are_mutually_exclusive():
    with pytest.raises(ValidationError, match="base_url or azure_endpoint, not both"):
        OpenAIModel(model="m", base_url="http://a/v1", azure_endpoint="http://b")


def test_one_client_serves_all_threads(openai_server: OpenAIServer):
    openai_server.latency = 0.02
    asked = model(openai_server)
    with ThreadPoolExecutor(8) as pool:
        clients = set(pool.map(lambda _: id(connection(asked.endpoint)), range(16)))
        texts = {c.text for c in pool.map(lambda _: asked.complete(HELLO), range(16))}
    assert len(clients) == 1 and texts == {"Paris"}


def test_a_call_succeeds_after_a_burst_of_failures(openai_server: OpenAIServer):
    openai_server.at_random(0.3, openai.rate_limited("0"), seed=3)
    asked = model(openai_server, max_retries=8)
    with ThreadPoolExecutor(4) as pool:
        texts = [c.text for c in pool.map(lambda _: asked.complete(HELLO), range(40))]
    assert texts == ["Paris"] * 40
    assert len(openai_server.requests) > 40


def test_unusable_replies_are_charged(openai_server: OpenAIServer):
    asked = model(openai_server, max_retries=1, max_tokens=99, completion_usd_per_million="1000")
    useless = openai.completion("", finish_reason="stop")
    openai_server.script(useless)
    completion = asked.complete(HELLO)
    assert completion.usage == Usage(10 + 1, 1 + 1)
    assert completion.cost_usd == Decimal("0.002")
    openai_server.always(openai.no_content("length"))
    budget = Budget()
    metered = MeteredModel(asked, budget)
    with pytest.raises(ReplyCutShort) as raised:
        metered.complete(HELLO)
    assert (raised.value.tokens, raised.value.cost_usd) == (11, Decimal("0.001"))
    assert pickle.loads(pickle.dumps(raised.value)).tokens == 11
    assert budget.spent == Spent(completions=1, tokens=11, usd=Decimal("0.001"))
