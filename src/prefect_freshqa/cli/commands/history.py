"""`prefect-freshqa history`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.text import Text

from prefect_freshqa.cli.options import JsonOption, StoreOption, open_store
from prefect_freshqa.cli.output import emit

if TYPE_CHECKING:
    from collections.abc import Sequence

    from freshqa.store.history import Revision


def history(
    question: Annotated[
        str, typer.Argument(metavar="QUESTION", help="Key, any wording it had, or a part of it.")
    ],
    store: StoreOption = "",
    json: JsonOption = False,
) -> None:
    """Show every revision of one question, oldest first, with the evidence for each change.

    Example:

        prefect-freshqa history "Dodgers player to win the NL MVP"
    """
    from freshqa.store import history
    from freshqa.store.history import named_question

    opened = open_store(store)
    key = named_question(opened, question)
    steps = history.history(opened, key)
    described = [
        describe(step, before) for step, before in zip(steps, [None, *steps[:-1]], strict=True)
    ]
    emit(
        {"key": key, "question": steps[-1].question.text, "revisions": described},
        as_json=json,
        render=lambda console: render(console, steps, described),
    )


def describe(step: Revision, before: Revision | None) -> dict[str, Any]:
    """A revision, with what it changed."""
    from freshqa.dataset.diff import change_of

    changes = change_of(before.question, step.question).fields if before is not None else {}
    return {
        "first": step.first,
        "last": step.last,
        "as_of": step.as_of,
        "published_at": step.published_at,
        "revision": step.revision_hash,
        "redacted": step.redacted,
        "fields": dict(step.question.fields),
        "changes": {c: {"old": f.old, "new": f.new} for c, f in changes.items()},
        "proposal": step.proposal.to_json() if step.proposal else None,
    }


def render(
    console: Console, steps: Sequence[Revision], described: Sequence[dict[str, Any]]
) -> None:
    """One block per revision."""
    console.print(Text(f"{steps[-1].question.key}  {steps[-1].question.text}", "bold"))
    for step, told in zip(steps, described, strict=True):
        span = f"version {step.first}" + (f" to {step.last}" if step.last > step.first else "")
        redacted = ", redacted" if step.redacted else ""
        console.print(f"{span}, as of {step.as_of}, revision {step.revision_hash[:12]}{redacted}")
        if step is steps[0]:
            console.print(Text(f"    answers: {' | '.join(step.question.answers)}"))
        for column, change in told["changes"].items():
            console.print(
                Text(f"    {column}: {change['old']} → {change['new']}".replace("\n", " "))
            )
        if step.proposal is not None:
            render_source(console, step)


def render_source(console: Console, step: Revision) -> None:
    """Who accepted the revision, and on which evidence."""
    assert step.proposal is not None
    decision = step.proposal.decision
    if decision is not None:
        words = (
            f"    proposal {step.proposal.id}: {decision.action.value} by {decision.by}: "
            f"{decision.reason}"
        )
        console.print(Text(words.removesuffix(": ")))
    proposal = step.proposal.proposal
    for evidence in proposal.evidence:
        if evidence.id in proposal.quotes:
            console.print(Text(f"    “{proposal.quotes[evidence.id]}” {evidence.url}"))
