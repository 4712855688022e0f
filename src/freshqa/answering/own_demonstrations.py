"""Demonstrations from a file: JSON lines, or the DEMO or DEV rows of a release."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime, time, timezone
from pathlib import Path
from typing import Any

from freshqa.answering.demonstrations import Demonstration, Examples
from freshqa.answering.settings import AnswerSettings
from freshqa.answering.text_source import TextSource, read_text
from freshqa.dataset.question import Question
from freshqa.dataset.release import read_release
from freshqa.errors import FreshQAError, UsageError
from freshqa.evidence.evidence import Evidence
from freshqa.evidence.parsing import parse
from freshqa.evidence.search_engine import SearchEngine, SearchResult

OPTION = "--demonstrations"
REMEDY = (
    "Give JSON lines with `question` and `answer` (optional: short, verbose, false_premise, "
    "evidence, or response with searched_on), or a release with rows of split DEMO or DEV."
)
JSON_LINES = (".jsonl", ".ndjson")
SPLITS = ("DEMO", "DEV")
"""Rows of a release that demonstrate; DEV only where there are no DEMO rows."""


def with_own_demonstrations(
    settings: AnswerSettings, path: str | Path, *, search: SearchEngine, as_of: date
) -> AnswerSettings:
    """Return the settings with the demonstrations of a file, each with what a search finds for it.

    Args:
        settings: Their number of demonstrations is searched, and no more.
        path: The file.
        search: Finds evidence for demonstrations that bring none.
        as_of: Day of the searches.

    Raises:
        UsageError: The file is missing, unreadable or holds no demonstration.
        FreshQAError: As the search engine does.
    """
    examples = read_examples(path, as_of=as_of)
    shown = settings.demonstrations + 1  # one more, for when one of them is the question asked
    searched = (
        replace(demonstration, findings=_searched(demonstration.question, search, as_of))
        if number < shown and not (demonstration.findings or demonstration.evidence)
        else demonstration
        for number, demonstration in enumerate(examples.demonstrations)
    )
    return replace(settings, examples=replace(examples, demonstrations=tuple(searched)))


def read_examples(path: str | Path, *, as_of: date) -> Examples:
    """Return the demonstrations of a file, in order, without searching for anything.

    Args:
        path: The file.
        as_of: Day from which relative dates of recorded responses count, unless a line says
            `searched_on`.

    Raises:
        UsageError: The file is missing, unreadable or holds no demonstration.
    """
    if Path(path).suffix.lower() in JSON_LINES:
        text, source = read_text(path, option=OPTION, remedy=REMEDY)
        demonstrations = [
            _from_line(line, f"{path}, line {number}", as_of)
            for number, line in enumerate(text.splitlines(), start=1)
            if line.strip()
        ]
    else:
        questions, source = _release_rows(path)
        demonstrations = [_from_row(question) for question in questions]
    if not demonstrations:
        raise UsageError(f"{OPTION}: {path} holds no demonstration.", REMEDY)
    return Examples(tuple(demonstrations), source)


def _release_rows(path: str | Path) -> tuple[Sequence[Question], TextSource]:
    try:
        content = Path(path).read_bytes()
        release = read_release(content, name=Path(path).name)
    except FileNotFoundError:
        raise UsageError(f"{OPTION}: file {path} not found.", REMEDY) from None
    except OSError as problem:
        raise UsageError(f"{OPTION}: cannot read {path} ({problem.strerror}).", REMEDY) from None
    except FreshQAError as problem:
        raise UsageError(f"{OPTION}: {path}: {problem.message}", REMEDY) from None
    source = TextSource(Path(path).name, hashlib.sha256(content).hexdigest())
    for split in SPLITS:
        rows = [
            question
            for question in release.questions
            if question.fields["split"].strip().upper() == split and question.answers
        ]
        if rows:
            return rows, source
    return (), source


def _from_row(question: Question) -> Demonstration:
    answer = _sentence(question.answers[0])
    return Demonstration(
        question=question.text,
        false_premise=question.false_premise,
        concise=answer,
        verbose=answer,
        short=question.answers[0],
        evidence=(),
        teaches="",
    )


def _from_line(line: str, where: str, as_of: date) -> Demonstration:
    try:
        record = json.loads(line)
        question, answer = _text(record, "question"), _text(record, "answer", "concise")
        return Demonstration(
            question=question,
            false_premise=bool(record.get("false_premise", False)),
            concise=answer,
            verbose=str(record.get("verbose") or answer),
            short=str(record.get("short") or answer.rstrip(".")),
            evidence=tuple(Evidence.from_json(entry) for entry in record.get("evidence") or ()),
            teaches=str(record.get("teaches") or ""),
            findings=_parsed(question, record, as_of),
        )
    except (ValueError, KeyError, TypeError, AttributeError, FreshQAError) as problem:
        missing = isinstance(problem, KeyError)
        reason = f"{problem} is missing" if missing else str(problem).rstrip(".")[:120]
        raise UsageError(f"{OPTION}: {where}: {reason}.", REMEDY) from None


def _text(record: Mapping[str, Any], *names: str) -> str:
    for name in names:
        value = record.get(name)
        if isinstance(value, str) and value.strip():
            return value.strip()
    raise KeyError(names[0])


def _parsed(question: str, record: Mapping[str, Any], as_of: date) -> tuple[Evidence, ...]:
    """Return what a recorded SerpApi response holds."""
    body = record.get("response")
    if not body:
        return ()
    searched_on = record.get("searched_on")
    day = date.fromisoformat(searched_on) if searched_on else as_of
    fetched_at = datetime.combine(day, time(), timezone.utc)
    return parse(SearchResult("serpapi", question, body, fetched_at))


def _searched(question: str, search: SearchEngine, as_of: date) -> tuple[Evidence, ...]:
    return parse(search.search(question, as_of=as_of))


def _sentence(answer: str) -> str:
    return answer if answer.endswith((".", "!", "?")) else f"{answer}."
