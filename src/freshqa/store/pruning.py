"""Empty old calls and pages that no proposal needs."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import LargeBinary, Select, Table, func, literal, or_, select, update

from freshqa.store.database import Store
from freshqa.store.ledger_schema import completion, decision, proposal, publication, run, search
from freshqa.store.pages import prune_pages
from freshqa.store.proposal_status import newest_decision

NOTHING = literal(b"", LargeBinary)
REJECTED = "reject"


@dataclass(frozen=True)
class Pruned:
    """The number of emptied records.

    Args:
        searches: Recorded searches.
        completions: Recorded completions.
    pages: Texts of pages.
        runs_kept: Runs whose calls stay: a published version or an open proposal rests on them.
    """

    searches: int
    completions: int
    pages: int
    runs_kept: int


def prune(store: Store, *, before: datetime, dry_run: bool = False) -> Pruned:
    """Empty the bodies of calls recorded before a time; rows, hashes, costs and dates stay.

    Kept whole are the calls of every run with a published proposal, an open one, or one that was
    accepted. Proposals and checks are not touched: they hold the evidence they quote. What was
    emptied is never reused or replayed. SQLite gives the space back with `VACUUM`, PostgreSQL with
    its own.

    Args:
        store: The store.
        before: Calls recorded at this time or later stay.
        dry_run: Only count.
    """
    kept = _runs_that_matter()
    with store.write() as connection:
        pages = prune_pages(connection, kept, before=before, dry_run=dry_run)
        counts = {}
        for table in (search, completion):
            old = _old(table, before, kept)
            counts[table.name] = connection.execute(old).scalar_one()
            if not dry_run:
                where = old.whereclause
                assert where is not None
                connection.execute(update(table).where(where).values(body=NOTHING))
        matter = connection.execute(select(func.count()).select_from(kept.subquery())).scalar_one()
    return Pruned(counts[search.name], counts[completion.name], pages, matter)


def _old(table: Table, before: datetime, kept: Select[Any]) -> Select[Any]:
    unneeded = or_(table.c.run_id.is_(None), table.c.run_id.not_in(kept))
    full = func.length(table.c.body) > 0
    return (
        select(func.count()).select_from(table).where(table.c.recorded_at < before, unneeded, full)
    )


def _runs_that_matter() -> Select[Any]:
    """Runs of any dataset with a proposal that was published or not rejected, or still running."""
    rejected = (
        select(decision.c.id)
        .where(
            decision.c.proposal_id == proposal.c.id,
            decision.c.action == REJECTED,
            decision.c.sequence == newest_decision(decision.c.proposal_id),
        )
        .exists()
    )
    published = (
        select(publication.c.proposal_id).where(publication.c.proposal_id == proposal.c.id).exists()
    )
    with_proposals = select(proposal.c.run_id).where(or_(published, ~rejected))
    under_way = select(run.c.id).where(run.c.state == "running")
    return with_proposals.union(under_way).subquery().select()
