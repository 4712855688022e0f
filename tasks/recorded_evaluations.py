"""Finished evaluations of the ledger: their judgements, and their figures over versions."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Any

from freshqa.errors import NotFound
from freshqa.evaluation.breakdown import by_key
from freshqa.evaluation.judgement import Judgement, Mode
from freshqa.evaluation.leaderboard import Score
from freshqa.evaluation.plot import Point
from freshqa.evaluation.rate import Rate
from freshqa.store import records, runs
from freshqa.store.database import Store

FLOW = "evaluate-model"


def recorded_judgements(store: Store, evaluation: str) -> list[Judgement]:
    """Return the judgements of a finished evaluation, of every mode it has.

    Raises:
        NotFound: there is none of that name; the message lists the newest.
    """
    judgements = [
        Judgement.from_json(dict(record))
        for mode in Mode
        for record in records.judgements(store, record_name(evaluation, mode))
    ]
    if not judgements:
        there = [run.key for run in runs.list_runs(store) if run.flow == FLOW][:5]
        raise NotFound(
            f"Finished evaluation not found: {evaluation!r}. The latest are:"
            f" {', '.join(there) or 'none'}.",
            "See: prefect-freshqa runs list",
        )
    return judgements


def points_of(store: Store, series: str, mode: Mode) -> tuple[Point, ...]:
    """The finished evaluations of a series, one per version, for the picture over versions."""
    points: dict[int, Point] = {}
    for run in runs.list_runs(store):  # newest first
        summary = run.summary
        if run.flow != FLOW or run.state != runs.COMPLETED or not summary.get("version"):
            continue
        if run.settings.get("series") == series and summary["version"] not in points:
            points[summary["version"]] = point(summary, mode)
    return tuple(points.values())


def point(summary: Mapping[str, Any], mode: Mode) -> Point:
    """Return one evaluation's figures as a point of the picture."""
    return Point(
        summary["version"],
        date.fromisoformat(summary["as_of"]),
        {
            cell["column"]: Rate.from_json(cell)
            for cell in summary["table"]
            if cell["mode"] == mode.value
        },
    )


def record_name(evaluation: str, mode: Mode) -> str:
    """Name under which the ledger keeps one mode's judgements."""
    return f"{evaluation}:{mode.value}"


def scores_of(store: Store, mode: Mode) -> list[Score]:
    """Return the newest finished evaluation of each model and version, in one mode.

    A model is named by its settings, responses of a file by the name of the file.
    """
    scores: dict[tuple[str, int], Score] = {}
    for run in runs.list_runs(store):  # newest first
        version = run.summary.get("version")
        if run.flow != FLOW or run.state != runs.COMPLETED or not version:
            continue
        responses = str(run.settings.get("responses") or "")
        model = Path(responses).stem if responses else str(run.settings.get("model"))
        if (model, version) in scores:
            continue
        judgements = [
            Judgement.from_json(dict(record))
            for record in records.judgements(store, record_name(run.key, mode))
        ]
        if judgements:
            by_question = by_key(judgements, mode=mode)
            judge = str(run.summary.get("judge", ""))
            scores[model, version] = Score(model, version, run.key, judge, by_question)
    return list(scores.values())
