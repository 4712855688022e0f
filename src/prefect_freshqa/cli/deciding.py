"""What `accept`, `reject`, `edit` and `keep` share: who decides, what, and the result."""

from __future__ import annotations

import getpass
from typing import Annotated

import typer
from rich.console import Console
from rich.text import Text

from freshqa.dataset.question import FIELD_COLUMNS
from freshqa.errors import UsageError
from freshqa.maintaining.choice import Choice
from freshqa.maintaining.proposal import Action
from freshqa.store import proposal_decisions
from freshqa.store.proposals import StoredProposal
from prefect_freshqa.cli.options import now, open_store
from prefect_freshqa.cli.output import emit
from prefect_freshqa.cli.proposal_output import listed

Ids = Annotated[list[int], typer.Argument(metavar="ID...", help="Numbers of proposals.")]
Reason = Annotated[str, typer.Option("--reason", "-r", help="Reason, stored with the decision.")]
Revise = Annotated[
    bool,
    typer.Option("--revise", help="Replace an earlier decision that is not published yet."),
]
WithSuggestions = Annotated[
    bool,
    typer.Option(
        "--with-suggestions", help="Apply the suggested fact type, hops and premise flag too."
    ),
]
By = Annotated[
    str,
    typer.Option(
        "--by",
        help="Name of the reviewer. Default: the name of your account.",
        envvar="PREFECT_FRESHQA_REVIEWER",
    ),
]


def decide(
    choices: list[Choice], *, by: str, revise: bool = False, store: str = "", json: bool = False
) -> None:
    """Decide proposals, all or none, and print the result."""
    opened = open_store(store)
    decided = proposal_decisions.review(opened, choices, by=reviewer(by), at=now(), revise=revise)

    def render(console: Console) -> None:
        for stored in decided:
            console.print(Text(f"{stored.id} {_result(stored)}: {stored.proposal.question}"))
        if any(stored.status in ("accepted", "edited") for stored in decided):
            console.print("Next: prefect-freshqa publish")

    emit({"decided": [listed(stored) for stored in decided]}, as_json=json, render=render)


def _result(stored: StoredProposal) -> str:
    decision = stored.decision
    if decision is None or decision.action is not Action.keep:
        return stored.status
    moved = decision.edits.get("next_review")
    return f"kept, next review {moved}" if moved else "kept"


def reviewer(by: str) -> str:
    """Return the name of the reviewer: `--by`, else the name of the account."""
    return by.strip() or getpass.getuser()


def parse_edits(pairs: list[str]) -> dict[str, str]:
    """`COLUMN=TEXT` pairs as column → text.

    Raises:
        UsageError: The column is unknown, or `=` is missing.
    """
    edits = {}
    for pair in pairs:
        column, separator, text = pair.partition("=")
        if not separator or column not in FIELD_COLUMNS:
            raise UsageError(
                f"Invalid value for --set: {pair!r}.",
                f"Use COLUMN=TEXT with one of {', '.join(FIELD_COLUMNS)}.",
            )
        edits[column] = text
    return edits
