"""A few invented questions, written in every format."""

from __future__ import annotations

import importlib
import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import ModuleType

import pytest

from freshqa.dataset.question import Question
from freshqa.dataset.release import read_release, write_release

FIELDS = {
    "split": "TEST",
    "question": "Who keeps the lighthouse of Orlune?",
    "effective_year": "2024",
    "next_review": "06/01/2024",
    "false_premise": "FALSE",
    "num_hops": "one-hop",
    "fact_type": "fast-changing",
    "source": "https://example.org/lighthouse",
    "answer_0": "Idris Quane",
    "answer_1": "Quane",
}


@pytest.fixture(scope="session")
def make() -> Callable[..., Question]:
    """A question like `FIELDS`, with some columns otherwise."""

    def build(text: str = "", *answers: str, key: str = "", **columns: str) -> Question:
        given = {f"answer_{i}": answer for i, answer in enumerate(answers)}
        slots = dict.fromkeys(("answer_0", "answer_1"), "") if answers else {}
        question = {"question": text} if text else {}
        return Question({**FIELDS, **slots, **question, **given, **columns}, key=key)

    return build


@pytest.fixture(scope="session")
def rows(make: Callable[..., Question]) -> tuple[Question, ...]:
    """Twelve questions with everything that is hard to write."""
    texts = (
        "plain", 'He said "stop", twice', "two\nlines", " blank at both ends ", "comma, semicolon; tab\t",
        "é ñ ř Ś 방탄 金 – “quoted”", "=1+2", "'=kept", "-5 °C", "#N/A", "_x000D_", "TRUE",
    )  # fmt: skip
    return tuple(make(f"Question {i}?", text, text + " again") for i, text in enumerate(texts))


@pytest.fixture(scope="session")
def files(rows: tuple[Question, ...]) -> dict[str, bytes]:
    """The rows as a file of each kind."""
    written = {f: write_release(rows, f) for f in ("official", "csv", "jsonl", "parquet", "xlsx")}
    records = [json.loads(line) for line in written["jsonl"].decode().split("\n") if line]
    return {**written, "json": json.dumps(records, indent=1).encode()}


@pytest.fixture(scope="session")
def real(shared_data: Path) -> Callable[..., tuple[Question, ...]]:
    """Questions of a recorded release, each under a key that is its row number there."""

    @cache
    def load(name: str, *, repair: str = "certain") -> tuple[Question, ...]:
        release = read_release(shared_data / "freshqa" / name, repair=repair)
        return tuple(q.with_key(f"{name}#{i}") for i, q in enumerate(release.questions))

    return load


@pytest.fixture
def benchmark(shared_data: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], ModuleType]:
    """A script of `benchmarks/` as a module, reading the recorded data."""
    monkeypatch.setenv("FRESHQA_TEST_DATA", str(shared_data))
    monkeypatch.syspath_prepend(Path(__file__).parents[2] / "benchmarks")
    return importlib.import_module
