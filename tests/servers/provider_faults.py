"""Every known fault of providers, as replies of the loopback servers."""

from __future__ import annotations

import random
from collections.abc import Sequence

from servers import openai_server as model
from servers import serpapi_server as search
from servers.scripted_server import Reply, ScriptedServer

FAULTS: dict[str, tuple[Reply, Reply]] = {
    "silence": (Reply(delay=15), Reply(delay=15)),
    "drip": (Reply(body="{" * 150, drip=0.1), Reply(body="{" * 150, drip=0.1)),
    "429 with Retry-After": (search.throughput("0"), model.rate_limited("0")),
    "429 without Retry-After": (search.throughput(), model.rate_limited()),
    "500": (search.server_error(), model.server_error()),
    "HTML": (search.html(), model.html()),
    "truncated": (search.truncated(), model.truncated()),
    "wrong JSON": (search.wrong_json("null"), model.wrong_json()),
    "empty": (search.wrong_json("[]"), model.no_choices([])),
    "hung up": (Reply(drop=True), Reply(drop=True)),
}
"""Name → what the search engine sends, what the model sends."""


def sprinkle(server: ScriptedServer, faults: Sequence[Reply], share: float, *, seed: int) -> None:
    """Of the next thousand requests, this share gets one of the faults."""
    chance = random.Random(seed)
    server.script(
        *(chance.choice(faults) if chance.random() < share else None for _ in range(1000))
    )


def in_bursts(server: ScriptedServer, faults: Sequence[Reply]) -> None:
    """Six requests in a row get the same fault, then eight get none, and so on."""
    for fault in faults:
        server.script(*[None] * 8, *[fault] * 6)
