"""Responses to judge: the question of each, and which are missing, duplicate or empty."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from pathlib import Path

from freshqa.dataset.question import Question
from freshqa.dataset.wording import normalised_question
from freshqa.evaluation.rows import DATE_COLUMNS, Row, read_rows

RESPONSE_COLUMNS = ("response", "model_response", "final_answer", "prediction")
NAME_COLUMNS = ("key", "question")


@dataclass(frozen=True)
class GivenResponse:
    """One row of a responses file.

    Args:
        row: Its row or line number.
        question: The question as the file words it; may be "" where there is a key.
        text: The response; may be empty.
        key: Our key, where the file has it.
        responded_on: Date of the response, where the file has it.
    """

    row: int
    question: str
    text: str
    key: str = ""
    responded_on: date | None = None


@dataclass(frozen=True)
class ResponsesFile:
    """The responses of a file.

    Args:
        sha256: Hash of its bytes: the same responses again give the same run.
        unreadable: Rows that could not be read, and why.
        note: How the encoding was guessed, where it had to be.
    """

    name: str
    sha256: str
    responses: tuple[GivenResponse, ...]
    unreadable: tuple[str, ...] = ()
    note: str = ""


@dataclass(frozen=True)
class Paired:
    """Responses set beside the questions of a version.

    Args:
        pairs: Question → its response, in the order of the questions.
        missing: Questions without any row.
        unclear: Question → why the rows it has hold no response that could be judged.
        unknown: Rows whose question the version does not hold.
        outside: Rows whose question belongs to another split.
        repeated: Rows that repeat an earlier response word for word; the first counts.
    """

    pairs: tuple[tuple[Question, GivenResponse], ...]
    missing: tuple[Question, ...] = ()
    unclear: tuple[tuple[Question, str], ...] = ()
    unknown: tuple[str, ...] = ()
    outside: tuple[str, ...] = ()
    repeated: tuple[str, ...] = ()


def read_responses(path: str | Path) -> ResponsesFile:
    """Read responses: `question` or `key`, `response`, and a date where there is one.

    The sheet of the FreshEval notebook (`model_response`) and the output of `ask --questions` are
    read as they are.

    Raises:
        NotFound, BadData: as `freshqa.evaluation.rows.read_rows`.
    """
    table = read_rows(path, needed=(NAME_COLUMNS, RESPONSE_COLUMNS))
    responses: list[GivenResponse] = []
    unreadable = list(table.unreadable)
    for row in table.rows:
        question, key = row.values.get("question", "").strip(), row.values.get("key", "").strip()
        if not question and not key:
            unreadable.append(f"row {row.number} names no question")
            continue
        day, problem = _date(row)
        if problem:
            unreadable.append(f"row {row.number}: {problem}")
            continue
        text = row.first(RESPONSE_COLUMNS)
        responses.append(GivenResponse(row.number, question, text, key, day))
    sha256 = hashlib.sha256(table.content).hexdigest()
    return ResponsesFile(table.name, sha256, tuple(responses), tuple(unreadable), table.note)


def pair(
    responses: Sequence[GivenResponse],
    questions: Sequence[Question],
    *,
    split: str = "TEST",
    aliases: Mapping[str, str] | None = None,
) -> Paired:
    """Set each response beside its question.

    Args:
        questions: Every row of the version, with keys.
        split: Only questions of this split; "" for all.
        aliases: Normalised earlier wording → key.

    Two different responses to one question are not judged: it is unknown which one counts.
    """
    asked = [q for q in questions if not split or q.fields["split"].strip() == split]
    inside = {question.key for question in asked}
    index = _index(questions, aliases or {})
    given: dict[str, list[GivenResponse]] = {}
    unknown: list[str] = []
    outside: list[str] = []
    for response in responses:
        key = response.key if response.key in index.values() else ""
        key = key or index.get(normalised_question(response.question), "")
        where = f"row {response.row}: {response.question or response.key}"
        if not key:
            unknown.append(where)
        elif key not in inside:
            outside.append(where)
        else:
            given.setdefault(key, []).append(response)
    return _sort_out(asked, given, tuple(unknown), tuple(outside))


def _sort_out(
    asked: Sequence[Question],
    given: Mapping[str, Sequence[GivenResponse]],
    unknown: tuple[str, ...],
    outside: tuple[str, ...],
) -> Paired:
    pairs: list[tuple[Question, GivenResponse]] = []
    missing: list[Question] = []
    unclear: list[tuple[Question, str]] = []
    repeated: list[str] = []
    for question in asked:
        here = given.get(question.key, ())
        texts = {response.text.strip() for response in here}
        if not here:
            missing.append(question)
        elif len(texts) > 1:
            rows = ", ".join(str(response.row) for response in here)
            unclear.append((question, f"rows {rows} give different responses"))
        elif texts == {""}:
            unclear.append((question, "the response is empty"))
        else:
            pairs.append((question, here[0]))
            repeated += [f"row {r.row} repeats row {here[0].row}" for r in here[1:]]
    return Paired(tuple(pairs), tuple(missing), tuple(unclear), unknown, outside, tuple(repeated))


def _index(questions: Sequence[Question], aliases: Mapping[str, str]) -> dict[str, str]:
    keys = {question.key for question in questions}
    earlier = {wording: key for wording, key in aliases.items() if key in keys}
    return {**earlier, **{normalised_question(q.text): q.key for q in questions}}


def _date(row: Row) -> tuple[date | None, str]:
    text = row.first(DATE_COLUMNS).strip()
    if not text:
        return None, ""
    try:
        return datetime.fromisoformat(text.replace("Z", "+00:00")).date(), ""
    except ValueError:
        return None, f"date {text!r} is not like 2024-06-07"
