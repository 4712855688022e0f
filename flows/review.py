"""Review in the Prefect UI: the run waits with a form, a person fills it, decisions are kept."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timezone
from typing import Annotated

from prefect import flow, get_run_logger
from prefect.flow_runs import suspend_flow_run
from pydantic import Field, ValidationError

from freshqa.errors import Conflict
from freshqa.maintaining.proposal import Decision
from freshqa.store import proposals
from freshqa.store.database import Store
from freshqa.store.proposals import StoredProposal
from prefect_freshqa.blocks.resolve import load_store
from prefect_freshqa.tasks.parameters import NoSecret
from prefect_freshqa.tasks.review_form import ReviewForm, blank_form, read_form


@flow(name="review-proposals", flow_run_name="review proposals", persist_result=False)
def review_proposals(
    store: NoSecret = "",
    run: str | None = None,
    batch_size: Annotated[int, Field(ge=1, le=10)] = 10,
) -> dict[str, int]:
    """Ask a person to decide the pending proposals, a batch at a time, highest risk first.

    The run suspends while a form waits and goes on in a new process, from the top: forms that were
    filled are answered from Prefect's record, decisions that were made are found in the ledger.

    Args:
        store: Name of a FreshQAStore block. Empty: PREFECT_FRESHQA_STORE, else the user's own file.
        run: Only proposals of this refresh. Default: all that are pending.
        batch_size: Proposals per form, at most 10: a longer form is unwieldy in the UI.

    Returns:
        How many proposals were decided, skipped, and refused because somebody else was first.
    """
    opened = load_store(store)
    done: dict[int, str] = {}
    number, problems, filled = 0, list[str](), None
    while batch := next_batch(opened, run, done, batch_size):
        number += 1
        answer = ask(number, batch, problems, filled)
        if isinstance(answer, str):
            problems = [answer]
            continue
        known = [stored.id for stored in proposals.proposals(opened, status=None, run=run)]
        decisions, problems = read_form(answer, known, at=datetime.now(timezone.utc))
        filled = answer if problems else None
        if not problems:
            done.update({line.proposal: "skipped" for line in answer.decisions})
            done.update(apply(opened, decisions))
    return {what: list(done.values()).count(what) for what in ("decided", "skipped", "refused")}


def next_batch(
    store: Store, run: str | None, done: dict[int, str], size: int
) -> list[StoredProposal]:
    """The pending proposals of highest risk that this run has not dealt with."""
    pending = proposals.proposals(store, run=run)
    return [stored for stored in pending if stored.id not in done][:size]


def ask(
    number: int, batch: Sequence[StoredProposal], problems: Sequence[str], filled: ReviewForm | None
) -> ReviewForm | str:
    """Suspend until the form is filled; what is wrong with it, if it does not even parse."""
    form = blank_form(batch, problems, filled)
    try:
        return suspend_flow_run(wait_for_input=form, key=f"form-{number}", timeout=None)
    except ValidationError as wrong:
        return "; ".join(error["msg"] for error in wrong.errors())


def apply(store: Store, decisions: Sequence[Decision]) -> dict[int, str]:
    """Record each decision; one that somebody else was first with is refused and named.

    A decision that is in the ledger already, from before this run was resumed, is left as it is.
    """
    outcome = {}
    for decision in decisions:
        try:
            proposals.decide(store, decision)
            outcome[decision.proposal] = "decided"
        except Conflict as refused:
            made = proposals.proposal(store, decision.proposal).decision
            mine = made is not None and (made.by, made.action) == (decision.by, decision.action)
            outcome[decision.proposal] = "decided" if mine else "refused"
            if not mine:
                get_run_logger().warning("%s", refused)
    return outcome
