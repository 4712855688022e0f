"""Plan an evaluation: which responses, against which rows, under which name."""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass, field
from datetime import date, datetime, timezone
from pathlib import Path
from typing import Any

from prefect import task
from prefect.cache_policies import NO_CACHE

from freshqa.dataset.question import Question
from freshqa.errors import BadData, NotFound, UsageError
from freshqa.evaluation.cases import Case
from freshqa.evaluation.golds import Measure, cases_of, measure_in_force, one_measure
from freshqa.evaluation.responses import Paired, ResponsesFile, pair, read_responses
from freshqa.evaluation.texts import Texts
from freshqa.store import history, snapshots, versions
from freshqa.store.database import Store
from freshqa.store.versions import VersionInfo
from prefect_freshqa.tasks.evaluation_providers import texts_of
from prefect_freshqa.tasks.evaluation_settings import EvaluationSettings
from prefect_freshqa.tasks.recorded_evaluations import recorded_judgements

MAX_LETTERS = 80
"""Longest name, so that the mode can be appended in the ledger."""


@dataclass(frozen=True)
class EvaluationPlan:
    """The responses to judge.

    Args:
        cases: Every response with its gold; without responses when the model itself is asked.
        version: The version to grade against; the newest where each response has its own.
        day: Date of the responses that do not tell theirs.
        newest: Rows of the newest version.
        since: Version to look back to; None when there is none before.
        responses: How the responses were found, as JSON.
        series: Identity of everything but the version: its evaluations belong in one picture.
        texts: Name and hash of every prompt that the result depends on.
        key: Name of the evaluation: the same again is the same evaluation.
    """

    cases: tuple[Case, ...]
    version: VersionInfo
    day: date | None
    newest: dict[str, Question] = field(repr=False)
    since: Measure | None = field(repr=False)
    responses: dict[str, Any]
    series: str
    texts: Texts
    key: str

    @property
    def golds(self) -> dict[str, Question]:
        """Key → the row that responses are graded against."""
        return {case.gold.question.key: case.gold.question for case in self.cases}


@task(cache_policy=NO_CACHE)
def plan_evaluation(store: Store, settings: EvaluationSettings, key: str | None) -> EvaluationPlan:
    """Read the responses and set each beside its gold.

    Raises:
        NotFound: no such version, file, or evaluation to compare with.
        UsageError: settings that make no sense together.
        BadData: no response of the file belongs to a question of the version.
    """
    check(settings, key)
    if settings.compare:
        # an unknown name is reported before any paid call
        recorded_judgements(store, settings.compare)
    head = versions.find(store)
    version = versions.find(store, number=settings.version, tag=settings.tag, as_of=settings.as_of)
    newest = {q.key: q for q in snapshots.snapshot(store, head.number)}
    if settings.responses:
        given = read_responses(settings.responses)
        day = settings.as_of
        cases, origin = read_cases(store, settings, given, version)
        identity: dict[str, Any] = {"responses": given.sha256}
        name = Path(settings.responses).stem
    else:
        day = settings.as_of or datetime.now(timezone.utc).date()
        measure = measure_of(store, version)
        asked = [q for q in measure.rows.values() if settings.split in ("", q.fields["split"])]
        cases = tuple(Case(measure.gold(q.key), responded_on=day) for q in asked)
        origin = {"asked": len(cases), "method": settings.method, "model": settings.model}
        ways = {"method", "model", "search", "profile", "premise_check"}
        identity = {**settings.model_dump(mode="json", include=ways), "day": day.isoformat()}
        name = f"{settings.method}-{settings.model}"
    if not cases:
        raise BadData(
            f"Version {version.number} has no questions in split {settings.split!r}.",
            "Pass another version or split.",
        )
    texts = texts_of(settings, day or datetime.now(timezone.utc).date())
    identity |= {"split": settings.split, "mode": settings.mode, "judge": judge_of(settings)}
    if settings.judge_prompts or settings.instruction or settings.demonstrations:
        identity["texts"] = texts
    series = short_hash(identity)
    where = "in-force" if settings.by_response_date else f"v{version.number}"
    return EvaluationPlan(
        cases=cases,
        version=version,
        day=day,
        newest=newest,
        since=look_back(store, settings, version),
        responses=origin,
        series=series,
        texts=texts,
        key=key or f"{settings.mode}-{where}-{slug(name)}-{series[:8]}",
    )


