"""The queue: pending proposals, filters, and acceptance of a selection."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from freshqa.errors import FreshQAError, Refused, UsageError
from freshqa.maintaining.choice import Choice, Chosen
from freshqa.store.proposal_decisions import review
from prefect_freshqa.desk.accounts import REVIEWER
from prefect_freshqa.desk.entry import EVERYTHING, Entry, Filters
from prefect_freshqa.desk.inbox import ValueCount
from prefect_freshqa.desk.pages import (
    done,
    failed,
    needs,
    now,
    person_of,
    render,
    reservations_of,
    store_of,
    waiting,
)
from prefect_freshqa.desk.second_review import waiting_for_others

PAGE = 100
"""Rows of a page of the queue."""


def filters_of(request: Request) -> Filters:
    """Return the filters that the query of the address sets."""
    known = asdict(Filters())
    return Filters(**{name: request.query_params.get(name, "")[:200] for name in known})


def address(path: str, filters: Filters, **more: str) -> str:
    """Return a path with the filters that are set."""
    given = {name: value for name, value in {**asdict(filters), **more}.items() if value}
    return f"{path}?{urlencode(given)}" if given else path


def queue_of(request: Request, filters: Filters) -> list[Entry]:
    """Return the queue of this person: highest risk first, deferred proposals last."""
    deferred = request.app.state.deferred.get(person_of(request).name, set())
    hidden = waiting_for_others(request)
    entries = [entry for entry in waiting(request).entries if entry.id not in hidden]
    if filters != EVERYTHING:
        entries = [entry for entry in entries if filters.match(entry)]
    return sorted(entries, key=lambda entry: entry.id in deferred)


@needs()
def home(request: Request) -> Response:
    """Redirect to the queue, or to the versions on a read-only server."""
    read_only = request.app.state.settings.read_only
    return RedirectResponse("/versions" if read_only else "/queue", status_code=303)


@needs()
def queue(request: Request) -> Response:
    """Show the queue, filtered, a page at a time."""
    return _page(request)


@needs(REVIEWER)
def accept_selected(request: Request) -> Response:
    """Accept several proposals, all or none."""
    try:
        ids = {int(id) for id in request.state.form.get("id", [])}
    except ValueError:
        return failed(request, UsageError("Invalid number of a proposal.", "Reload the page."))
    entries = [entry for entry in waiting(request).entries if entry.id in ids]
    try:
        _refuse(request, entries, len(ids))
        choices = [Choice(entry.id, Chosen.accept, reason="Accepted in bulk") for entry in entries]
        review(store_of(request), choices, by=person_of(request).name, at=now())
    except FreshQAError as failure:
        return failed(request, failure)
    return done(request, "/queue")


def _refuse(request: Request, entries: Sequence[Entry], asked: int) -> None:
    if not asked:
        raise UsageError("Nothing is selected.", "Select proposals first.")
    if len(entries) != asked:
        raise Refused("Some of the selected proposals are no longer open.", "Reload the queue.")
    second = set(request.app.state.settings.second_review)
    held = [str(entry.id) for entry in entries if not entry.bulk or entry.classes & second]
    if held:
        raise Refused(f"Proposals {', '.join(held)} must be decided one by one.", "Deselect them.")


def _page(request: Request) -> Response:
    filters = filters_of(request)
    shown = queue_of(request, filters)
    pages = max(1, -(-len(shown) // PAGE))
    asked = request.query_params.get("page", "")
    page = min(pages, max(1, int(asked))) if asked.isdecimal() and len(asked) < 7 else 1
    second = set(request.app.state.settings.second_review)
    entries = shown[(page - 1) * PAGE : page * PAGE]
    others = reservations_of(request).others(person_of(request).name, now=now())
    context: dict[str, Any] = {
        "filters": filters,
        "active": {n: v for n, v in asdict(filters).items() if v and n != "text"},
        "entries": entries,
        "first": (page - 1) * PAGE,
        "earlier": address("/queue", filters, page=str(page - 1)) if page > 1 else "",
        "later": address("/queue", filters, page=str(page + 1)) if page < pages else "",
        "matching": len(shown),
        "total": len(waiting(request).entries),
        "facets": [
            (facet.title, [_link(filters, facet.filter, count) for count in facet.counts])
            for facet in waiting(request).facets
            if facet.counts
        ],
        "query": address("", filters),
        "others": {id: held.by for id, held in others.items()},
        "selectable": {e.id for e in entries if e.bulk and not e.classes & second},
        "progress": waiting(request).decided,
    }
    return render(request, "queue.html", **context)


def _link(filters: Filters, name: str, count: ValueCount) -> dict[str, Any]:
    """Return the link that sets a filter to a value, or clears it where it has this value."""
    chosen = getattr(filters, name) == count.value
    url = address("/queue", Filters(**{**asdict(filters), name: "" if chosen else count.value}))
    return {"value": count.value, "count": count.entries, "chosen": chosen, "url": url}
