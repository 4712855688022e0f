"""A small sheet of invented questions, and days to publish it on."""

from __future__ import annotations

from datetime import date, datetime, timedelta, timezone

from freshqa.dataset.question import Question, new_key

DAY = date(2026, 3, 9)
NOW = datetime(2026, 3, 9, 12, 30, tzinfo=timezone.utc)
WEEK = timedelta(days=7)


def sheet(rows: int = 6) -> list[Question]:
    """Questions 0 to `rows` - 1, each with its number as the answer."""
    return [asked(f"How many moons has planet {number}?", str(number)) for number in range(rows)]


def asked(text: str, *answers: str, key: str = "", **fields: str) -> Question:
    """One question of the invented world."""
    slots = {f"answer_{slot}": answer for slot, answer in enumerate(answers)}
    row = {
        "split": "TEST",
        "question": text,
        "effective_year": "2025",
        "next_review": "occasionally",
        "false_premise": "FALSE",
        "num_hops": "one-hop",
        "fact_type": "slow-changing",
        "source": "https://almanac.example/moons",
    }
    return Question({**row, **slots, **fields}, key or new_key(text))


def with_answer(questions: list[Question], position: int, answer: str) -> list[Question]:
    """The same sheet with another primary answer in one row."""
    changed = list(questions)
    changed[position] = changed[position].with_changes({"answer_0": answer})
    return changed
