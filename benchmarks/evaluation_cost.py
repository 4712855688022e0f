"""What an evaluation of 500 real answers costs: time, calls, and what a second run asks.

    python -m benchmarks.evaluation_cost

The judge is a server on loopback that takes half a second for each verdict. Every run is the flow on
an embedded Prefect server and a new SQLite store, as `prefect-freshqa evaluate` runs it.
"""

from __future__ import annotations

import os
import tempfile
import time
from datetime import date, datetime, timezone
from pathlib import Path
from typing import Any

from prefect.testing.utilities import prefect_test_harness
from servers.openai_server import OpenAIServer

from freshqa.dataset.identity import match
from freshqa.dataset.release import read_release
from freshqa.store import publishing
from freshqa.store.database import Store
from prefect_freshqa.flows.evaluate import evaluate_model
from prefect_freshqa.tasks.evaluation_settings import EvaluationSettings

DATA = Path(
    os.environ.get("FRESHQA_TEST_DATA", Path(__file__).parent.parent.parent / "shared" / "data")
)
LABELS = DATA / "labels" / "gpt-3.5-turbo-1106_freshprompt_2024-06-07.jsonl"
JUDGE_SECONDS = 0.5


def new_store(folder: Path) -> None:
    """A store with the release that the answers were judged by."""
    url = f"sqlite:///{folder / 'freshqa.db'}"
    release = read_release(DATA / "freshqa" / "FreshQA_v03112024.csv")
    store = Store.open(url, create=True)
    day = date(2024, 3, 11)
    now = datetime.now(timezone.utc)
    publishing.publish(
        store, match(release.questions, ()).questions, as_of=day, now=now, parent=None
    )
    os.environ["PREFECT_FRESHQA_STORE"] = url


def timed(server: OpenAIServer, what: str, **settings: Any) -> None:
    before, began = len(server.requests), time.monotonic()
    result = evaluate_model(settings=EvaluationSettings(responses=str(LABELS), **settings))
    seconds = time.monotonic() - began
    print(
        f"| {what} | {len(result['judgements'])} | {len(server.requests) - before} |"
        f" {server.peak} | {seconds:.1f} |",
        flush=True,
    )


def main() -> None:
    os.environ["PREFECT_SERVER_ANALYTICS_ENABLED"] = "false"
    server = OpenAIServer(lambda body: "So.\nevaluation: correct")
    print(
        "| run | responses | calls of the judge | most in flight | seconds |\n|---|---|---|---|---|"
    )
    with prefect_test_harness(server_startup_timeout=180), server.running():
        os.environ |= {"OPENAI_BASE_URL": server.base_url, "OPENAI_API_KEY": "k"}
        for concurrency in (8, 32):
            server.peak = 0
            with tempfile.TemporaryDirectory() as folder:
                new_store(Path(folder))
                timed(server, "by words", judge="lexical")
                server.latency = JUDGE_SECONDS
                model: dict[str, Any] = {"judge": "openai:judge", "concurrency": concurrency}
                timed(server, f"a model, {concurrency} at once", **model)
                timed(server, "the same again", **model)
                server.latency = 0.0


if __name__ == "__main__":
    main()
