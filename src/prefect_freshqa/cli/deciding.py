"""What `accept`, `reject` and `edit` share: who decides, what, and what became of it."""

from __future__ import annotations

import getpass

from rich.console import Console
from rich.text import Text

from freshqa.dataset.question import FIELD_COLUMNS
from freshqa.errors import UsageError
from freshqa.maintaining.proposal import Action, Decision
from freshqa.store import proposals
from prefect_freshqa.cli.options import now, open_store
from prefect_freshqa.cli.output import emit
from prefect_freshqa.cli.proposal_output import listed


def decide(
    ids: list[int],
    action: Action,
    *,
    reason: str,
    by: str,
    revise: bool,
    store: str,
    json: bool,
    edits: dict[str, str] | None = None,
) -> None:
    """Decide proposals, all or none, and print what became of them."""
    opened = open_store(store)
    decisions = [
        Decision(
            proposal=id, action=action, by=reviewer(by), at=now(), reason=reason, edits=edits or {}
        )
        for id in ids
    ]
    decided = proposals.decide_all(opened, decisions, revise=revise)

    def render(console: Console) -> None:
        for stored in decided:
            console.print(Text(f"{stored.id} {stored.status}: {stored.proposal.question}"))
        if action is not Action.reject:
            console.print("Next: prefect-freshqa publish")

    emit({"decided": [listed(stored) for stored in decided]}, as_json=json, render=render)


def reviewer(by: str) -> str:
    """Who decides: `--by`, else the name of the account."""
    return by.strip() or getpass.getuser()


def parse_edits(pairs: list[str]) -> dict[str, str]:
    """`COLUMN=TEXT` pairs as column → text.

    Raises:
        UsageError: no such column, or no `=`.
    """
    edits = {}
    for pair in pairs:
        column, separator, text = pair.partition("=")
        if not separator or column not in FIELD_COLUMNS:
            raise UsageError(
                f"--set {pair!r} has no column name.",
                f"Use COLUMN=TEXT with one of {', '.join(FIELD_COLUMNS)}.",
            )
        edits[column] = text
    return edits
