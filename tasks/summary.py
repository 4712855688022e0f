"""The figures of a run, computed from the ledger."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from typing import Any

from freshqa.dataset.validation import ValidationReport
from freshqa.store import checks, proposal_status
from freshqa.store.budgets import spent
from freshqa.store.database import Store
from freshqa.store.runs import Run
from freshqa.store.versions import VersionInfo


def sum_up(
    store: Store,
    run: Run,
    planned: AbstractSet[str],
    report: ValidationReport,
    published: VersionInfo | None,
    *,
    seconds: float,
) -> dict[str, Any]:
    """The figures of a run in the shape of `prefect-freshqa refresh --json`; `planned` is keys.

    `checked` is the sum of `outcomes`; `failed` ones are counted there and stay due. The cost is
    the ledger's: calls of questions that a budget left over or a kill cut off were paid as well.
    """
    checked = checks.tally(store, run.key)
    decided = proposal_status.count_proposals(store, run=run.key)
    due = planned | checked.keys
    return {
        "run": run.key,
        "as_of": run.as_of.isoformat(),
        "base_version": run.base_version,
        "published_version": published.number if published else None,
        "due": len(due),
        "checked": len(checked.keys),
        "left_due": len(due) - len(checked.keys) + checked.outcomes["failed"],
        "searches": checked.searches,
        "completions": checked.completions,
        "tokens": checked.tokens,
        "cost_usd": str(spent(store, run.key).usd),
        "outcomes": dict(sorted(checked.outcomes.items())),
        "steps": checked.steps.to_json(),
        "proposals": decided.total() - decided["superseded"],
        "auto_accepted": decided["accepted"] + decided["edited"] + decided["published"],
        "held": decided["pending"],
        "validation": {
            "success": report.success,
            "errors": len(report.errors),
            "warnings": len(report.warnings),
            "known": len(report.known),
        },
        "seconds": round(seconds, 2),
    }
