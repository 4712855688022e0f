"""The results of a refresh as one hash, which is equal for equal results."""

from __future__ import annotations

import hashlib
from datetime import datetime, timezone

from freshqa.maintaining.draft import build_draft
from freshqa.maintaining.proposal import Action, Decision
from freshqa.store import proposals, snapshots, verifying
from freshqa.store.checks import checks
from freshqa.store.database import Store


def fingerprint(store: Store, run: str) -> str:
    """SHA-256 of all that a run on version 1 came to: checks, proposals, the draft made of them.

    Without times and numbers, which differ between two runs of the same work.
    """
    check_rows = sorted(
        (c.key, c.outcome.value, f"{c.risk:.9f}", c.proposed, c.response, c.searches, c.completions)
        for c in checks(store, run)
    )
    stored = proposals.proposals(store, status=None)
    suggested = sorted((p.proposal.key, sorted(p.proposal.changes.items())) for p in stored)
    now = datetime.now(timezone.utc)
    draft = build_draft(
        snapshots.snapshot(store, 1),
        [(p.proposal, Decision(p.id, Action.accept, by="test", at=now)) for p in stored],
    )
    text = repr((check_rows, suggested, verifying.content_hash(draft)))
    return hashlib.sha256(text.encode("utf-8")).hexdigest()
