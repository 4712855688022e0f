"""Search engines and models share one retry policy and one redaction of keys."""

from __future__ import annotations

import time
from datetime import datetime, timedelta, timezone
from email.utils import format_datetime

import pytest
from servers import openai_server as openai
from servers.openai_server import OpenAIServer, completion

from prefect_freshqa.blocks.http_calls import MAX_WAIT, asked_wait, wait_before
from prefect_freshqa.blocks.key_redaction import redacted, without
from prefect_freshqa.blocks.openai_client import Endpoint, complete

ASKED = {"messages": [{"role": "user", "content": "Who?"}]}


def in_seconds(seconds: float) -> str:
    """A date as a header writes it."""
    return format_datetime(datetime.now(timezone.utc) + timedelta(seconds=seconds), usegmt=True)


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"Retry-After": "0"}, 0.0),
        ({"Retry-After": "1.5"}, 1.5),
        ({"retry-after": "2"}, 2.0),
        ({"Retry-After-Ms": "1500", "Retry-After": "9"}, 1.5),
        ({"Retry-After": "-3"}, 0.0),
        ({"Retry-After": "soon"}, None),
        ({"Retry-After": ""}, None),
        ({"Retry-After": "nan"}, 0.0),
        ({}, None),
    ],
)
def test_retry_after_is_read_in_seconds_and_milliseconds(
    headers: dict[str, str], seconds: float | None
) -> None:
    assert asked_wait(headers) == seconds


def test_retry_after_is_read_as_a_date() -> None:
    waited = asked_wait({"Retry-After": in_seconds(20)})
    assert waited is not None
    assert 15 <= waited <= 20
    assert asked_wait({"Retry-After": in_seconds(-20)}) == 0.0


def test_waits_grow_up_to_a_limit_unless_the_server_states_one() -> None:
    assert 0.25 <= wait_before(1, None) <= 0.5 and 1.0 <= wait_before(3, None) <= 2.0
    assert wait_before(20, None) <= MAX_WAIT
    assert wait_before(20, 17.0) == 17.0


def test_a_model_call_waits_until_the_date_in_retry_after(openai_server: OpenAIServer) -> None:
    openai_server.script(openai.rate_limited(in_seconds(50)), completion("Mira Tolland"))
    waits: list[float] = []
    endpoint = Endpoint("m", key="k", base_url=openai_server.base_url, retries=1)
    body = complete(endpoint, dict(ASKED), sleep=waits.append)
    assert body["choices"][0]["message"]["content"] == "Mira Tolland"
    assert len(waits) == 1 and 1.0 < waits[0] <= 50.0


def test_a_model_call_ends_if_retry_after_exceeds_the_deadline(openai_server: OpenAIServer) -> None:
    openai_server.script(openai.rate_limited(in_seconds(600)))
    endpoint = Endpoint("m", key="k", base_url=openai_server.base_url, retries=3)
    started = time.monotonic()
    with pytest.raises(Exception, match="429"):
        complete(endpoint, dict(ASKED), sleep=lambda seconds: pytest.fail(f"waits {seconds} s"))
    assert time.monotonic() - started < 20


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("https://a.example/?api_key=s3cr3t&q=x", "https://a.example/?api_key=***&q=x"),
        ("Incorrect API key provided: sk-abcdefgh12345678.", "Incorrect API key provided: ***"),
        ("Authorization: Bearer abcdefghijkl", "Authorization: ***"),
        ("the s3cr3t/+ key", "the *** key"),
        ("the s3cr3t%2F%2B key", "the *** key"),
        ("The API key provided is not known.", "The API key provided is not known."),
    ],
)
def test_keys_are_redacted_from_texts(text: str, shown: str) -> None:
    assert redacted(text, "s3cr3t/+") == shown
    assert without("s3cr3t/+", b"a s3cr3t/+ b") == b"a *** b"
