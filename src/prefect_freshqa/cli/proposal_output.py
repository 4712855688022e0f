"""Print proposals: in short, listed for scripts, or in full for a reviewer."""

from __future__ import annotations

from typing import Any

from rich.console import Console
from rich.text import Text

from freshqa.maintaining.review import has_value
from freshqa.maintaining.stored_right import stored_right
from freshqa.store.proposals import StoredProposal
from prefect_freshqa.cli.output import table


def in_short(stored: StoredProposal) -> str:
    """Old and new answer in one cell, or the other changes if the answer is unchanged."""
    changes = stored.proposal.changes
    if "answer_0" in changes:
        return f"{changes['answer_0'].old} → {changes['answer_0'].new}"
    return "; ".join(f"{c}: {change.old} → {change.new}" for c, change in changes.items())


def listed(stored: StoredProposal) -> dict[str, Any]:
    """Return the shape of `review list`: without evidence."""
    proposal = stored.proposal.to_json()
    left_out = ("evidence", "quotes", "raw_response", "base_revision")
    kept = {name: value for name, value in proposal.items() if name not in left_out}
    return {"id": stored.id, "run": stored.run, "status": stored.status, **kept}


def render_proposal(console: Console, stored: StoredProposal) -> None:
    """Old | new | evidence, the supporting quote in bold."""
    proposal = stored.proposal
    console.print(Text(f"{stored.id}. {proposal.question}", style="bold"))
    console.print(
        f"{proposal.outcome.value}, risk {proposal.risk:.2f}, confidence {proposal.confidence:.2f}, "
        f"{stored.status}"
    )
    if chance := stored_right(proposal):
        console.print(f"Stored answer right: {chance} (calibrated)")
    for reason in proposal.reasons:
        console.print(Text(f"- {reason}"))
    for flag in proposal.flags:
        console.print(Text(f"! {flag}", style="red"))
    rows = [(column, change.old, change.new) for column, change in proposal.changes.items()]
    console.print(table("Changes", ("field", "old", "new"), rows))
    for column, suggestion in proposal.suggestions.items():
        console.print(Text(f"Suggestion for {column}: {suggestion}"))
    for number, candidate in enumerate(proposal.candidates, 1):
        console.print(Text(f"Candidate {number}: {candidate}"))
    for finding in reversed(proposal.evidence):
        when = finding.date.isoformat() if finding.date else finding.date_raw or "undated"
        console.print(Text(f"\n{finding.title or finding.source} ({when})", style="underline"))
        quoted = Text(finding.snippet)
        if finding.id in proposal.quotes:
            quoted.highlight_words([proposal.quotes[finding.id]], style="bold green")
        console.print(quoted)
        if finding.url:
            console.print(Text(finding.url, style="cyan"))
    console.print(f"\nNext: prefect-freshqa review {_next_step(stored)}")


def _next_step(stored: StoredProposal) -> str:
    """The subcommands that decide this proposal, those that need a value only where there is one."""
    proposal, id = stored.proposal, stored.id
    ways = [f"keep {id}", f"edit {id}", f"reject {id}"]
    if proposal.candidates:
        ways.insert(0, f"accept {id} --candidate 1")
    if has_value(proposal):
        ways.insert(0, f"accept {id}")
    if proposal.suggested_values:
        ways.append(f"accept {id} --with-suggestions")
    return " | ".join(ways)
