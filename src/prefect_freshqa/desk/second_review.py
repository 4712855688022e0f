"""Proposals that two people decide: neither sees the other's decision until both are given."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response

from freshqa.errors import NothingToDo, Refused
from freshqa.evaluation.agreement import cohen_kappa, krippendorff_alpha
from freshqa.maintaining.choice import Choice, Reviewable
from freshqa.maintaining.review import decision_of
from freshqa.store.opinions_and_reports import Opinion, give_opinion, pairs
from freshqa.store.proposal_decisions import review
from freshqa.store.proposals import reviewable
from prefect_freshqa.desk.accounts import PUBLISHER
from prefect_freshqa.desk.classes import risky_classes
from prefect_freshqa.desk.pages import needs, now, person_of, render, store_of, waiting


def needs_two(request: Request, item: Reviewable, edited: tuple[str, ...] = ()) -> bool:
    """Return whether a proposal belongs to a class that needs two decisions."""
    wanted = set(request.app.state.settings.second_review)
    return bool(wanted & risky_classes(item.proposal, item.row, edited=edited))


def record(request: Request, item: Reviewable, choice: Choice) -> None:
    """Record a choice: as the decision, or as one of two opinions.

    A publisher resolves two opinions that differ.
    """
    store, person, at = store_of(request), person_of(request), now()
    decision = decision_of(choice, item, by=person.name, at=at)
    if decision is None:
        raise NothingToDo("Nothing was decided.")
    given = waiting(request).opinions.get(item.id, ())
    if len(given) > 1:
        if not person.may(PUBLISHER):
            raise Refused("The two decisions on this proposal differ.", "A publisher must decide.")
        review(store, [choice], by=person.name, at=at)
    elif given or needs_two(request, item, tuple(decision.edits)):
        give_opinion(store, decision)
    else:
        review(store, [choice], by=person.name, at=at)


def waiting_for_others(request: Request) -> frozenset[int]:
    """Proposals that are not in this person's queue: decided by them already, or in conflict."""
    name = person_of(request).name
    return frozenset(
        id
        for id, given in waiting(request).opinions.items()
        if len(given) > 1 or any(opinion.by == name for opinion in given)
    )


def opinions_to_show(request: Request, item: Reviewable) -> tuple[Opinion, ...]:
    """Both opinions once there are two; before that, neither is shown."""
    given = waiting(request).opinions.get(item.id, ())
    own = tuple(o for o in given if o.by == person_of(request).name)
    return given if len(given) > 1 else own


@needs()
def conflicts(request: Request) -> Response:
    """Proposals on which two people differ, and how often pairs agree."""
    store = store_of(request)
    differing = {id: given for id, given in waiting(request).opinions.items() if len(given) > 1}
    shown = {item.id: item for item in reviewable(store, list(differing))} if differing else {}
    compared = pairs(store)
    labels = [(left.action, right.action) for left, right in compared]
    return render(
        request,
        "conflicts.html",
        conflicts=[(shown[id], given) for id, given in differing.items()],
        pairs=len(compared),
        same=sum(left.agrees(right) for left, right in compared),
        kappa=cohen_kappa(labels),
        alpha=krippendorff_alpha(labels),
        waiting=sum(len(given) == 1 for given in waiting(request).opinions.values()),
    )
