"""Review in the Prefect UI: the run waits for a form, then records its decisions."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timezone
from typing import Annotated, Any, cast

from prefect import flow, get_run_logger
from prefect.flow_runs import suspend_flow_run
from prefect.input import keyset_from_base_key, read_flow_run_input
from pydantic import Field, ValidationError

from freshqa.errors import Conflict
from freshqa.maintaining.proposal import Decision, Outcome
from freshqa.maintaining.review import decisions_of
from freshqa.store import proposal_decisions, proposals
from freshqa.store.database import Store
from freshqa.store.proposals import StoredProposal
from prefect_freshqa.blocks.resolve import load_store
from prefect_freshqa.tasks.parameters import NoSecret
from prefect_freshqa.tasks.review_form import (
    FormInput,
    Place,
    ReviewForm,
    blank_form,
    read_form,
    shown_in,
    with_all_accepted,
)

Risk = Annotated[float, Field(ge=0, le=1)]


@flow(name="review-proposals", flow_run_name="review proposals", persist_result=False)
def review_proposals(
    store: NoSecret = "",
    run: str | None = None,
    batch_size: Annotated[int, Field(ge=1, le=10)] = 10,
    outcomes: list[Outcome] | None = None,
    min_risk: Risk = 0.0,
    max_risk: Risk = 1.0,
) -> dict[str, int]:
    """Ask a person to decide the pending proposals, a batch at a time, highest risk first.

    The run suspends while a form waits and continues in a new process, from the top: forms that
    were filled are answered from Prefect's record, decisions that were made are in the ledger. A
    form decides only the proposals that it showed.

    Args:
        store: Name of a FreshQAStore block. Empty: PREFECT_FRESHQA_STORE, else the user's own file.
        run: Only proposals of this refresh. Default: all that are pending.
        batch_size: Proposals per form, at most 10: a longer form is unwieldy in the UI.
        outcomes: Only proposals with one of these outcomes. Default: all.
        min_risk: Only proposals with at least this risk, 0 to 1.
        max_risk: Only proposals with at most this risk, 0 to 1.

    Returns:
        How many proposals were decided, skipped, and refused because another person decided first.
    """
    opened = load_store(store)
    done: dict[int, str] = {}
    number, answered, problems, filled = 0, 0, list[str](), None
    while True:
        waiting = [
            stored
            for stored in proposals.proposals(opened, run=run)
            if stored.id not in done
            and (not outcomes or stored.proposal.outcome in outcomes)
            and min_risk <= stored.proposal.risk <= max_risk
        ]
        number += 1
        batch = shown_before(opened, number) or waiting[:batch_size]
        if not batch:
            break
        left = len({stored.id for stored in waiting} - {stored.id for stored in batch})
        place = Place(answered + 1, answered + 1 + -(-left // batch_size))
        answer = ask(number, blank_form(batch, problems, filled, place=place))
        if isinstance(answer, str):
            problems = [answer]
            continue
        filled = answer.filled()
        decisions, problems = read_answer(opened, answer, [stored.id for stored in batch])
        if not problems:
            filled, answered = None, answered + 1
            done.update({stored.id: "skipped" for stored in batch})
            done.update(apply(opened, decisions))
    return {what: list(done.values()).count(what) for what in ("decided", "skipped", "refused")}


def shown_before(store: Store, number: int) -> list[StoredProposal]:
    """Return the form `number` of this suspended run; empty when it has not been shown yet."""
    key = keyset_from_base_key(f"suspended-{_key(number)}")["schema"]
    saved = cast("dict[str, Any] | None", read_flow_run_input(key))
    fields = (saved or {}).get("properties", {})
    return [proposals.proposal(store, id) for id in shown_in(fields)]


def ask(number: int, form: type[FormInput]) -> FormInput | str:
    """Suspend until the form is filled; return what is wrong with it if it cannot be parsed."""
    try:
        return suspend_flow_run(wait_for_input=form, key=_key(number), timeout=None)
    except ValidationError as wrong:
        return "; ".join(error["msg"] for error in wrong.errors())


def _key(number: int) -> str:
    return f"review-form-{number}"


def read_answer(
    store: Store, answer: FormInput, shown: Sequence[int]
) -> tuple[list[Decision], list[str]]:
    """The decisions of an answered form, and what is wrong with it (then none is recorded)."""
    now = datetime.now(timezone.utc)
    form: ReviewForm = answer.filled()
    choices, problems = read_form(form, shown, at=now)
    if problems:
        return [], problems
    read = {item.id: item for item in proposals.reviewable(store, shown)}
    if answer.accept_all:
        choices = with_all_accepted(choices, read)
    decisions, wrong = decisions_of(choices, list(read.values()), by=form.reviewer, at=now)
    return decisions, [str(problem) for problem in wrong]


def apply(store: Store, decisions: Sequence[Decision]) -> dict[int, str]:
    """Record each decision; report those that another person made first.

    A decision that is in the ledger already, from before this run was resumed, is left as it is.
    """
    outcome = {}
    for decision in decisions:
        try:
            proposal_decisions.decide(store, decision)
            outcome[decision.proposal] = "decided"
        except Conflict as refused:
            prior = proposals.proposal(store, decision.proposal).decision
            same = prior is not None and (prior.by, prior.action) == (decision.by, decision.action)
            outcome[decision.proposal] = "decided" if same else "refused"
            if not same:
                get_run_logger().warning("%s", refused)
    return outcome
