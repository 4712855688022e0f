"""The same HTTP calls as a refresh, the first way that Prefect's tutorial suggests: a task run each.

    python -m benchmarks.task_run_per_call CALLS --at-once 16

CALLS as for `benchmarks.plain_asyncio`. One mapped task run for each search and for each completion;
results are not persisted, so this is the cheapest form of it. Prints one JSON object.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from typing import Any, cast

import httpx
from prefect import flow, task, unmapped
from prefect.cache_policies import NO_CACHE
from prefect.task_runners import ThreadPoolTaskRunner

TIMEOUT_SECONDS = 60
Call = dict[str, Any]


def send(client: httpx.Client, call: Call) -> Any:
    """Send one request and give the JSON of its answer."""
    answer = client.request(call["method"], call["url"], params=call["query"], json=call["body"])
    return answer.raise_for_status().json()


@task(cache_policy=NO_CACHE)
def search(client: httpx.Client, call: Call) -> Any:
    return send(client, call)


@task(cache_policy=NO_CACHE)
def complete(client: httpx.Client, call: Call, results: Any) -> Any:
    return send(client, call)


@flow
def ask_all(file: str) -> int:
    """One search and one completion for each question; the number of completions."""
    # the file's name, because Prefect takes no parameters of more than half a megabyte
    questions = [json.loads(line) for line in Path(file).read_text("utf-8").splitlines()]
    with httpx.Client(timeout=TIMEOUT_SECONDS) as client:
        shared = unmapped(client)
        results = search.map(shared, [calls[0] for calls in questions])
        replies = complete.map(shared, [calls[-1] for calls in questions], results)
        return len(replies.result())


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("calls", type=Path)
    parser.add_argument("--at-once", type=int, default=16)
    asked = parser.parse_args()
    runner = cast(Any, ThreadPoolTaskRunner(max_workers=asked.at_once))
    began = time.monotonic()
    done = ask_all.with_options(task_runner=runner)(str(asked.calls))
    print(json.dumps({"seconds": time.monotonic() - began, "done": done}))


if __name__ == "__main__":
    main()
