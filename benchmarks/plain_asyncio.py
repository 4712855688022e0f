"""The same HTTP calls as a refresh, and nothing else: asyncio, httpx, a semaphore.

    python -m benchmarks.plain_asyncio CALLS --at-once 16 [--ahead]

CALLS is JSON lines, one question each: a list of requests that are sent one after the other. With
`--at-once 1` this is the sequential loop. With `--ahead` the number is that of the searches in
flight, and of the completions beside them, as in a refresh. Prints one JSON object.
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


async def send(client: httpx.AsyncClient, call: dict[str, Any]) -> None:
    """Send one request and read the JSON of its answer."""
    answer = await client.request(
        call["method"], call["url"], params=call["query"], json=call["body"]
    )
    answer.raise_for_status()
    answer.json()


async def ask_all(questions: list[list[dict[str, Any]]], at_once: int, *, ahead: bool) -> None:
    """Send the requests of every question, `at_once` questions in flight.

    Args:
        ahead: Twice as many questions, but no more requests of a kind.
    """
    in_progress = asyncio.Semaphore(2 * at_once if ahead else at_once)
    kinds = {method: asyncio.Semaphore(at_once) for method in ("GET", "POST")}
    async with httpx.AsyncClient(timeout=TIMEOUT_SECONDS) as client:

        async def in_turn(calls: list[dict[str, Any]]) -> None:
            async with in_progress:
                for call in calls:
                    async with kinds[call["method"]]:
                        await send(client, call)

        await asyncio.gather(*map(in_turn, questions))


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("calls", type=Path)
    parser.add_argument("--at-once", type=int, default=16)
    parser.add_argument("--ahead", action="store_true")
    asked = parser.parse_args()
    questions = [json.loads(line) for line in asked.calls.read_text("utf-8").splitlines()]
    began = time.monotonic()
    asyncio.run(ask_all(questions, asked.at_once, ahead=asked.ahead))
    print(json.dumps({"seconds": time.monotonic() - began}))


if __name__ == "__main__":
    main()
