"""Answers searches from a recording: for demonstrations, tests and repeating a run."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, datetime, time, timezone
from functools import lru_cache
from pathlib import Path
from typing import Any

from freshqa.dataset.wording import normalised_question
from freshqa.errors import BadData, NotFound
from freshqa.evidence.loose_json import first_text, mapping
from freshqa.evidence.parsing import engine_format
from freshqa.evidence.search_engine import SearchResult
from freshqa.evidence.serpapi import created_at
from freshqa.storable import storable

QUERY_NAMES = ("q", "p", "text", "query")
NEVER = datetime.min.replace(tzinfo=timezone.utc)


@dataclass(frozen=True)
class Recording:
    """One recorded response."""

    question: str
    engine: str
    body: Mapping[str, Any]

    @property
    def made_at(self) -> datetime:
        """When the engine made it, as stated in the body; `NEVER` if it is not stated."""
        return created_at(self.body, NEVER)


@dataclass(frozen=True)
class RecordedEngine:
    """Searches a recording by question; of several responses the newest up to the day counts.

    Args:
        path: JSON lines `{"question": …, "response": …}`, optionally with `"engine": …` (default
            serpapi), or a folder of JSON files, each such an object or a whole response body.
    """

    path: Path
    name: str = "recorded"

    @property
    def parameters(self) -> dict[str, str]:
        """The recording as it is now: an edited one is another engine."""
        changed = max((changed for _, changed, _ in _stamp(self.path)), default=0)
        return {"recording": str(self.path), "changed": str(changed)}

    def search(self, query: str, *, as_of: date) -> SearchResult:
        """Return the recorded response.

        Raises:
            NotFound: No such recording, or it does not hold this question.
            BadData: A line or file of it is not a recording.
            ProviderError, ProviderRejected, QuotaExhausted, CredentialsError: It holds an error.
        """
        recordings = load_recording(self.path).get(normalised_question(query))
        if not recordings:
            raise NotFound(
                f"{self.path} has no search for '{query}'.",
                "Record it, or use a live engine.",
            )
        until = datetime.combine(as_of, time.max, timezone.utc)
        recorded = next((r for r in reversed(recordings) if r.made_at <= until), recordings[0])
        failure = engine_format(recorded.engine).failure(200, recorded.body)
        if failure is not None:
            raise failure
        made_at = recorded.made_at
        return SearchResult(
            engine=recorded.engine,
            query=query,
            body=recorded.body,
            fetched_at=until.replace(hour=12) if made_at == NEVER else made_at,
            request=dict(mapping(recorded.body.get("search_parameters"))),
            reused=True,
        )


def load_recording(path: Path) -> Mapping[str, list[Recording]]:
    """Return every response of a recording by normalised question, oldest first.

    Raises:
        NotFound: the file or directory does not exist.
        BadData: A line or file is not a recording; it is named.
    """
    return _load(path, _stamp(path))


def _stamp(path: Path) -> tuple[tuple[Path, int, int], ...]:
    """Return the files of a recording, each with when it changed and its size."""
    if not path.exists():
        raise NotFound(
            f"Recording not found: {path}.", "Use a JSON Lines file or a directory of JSON files."
        )
    files = sorted(path.glob("*.json")) if path.is_dir() else [path]
    return tuple((file, file.stat().st_mtime_ns, file.stat().st_size) for file in files)


@lru_cache(maxsize=4)
def _load(path: Path, stamp: tuple[tuple[Path, int, int], ...]) -> Mapping[str, list[Recording]]:
    recordings: dict[str, list[Recording]] = {}
    for file, *_ in stamp:
        for where, text in _texts(file, whole=path.is_dir()):
            recording = _recording(text, where)
            recordings.setdefault(normalised_question(recording.question), []).append(recording)
    for of_question in recordings.values():
        of_question.sort(key=lambda recording: recording.made_at)
    return recordings


def _texts(file: Path, *, whole: bool) -> Iterator[tuple[str, str]]:
    try:
        content = file.read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError) as unreadable:
        raise BadData(
            f"{file} cannot be read ({type(unreadable).__name__}).", "Save it as UTF-8 text."
        ) from None
    if whole:
        yield str(file), content
        return
    for number, line in enumerate(content.split("\n"), start=1):
        if line.strip():
            yield f"{file}, line {number}", line


def _recording(text: str, where: str) -> Recording:
    remedy = 'Expected an object {"question": …, "response": {…}}.'
    try:
        record = storable(json.loads(text))
    except (ValueError, RecursionError):
        raise BadData(f"{where} is not valid JSON.", remedy) from None
    if not isinstance(record, Mapping):
        raise BadData(f"{where} is not an object.", remedy)
    body = record.get("response")
    if "response" in record and not isinstance(body, Mapping):
        raise BadData(f"{where} has a response that is not an object.", remedy)
    if isinstance(body, Mapping):
        question = first_text(record, "question")
        engine = first_text(record, "engine") or "serpapi"
    else:
        body, engine = record, "serpapi"
        question = first_text(mapping(record.get("search_parameters")), *QUERY_NAMES)
    if not question:
        raise BadData(f"{where} has no question.", remedy)
    return Recording(question, engine, body)
