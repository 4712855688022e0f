"""One proposal: view it, decide it, undo the decision."""

from __future__ import annotations

from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from freshqa.dataset.question import Question
from freshqa.errors import Conflict, FreshQAError, NotFound, NothingToDo, UsageError
from freshqa.maintaining.choice import Choice, Chosen, Reviewable, read_action
from freshqa.store import history
from freshqa.store.proposal_decisions import undo
from freshqa.store.proposal_status import last_decided
from freshqa.store.proposals import StoredProposal, proposal, reviewable
from prefect_freshqa.desk.accounts import REVIEWER
from prefect_freshqa.desk.pages import (
    done,
    failed,
    field,
    needs,
    now,
    person_of,
    render,
    reservations_of,
    store_of,
    wants_json,
)
from prefect_freshqa.desk.proposal_view import EDITED, edits_of, view
from prefect_freshqa.desk.queue_page import address, filters_of, queue_of
from prefect_freshqa.desk.second_review import needs_two, opinions_to_show, record
from prefect_freshqa.desk.words import changed_words

MAX_REASON = 2000
HISTORY = 6


@needs()
def show(request: Request) -> Response:
    """Show a proposal; opening it reserves it for a reviewer."""
    return _page(request, _id(request))


@needs(REVIEWER)
def take_over(request: Request) -> Response:
    """Take over a proposal that another reviewer has open."""
    id = _id(request)
    reservations_of(request).open(id, person_of(request).name, now=now(), steal=True)
    return done(request, address(f"/proposals/{id}", filters_of(request)))


@needs(REVIEWER)
def decide(request: Request) -> Response:
    """Record a decision and show the next proposal."""
    id = _id(request)
    by = person_of(request).name
    filters = filters_of(request)
    following = _next(request, id)
    try:
        held = reservations_of(request).open(id, by, now=now())
        if held.by != by:
            raise Conflict(f"{held.by} has this proposal open.", "Take it over first.")
        item = reviewable(store_of(request), [id])[0]
        choice = _choice(request, item)
        if choice.action is Chosen.defer:
            request.app.state.deferred.setdefault(by, set()).add(id)
        else:
            record(request, item, choice)
        reservations_of(request).release([id], by)
    except FreshQAError as failure:
        if wants_json(request):
            return failed(request, failure)
        return _page(request, id, failure=failure, typed=_typed(request))
    path = f"/proposals/{following}" if following else "/queue"
    return done(request, address(path, filters))


@needs(REVIEWER)
def take_back(request: Request) -> Response:
    """Undo a decision: that of the form, or the newest of this person."""
    by = person_of(request).name
    try:
        given = field(request, "id")
        id = int(given) if given.isdecimal() else last_decided(store_of(request), by)
        if id is None:
            raise NothingToDo("You have not decided anything that can be undone.")
        undo(store_of(request), id, by=by, at=now())
    except FreshQAError as failure:
        return failed(request, failure)
    return done(request, address(f"/proposals/{id}", filters_of(request)))


def _id(request: Request) -> int:
    return int(request.path_params["id"])


def _choice(request: Request, item: Reviewable) -> Choice:
    said = read_action(field(request, "action"))
    typed = _typed(request)
    edits = edits_of(item, typed) if said.action in (Chosen.edit, Chosen.keep) else {}
    if said.action is Chosen.keep:
        edits = {c: text for c, text in edits.items() if c == "next_review"}
    reason = field(request, "reason").strip()
    if len(reason) > MAX_REASON:
        raise UsageError(f"The reason exceeds {MAX_REASON} characters.", "Shorten it.")
    return Choice(
        proposal=item.id,
        action=said.action,
        edits=edits,
        candidate=said.candidate,
        with_suggestions=bool(field(request, "with_suggestions"))
        and said.action
        not in (
            Chosen.reject,
            Chosen.defer,
        ),
        reason=reason,
    )


def _typed(request: Request) -> dict[str, str]:
    names = (*EDITED, "answers", "reason")
    form = request.state.form
    return {name: field(request, name) for name in names if name in form}


def _next(request: Request, id: int) -> int | None:
    """Return the next proposal in the person's queue that no other person has open."""
    others = reservations_of(request).others(person_of(request).name, now=now())
    ids = [entry.id for entry in queue_of(request, filters_of(request))]
    at = ids.index(id) + 1 if id in ids else 0
    return next((other for other in [*ids[at:], *ids[:at]] if other not in (id, *others)), None)


def _page(
    request: Request,
    id: int,
    *,
    failure: FreshQAError | None = None,
    typed: dict[str, str] | None = None,
) -> Response:
    store = store_of(request)
    stored = proposal(store, id)
    item = reviewable(store, [id])[0]
    person = person_of(request)
    ids = [entry.id for entry in queue_of(request, filters_of(request))]
    at = ids.index(id) if id in ids else -1
    held = None
    if person.may(REVIEWER) and stored.status == "pending":
        held = reservations_of(request).open(id, person.name, now=now())
    context = view(item, item.proposal.as_of, _history(request, item.row))
    context["values"] |= typed or {}
    filters = filters_of(request)
    links = {
        "previous": address(f"/proposals/{ids[at - 1]}", filters) if at > 0 else "",
        "following": address(f"/proposals/{ids[at + 1]}", filters)
        if 0 <= at < len(ids) - 1
        else "",
        "queue": address("/queue", filters),
        "decide": address(f"/proposals/{id}/decision", filters),
        "take_over": address(f"/proposals/{id}/take-over", filters),
        "undo": address("/undo", filters),
    }
    status = 200 if failure is None else 409
    extra: dict[str, Any] = {
        "stored": stored,
        "links": links,
        "position": at + 1,
        "total": len(ids),
        "held": held if held and held.by != person.name else None,
        "failure": failure,
        "reason": (typed or {}).get("reason", ""),
        "open": _is_open(request, stored),
        "run_url": f"/runs/{stored.run}",
        "opinions": opinions_to_show(request, item),
        "twice": needs_two(request, item),
    }
    return render(request, "proposal.html", status=status, **context, **extra)


def _is_open(request: Request, stored: StoredProposal) -> bool:
    return person_of(request).may(REVIEWER) and stored.status == "pending"


def _history(request: Request, row: Question) -> list[dict[str, Any]]:
    """The latest revisions of the question, oldest first, with their answers."""
    try:
        steps = history.history(store_of(request), row.key)
    except NotFound:
        return []
    told = []
    before = ""
    for step in steps:
        parts = (
            changed_words(before, step.question.primary)[1]
            if before
            else [(step.question.primary, False)]
        )
        told.append({"first": step.first, "as_of": step.as_of, "answer": parts})
        before = step.question.primary
    return told[-HISTORY:]
