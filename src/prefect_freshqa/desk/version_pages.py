"""Pages of versions, their differences, the history of a question, runs and the timeline."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from freshqa.dataset.diff import change_of
from freshqa.errors import FreshQAError, NothingToDo
from freshqa.store import changes, checks, history, runs, versions
from freshqa.store.changes import read_timeline
from freshqa.store.records import validations
from freshqa.store.versions import named_version
from prefect_freshqa.desk.labels import label, sorted_columns
from prefect_freshqa.desk.pages import failed, needs, now, render, store_of
from prefect_freshqa.desk.words import changed_words

MAX_ROWS = 200_000
"""Rows of versions that the timeline looks at."""


def changed_fields(fields: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return each changed column with the changed words marked; answers first."""
    changed = []
    for column in sorted_columns(fields):
        old, new = changed_words(fields[column].old, fields[column].new)
        changed.append({"label": label(column), "old": old, "new": new})
    return changed


@needs()
def all_versions(request: Request) -> Response:
    """List every version, newest first."""
    published = versions.log(store_of(request))
    return render(request, "versions.html", versions=published)


@needs()
def version(request: Request) -> Response:
    """Show one version: what it changed in its parent, and its validation."""
    store = store_of(request)
    info = named_version(store, request.path_params["name"])
    info = versions.find(store, number=info.number)
    report = next(iter(validations(store, version=info.number)), None)
    return render(
        request,
        "version.html",
        info=info,
        report=report.report if report else None,
        **_diff(request, info.parent, info.number),
    )


@needs()
def diff(request: Request) -> Response:
    """Show what changed from one version to another."""
    store = store_of(request)
    old = named_version(store, request.query_params.get("from") or None)
    new = named_version(store, request.query_params.get("to") or None)
    return render(request, "diff.html", old=old, new=new, **_diff(request, old.number, new.number))


@needs()
def question(request: Request) -> Response:
    """Show every revision of a question, newest first."""
    steps = history.history(store_of(request), request.path_params["key"])
    told = [{"step": steps[0], "fields": []}]
    for before, after in pairwise(steps):
        fields = change_of(before.question, after.question).fields
        told.append({"step": after, "fields": changed_fields(fields)})
    return render(request, "question.html", question=steps[-1].question, told=told[::-1])


@needs()
def all_runs(request: Request) -> Response:
    """List every run with its cost, newest first."""
    return render(request, "runs.html", runs=runs.list_runs(store_of(request)))


@needs()
def run(request: Request) -> Response:
    """Show every checked question of a run, highest risk first."""
    key = request.path_params["key"]
    store = store_of(request)
    run = runs.get_run(store, key)
    checked = sorted(checks.checks(store, key), key=lambda check: -check.risk)
    prefect = request.app.state.settings.prefect_url
    link = f"{prefect}/runs/flow-run/{run.flow_run_id}" if prefect and run.flow_run_id else ""
    cost = sum(check.cost_usd for check in checked)
    return render(request, "run.html", run=run, checked=checked, prefect=link, cost=cost)


@needs()
def timeline(request: Request) -> Response:
    """Draw changes and staleness over time."""
    from freshqa.maintaining.timeline_plot import plot_timeline

    store = store_of(request)
    try:
        if not versions.log(store):
            raise NothingToDo("Nothing to plot.")
        timeline = read_timeline(store, until=now().date(), most_rows=MAX_ROWS)
        body = plot_timeline(timeline, heading=f"{store.dataset} over time", format="png")
    except FreshQAError as failure:
        return failed(request, failure)
    return Response(body, media_type="image/png")


def _diff(request: Request, old: int | None, new: int) -> dict[str, Any]:
    if old is None:
        return {"added": [], "removed": [], "changed": []}
    difference = changes.diff(store_of(request), old, new)
    changed = [
        {"key": change.key, "question": change.question, "fields": changed_fields(change.fields)}
        for change in difference.changed
    ]
    return {"added": difference.added, "removed": difference.removed, "changed": changed}
