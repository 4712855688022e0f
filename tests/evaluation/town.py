"""An invented town in two versions, used by the evaluation tests."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import date, datetime, timezone
from pathlib import Path

from freshqa.dataset.question import Question
from freshqa.evaluation.judgement import Judgement, Mode, Verdict
from freshqa.store import publishing
from freshqa.store.database import Store

OLD_DAY, NEW_DAY = date(2026, 3, 2), date(2026, 3, 9)


def asked(key: str, text: str, *answers: str, **fields: str) -> Question:
    """One question about the town."""
    row = {
        "split": "TEST",
        "question": text,
        "effective_year": "2025",
        "next_review": "occasionally",
        "false_premise": "FALSE",
        "num_hops": "one-hop",
        "fact_type": "slow-changing",
        **{f"answer_{slot}": answer for slot, answer in enumerate(answers)},
    }
    return Question({**row, **fields}, key)


MAYOR, BRIDGES, PAINTER, LAKE, TOWER = "q-mayor", "q-bridges", "q-painter", "q-lake", "q-tower"
OLD = (
    asked(MAYOR, "Who is the mayor?", "Ada Berg", "Berg", fact_type="fast-changing"),
    asked(BRIDGES, "How many bridges are there?", "12", "twelve"),
    asked(PAINTER, "Who painted the hall?", "Carl Dahl", fact_type="never-changing",
          effective_year="before 2022", num_hops="multi-hop"),
    asked(LAKE, "Why did the lake vanish?", "The lake is still there.", false_premise="TRUE",
          effective_year="before 2022"),
    asked(TOWER, "How tall is the tower?", "40 m", split="DEV"),
)  # fmt: skip
NEW = (OLD[0].with_changes({"answer_0": "Eva Falk", "answer_1": "Falk"}), *OLD[1:])
RESPONSES = {
    "Who is the mayor?": "Ada Berg is the mayor.",
    "How many bridges are there?": "There are twelve bridges.",
    "Who painted the hall?": "Some say Egon Grau.",
    "Why did the lake vanish?": "It has not vanished.",
}
"""Of a model that learnt the town before its mayor changed."""


def town_store(url: str) -> Store:
    """A store with the town in two versions."""
    store = Store.open(url, create=True)
    publishing.publish(store, OLD, as_of=OLD_DAY, now=noon(OLD_DAY), parent=None)
    publishing.publish(store, NEW, as_of=NEW_DAY, now=noon(NEW_DAY), parent=1)
    return store


def noon(day: date) -> datetime:
    return datetime(day.year, day.month, day.day, 12, tzinfo=timezone.utc)


def by_key(questions: Sequence[Question]) -> dict[str, Question]:
    return {question.key: question for question in questions}


def judged(key: str, verdict: str, *, mode: str = "relaxed", **fields: object) -> Judgement:
    """A verdict on the question with that key."""
    text = by_key(NEW)[key].text if key in by_key(NEW) else key
    return Judgement(text, Verdict(verdict), Mode(mode), "test", key=key, **fields)  # type: ignore[arg-type]


def write_lines(path: Path, records: Sequence[Mapping[str, object]]) -> Path:
    """JSON lines."""
    path.write_text("".join(json.dumps(record) + "\n" for record in records), "utf-8")
    return path


def responses_file(folder: Path, responses: Mapping[str, str] = RESPONSES, **extra: str) -> Path:
    """A file of responses, each with the same further columns."""
    records = [{"question": q, "response": r, **extra} for q, r in responses.items()]
    return write_lines(folder / "responses.jsonl", records)
