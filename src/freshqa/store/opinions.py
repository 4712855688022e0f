"""Independent opinions on a proposal: two that agree decide it, two that differ are a conflict.

An opinion is a row of the ledger of decisions that decides nothing: the proposal stays pending.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, select

from freshqa.maintaining.proposal import Action, Decision
from freshqa.store.database import Store
from freshqa.store.ledger_schema import decision as decisions
from freshqa.store.ledger_schema import proposal, run
from freshqa.store.proposal_decisions import (
    append_decision,
    decide_in,
    refuse_closed,
    wait_for_others,
)
from freshqa.store.proposal_status import OPINION, newest_decisions
from freshqa.store.proposals import StoredProposal, read_proposal


@dataclass(frozen=True)
class Opinion:
    """What one reviewer thinks, before the other one is asked.

    Args:
        proposal: Ledger id of the proposal.
        edits: Official column → text; empty once redacted.
    """

    proposal: int
    by: str
    at: datetime
    action: str
    edits: Mapping[str, str]
    reason: str

    def agrees(self, other: Opinion) -> bool:
        """Return whether both mean the same decision."""
        return (self.action, dict(self.edits)) == (other.action, dict(other.edits))


def give_opinion(store: Store, made: Decision) -> StoredProposal:
    """Record a reviewer's opinion; the second one that agrees with the first decides.

    Returns:
        The proposal: decided under both names, or still pending because one opinion is missing or
        they differ. A second opinion of the same reviewer replaces their first.

    Raises:
        Conflict, NotFound, Refused: as for `freshqa.store.proposal_decisions.decide`.
    """
    with store.write() as connection:
        wait_for_others(connection, [made.proposal])
        found = read_proposal(connection, store, made.proposal)
        refuse_closed(connection, found, False)
        earlier = [one for one in _given(connection, made.proposal) if one.by != made.by]
        kept = {"action": made.action.value, "edits": dict(made.edits)}
        values = {"action": OPINION, "edits": kept, "reason": made.reason}
        append_decision(connection, found.id, values, by=made.by, at=made.at)
        mine = _opinion(made)
        if len(earlier) != 1 or not earlier[0].agrees(mine):
            return read_proposal(connection, store, found.id)
        both = replace(
            made,
            by=f"{earlier[0].by[:98]}, {made.by[:98]}",
            reason="; ".join(filter(None, (earlier[0].reason, made.reason))),
        )
        return decide_in(connection, store, both, False)


def open_opinions(store: Store) -> dict[int, tuple[Opinion, ...]]:
    """Number of each proposal with opinions and without a decision → those opinions, oldest first."""
    query = newest_decisions(store.dataset_id, decisions.c.proposal_id)
    query = query.where(decisions.c.action == OPINION)
    with store.read() as connection:
        return {id: _given(connection, id) for id in connection.execute(query).scalars()}


def pairs(store: Store) -> list[tuple[Opinion, Opinion]]:
    """The first two opinions of different reviewers on each proposal, whatever was decided."""
    query = (
        select(decisions)
        .join(proposal, proposal.c.id == decisions.c.proposal_id)
        .join(run, run.c.id == proposal.c.run_id)
        .where(run.c.dataset_id == store.dataset_id, decisions.c.action == OPINION)
        .order_by(decisions.c.proposal_id, decisions.c.sequence)
    )
    given: dict[int, dict[str, Opinion]] = defaultdict(dict)
    with store.read() as connection:
        for row in connection.execute(query):
            given[row.proposal_id].setdefault(row.decided_by, _of_row(row))
    found = [list(by_name.values()) for by_name in given.values()]
    return [(one[0], one[1]) for one in found if len(one) > 1]


def cohen_kappa(labels: Sequence[tuple[str, str]]) -> float | None:
    """Agreement beyond chance of two raters (Cohen 1960); None where it is not defined."""
    if not labels:
        return None
    number = len(labels)
    same = sum(left == right for left, right in labels) / number
    names = {name for pair in labels for name in pair}
    lefts, rights = [left for left, _ in labels], [right for _, right in labels]
    chance = sum(lefts.count(name) * rights.count(name) for name in names) / number**2
    return None if chance == 1 else (same - chance) / (1 - chance)


def _given(connection: Connection, id: int) -> tuple[Opinion, ...]:
    """Return the newest opinion of each reviewer since the last decision or undo, oldest first."""
    query = select(decisions).where(decisions.c.proposal_id == id).order_by(decisions.c.sequence)
    newest: dict[str, Opinion] = {}
    for row in connection.execute(query):
        if row.action != OPINION:
            newest.clear()
            continue
        newest.pop(row.decided_by, None)
        newest[row.decided_by] = _of_row(row)
    return tuple(newest.values())


def _of_row(row: Row[Any]) -> Opinion:
    kept = row.edits or {}
    return Opinion(
        proposal=row.proposal_id,
        by=row.decided_by,
        at=row.decided_at,
        action=kept.get("action", Action.reject.value),
        edits=kept.get("edits", {}),
        reason=row.reason,
    )


def _opinion(made: Decision) -> Opinion:
    edits = dict(made.edits)
    return Opinion(made.proposal, made.by, made.at, made.action.value, edits, made.reason)