def check(settings: EvaluationSettings, key: str | None) -> None:
    """Raise `UsageError` for settings that make no sense together, or too long a name."""
    if key and len(key) > MAX_LETTERS:
        raise UsageError(f"--key is {len(key)} characters long.", f"Use at most {MAX_LETTERS}.")
    named = (settings.version, settings.tag, settings.as_of)
    if settings.by_response_date and (any(named) or not settings.responses):
        raise UsageError(
            "--as-of response requires --responses and excludes --version and --tag.",
            "Pass --responses FILE --as-of response alone.",
        )
    if settings.judge == "lexical" and settings.mode != "relaxed":
        raise UsageError(
            "The lexical judge supports only relaxed mode: word matching cannot detect hallucinations.",
            "Use --mode relaxed, or use a model as judge.",
        )


def read_cases(
    store: Store, settings: EvaluationSettings, given: ResponsesFile, version: VersionInfo
) -> tuple[tuple[Case, ...], dict[str, Any]]:
    """Return the cases of a file, and how they were found."""
    if settings.by_response_date:
        measures = measures_in_force(store, given)
        choose = measure_in_force(measures)
        rows = {key: row for measure in measures for key, row in measure.rows.items()}
    else:
        measures = [measure_of(store, version)]
        choose = one_measure(measures[0])
        rows = dict(measures[0].rows)
    paired = pair(
        given.responses,
        list(rows.values()),
        split=settings.split,
        aliases=history.aliases(store),
    )
    if not paired.pairs and not paired.unclear:
        raise BadData(
            f"{given.name} does not match any question of the version; the first unmatched response is {nameless(given, paired)}.",
            "Pass the version that the responses are for, and --split where it is not TEST.",
        )
    return cases_of(paired, choose, day=settings.as_of), found_json(given, paired)


def measures_in_force(store: Store, given: ResponsesFile) -> list[Measure]:
    """Oldest first, every version that is in force on the date of a response."""
    in_force = {}
    for day in {response.responded_on for response in given.responses}:
        if day is not None:
            try:
                version = versions.find(store, as_of=day)
            except NotFound:  # its responses are named as unrated
                continue
            in_force[version.number] = version
    if not in_force:
        raise BadData(
            f"{given.name} has no response dated within a version's period.",
            "Add a column `date`, or pass a version.",
        )
    return [measure_of(store, in_force[number]) for number in sorted(in_force)]


def measure_of(store: Store, version: VersionInfo) -> Measure:
    """Return a version to grade against."""
    rows = {q.key: q for q in snapshots.snapshot(store, version.number)}
    return Measure(version.number, version.as_of, rows)


def look_back(store: Store, settings: EvaluationSettings, version: VersionInfo) -> Measure | None:
    """Return the version asked for, else the oldest; None when that is the version to grade against."""
    number = settings.since or min(known.number for known in versions.log(store))
    if number == version.number:
        return None
    return measure_of(store, versions.find(store, number=number))


def found_json(given: ResponsesFile, paired: Paired) -> dict[str, Any]:
    """Return how many rows of the file were matched or left out, so that every omission is reported."""
    return {
        "file": given.name,
        "sha256": given.sha256,
        "rows": len(given.responses) + len(given.unreadable),
        "missing": [question.text for question in paired.missing],
        "unclear": [{"question": q.text, "why": why} for q, why in paired.unclear],
        "unknown": list(paired.unknown),
        "outside": list(paired.outside),
        "repeated": list(paired.repeated),
        "unreadable": list(given.unreadable),
        "note": given.note,
    }


def nameless(given: ResponsesFile, paired: Paired) -> str:
    """Return the first row that did not fit, for an error message."""
    return next(iter((*paired.outside, *paired.unknown, *given.unreadable)), "nothing")


def judge_of(settings: EvaluationSettings) -> str:
    """Return the identity of the judge; an edited recording is another judge."""
    scheme, _, path = settings.judge.partition(":")
    if scheme == "recorded" and Path(path).is_file():
        return f"recorded:{hashlib.sha256(Path(path).read_bytes()).hexdigest()}"
    return settings.judge


def short_hash(identity: dict[str, Any]) -> str:
    """Sixteen hex digits that identify a text."""
    text = json.dumps(identity, sort_keys=True)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def slug(text: str) -> str:
    """Letters, digits and dashes, at most 40."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")[:40]
