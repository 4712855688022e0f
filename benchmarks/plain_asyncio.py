"""The same HTTP calls as a refresh, and nothing else: asyncio, httpx, a semaphore.

    python -m benchmarks.plain_asyncio CALLS --at-once 16

CALLS is JSON lines, one question each: a list of requests that are sent one after the other. With
`--at-once 1` this is the sequential loop. Prints one JSON object.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import time
from pathlib import Path
from typing import Any

import httpx

TIMEOUT_SECONDS = 60


async def ask(client: httpx.AsyncClient, calls: list[dict[str, Any]]) -> None:
    """Send the requests of one question."""
    for call in calls:
        answer = await client.request(
            call["method"], call["url"], params=call["query"], json=call["body"]
        )
        answer.raise_for_status()
        answer.json()


async def ask_all(questions: list[list[dict[str, Any]]], at_once: int) -> None:
    """Send the requests of every question, `at_once` questions in flight."""
    slots = asyncio.Semaphore(at_once)
    async with httpx.AsyncClient(timeout=TIMEOUT_SECONDS) as client:

        async def in_turn(calls: list[dict[str, Any]]) -> None:
            async with slots:
                await ask(client, calls)

        await asyncio.gather(*map(in_turn, questions))


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("calls", type=Path)
    parser.add_argument("--at-once", type=int, default=16)
    asked = parser.parse_args()
    questions = [json.loads(line) for line in asked.calls.read_text("utf-8").splitlines()]
    began = time.monotonic()
    asyncio.run(ask_all(questions, asked.at_once))
    print(json.dumps({"seconds": time.monotonic() - began}))


if __name__ == "__main__":
    main()
