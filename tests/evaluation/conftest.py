"""Shared fixtures of the evaluation tests: a Prefect API, a store, a judge."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from evaluation.town import town_store
from servers.openai_server import OpenAIServer

from freshqa.store.database import Store


@pytest.fixture(scope="session")
def prefect_api(api_url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """The Prefect server of the session, for flows that a test runs itself."""
    from prefect.events.worker import EventsWorker
    from prefect.logging.handlers import APILogWorker
    from prefect.settings import (
        PREFECT_API_URL,
        PREFECT_HOME,
        PREFECT_LOGGING_TO_API_ENABLED,
        PREFECT_UI_ENABLED,
        temporary_settings,
    )
    from servers.using import WITHOUT_HEARTBEAT

    there = {PREFECT_API_URL: api_url, PREFECT_HOME: str(tmp_path_factory.mktemp("flows"))}
    without = {PREFECT_UI_ENABLED: False, PREFECT_LOGGING_TO_API_ENABLED: False}
    with (
        patch.dict(os.environ, {"PREFECT_API_URL": api_url}),  # where commands look for a server
        temporary_settings({**there, **without, **WITHOUT_HEARTBEAT}),
    ):
        yield
        for worker in (APILogWorker, EventsWorker):  # later the server is gone
            worker.drain_all(timeout=10, at_exit=False)


@pytest.fixture(scope="session")
def town_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with the town in two versions; copied, never changed."""
    file = tmp_path_factory.mktemp("town") / "freshqa.db"
    town_store(f"sqlite:///{file}").close()
    return file


@pytest.fixture
def town(town_file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Store:
    """A store with the town in two versions, named as users name theirs."""
    file = tmp_path / "freshqa.db"
    shutil.copy(town_file, file)
    monkeypatch.setenv("PREFECT_FRESHQA_STORE", f"sqlite:///{file}")
    return Store.open(f"sqlite:///{file}")


@pytest.fixture
def judge_server(
    openai_server: OpenAIServer, monkeypatch: pytest.MonkeyPatch
) -> Iterator[OpenAIServer]:
    """A model at `openai:judge` that credits every response but of the painter's question."""

    def judge(body: Any) -> str:
        case = str(body["messages"][1]["content"]).rsplit("\n\n\nquestion: ", 1)[-1]
        return f"So.\nevaluation: {'incorrect' if 'Egon Grau' in case else 'correct'}"

    openai_server.answer = judge
    monkeypatch.setenv("OPENAI_BASE_URL", openai_server.base_url)
    monkeypatch.setenv("OPENAI_API_KEY", "test-key")
    yield openai_server


@pytest.fixture
def evaluated(prefect_api: None, town: Store) -> Callable[..., dict[str, Any]]:
    """`evaluated(responses=…, judge=…)` runs the flow on the town."""
    from prefect_freshqa.flows.evaluate import evaluate_model
    from prefect_freshqa.tasks.evaluation_settings import EvaluationSettings

    def run(**settings: Any) -> dict[str, Any]:
        key = settings.pop("key", None)
        return evaluate_model(settings=EvaluationSettings(**settings), key=key)

    return run


@dataclass(frozen=True)
class Said:
    """What a command printed, and how it ended."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


@pytest.fixture
def cli(
    town: Store,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Callable[..., Said]:
    """`cli("evaluate", …)` runs a command in this process, on the town, in a folder of its own."""
    from prefect_freshqa.cli import main

    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")

    def run(*arguments: str | Path) -> Said:
        monkeypatch.setattr("sys.argv", ["prefect-freshqa", *map(str, arguments)])
        capsys.readouterr()
        with pytest.raises(SystemExit) as ended:
            main()
        printed = capsys.readouterr()
        return Said(int(ended.value.code or 0), printed.out, printed.err)

    return run
