"""`prefect-freshqa review`: decide what a refresh proposed."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from freshqa.errors import NothingToDo, UsageError
from freshqa.maintaining.choice import Choice, Chosen
from freshqa.store import proposal_decisions, proposals
from prefect_freshqa.cli.deciding import (
    By,
    Ids,
    Reason,
    Revise,
    WithSuggestions,
    decide,
    parse_edits,
    reviewer,
)
from prefect_freshqa.cli.options import JsonOption, StoreOption, now, open_store
from prefect_freshqa.cli.output import emit, table
from prefect_freshqa.cli.proposal_output import in_short, listed, render_proposal

app = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode="markdown",
    help="Decide what a refresh proposed: list, show, accept, keep, reject, edit, export, import.",
)

NO_PROPOSAL = "There are no proposals ({status})."


@app.command("list")
def list_proposals(
    status: Annotated[
        str,
        typer.Option(
            help="pending, accepted, edited, rejected, kept, superseded, outdated, published or all."
        ),
    ] = "pending",
    run: Annotated[str | None, typer.Option(help="Only proposals of this run.")] = None,
    store: StoreOption = "",
    json: JsonOption = False,
) -> None:
    """List proposals, highest risk first.

    Example:

        prefect-freshqa review list
    """
    opened = open_store(store)
    stored = proposals.proposals(opened, status=None if status == "all" else status, run=run)

    def render(console: Console) -> None:
        if not stored:
            console.print(NO_PROPOSAL.format(status=status))
            return
        rows = [
            (
                p.id,
                f"{p.proposal.risk:.2f}",
                p.proposal.outcome.value,
                p.proposal.question,
                in_short(p),
            )
            for p in stored
        ]
        columns = ("id", "risk", "outcome", "question", "old → new")
        console.print(table(f"{len(rows)} proposals ({status})", columns, rows))
        console.print(f"Next: prefect-freshqa review show {rows[0][0]}")

    emit({"proposals": [listed(p) for p in stored]}, as_json=json, render=render)


@app.command("show")
def show_proposal(
    id: Annotated[int, typer.Argument(metavar="ID", help="Number of the proposal.")],
    store: StoreOption = "",
    json: JsonOption = False,
) -> None:
    """Show one proposal: old and new, why, and the evidence with the quote marked.

    Example:

        prefect-freshqa review show 7
    """
    stored = proposals.proposal(open_store(store), id)
    emit(stored.to_json(), as_json=json, render=lambda console: render_proposal(console, stored))


@app.command("accept")
def accept(
    ids: Ids,
    candidate: Annotated[
        int | None,
        typer.Option(
            min=1, metavar="N", help="Take candidate N of `review show` as the answer (one ID)."
        ),
    ] = None,
    with_suggestions: WithSuggestions = False,
    reason: Reason = "",
    by: By = "",
    revise: Revise = False,
    store: StoreOption = "",
    json: JsonOption = False,
) -> None:
    """Accept proposals; they go into the next published version.

    A proposal without a value (insufficient evidence) needs --candidate, or `keep` or `edit`.

    Example:

        prefect-freshqa review accept 7 8 --reason "Official site says so"
    """
    if candidate is not None and len(ids) > 1:
        raise UsageError("--candidate needs exactly one ID.", "Pick candidates one by one.")
    choices = [Choice(id, Chosen.accept, {}, candidate, with_suggestions, reason) for id in ids]
    decide(choices, by=by, revise=revise, store=store, json=json)


@app.command("keep")
def keep(
    ids: Ids,
    with_suggestions: WithSuggestions = False,
    reason: Reason = "",
    by: By = "",
    revise: Revise = False,
    store: StoreOption = "",
    json: JsonOption = False,
) -> None:
    """Confirm the stored answers; a review date that has passed is moved forward.

    Example:

        prefect-freshqa review keep 9 --reason "Checked on the official site"
    """
    choices = [Choice(id, Chosen.keep, {}, None, with_suggestions, reason) for id in ids]
    decide(choices, by=by, revise=revise, store=store, json=json)


@app.command("reject")
def reject(
    ids: Ids,
    reason: Reason = "",
    by: By = "",
    revise: Revise = False,
    store: StoreOption = "",
    json: JsonOption = False,
) -> None:
    """Reject proposals; the stored row keeps its answers and its review date.

    Example:

        prefect-freshqa review reject 9 --reason "A forged page"
    """
    choices = [Choice(id, Chosen.reject, reason=reason) for id in ids]
    decide(choices, by=by, revise=revise, store=store, json=json)


@app.command("edit")
def edit(
    id: Annotated[int, typer.Argument(metavar="ID", help="Number of the proposal.")],
    set: Annotated[
        list[str],
        typer.Option("--set", metavar="COLUMN=TEXT", help="New text of a column; repeatable."),
    ],
    with_suggestions: WithSuggestions = False,
    reason: Reason = "",
    by: By = "",
    revise: Revise = False,
    store: StoreOption = "",
    json: JsonOption = False,
) -> None:
    """Accept a proposal with your own text.

    Example:

        prefect-freshqa review edit 7 --set "answer_0=Idris Quane" --set answer_1=Quane
    """
    choice = Choice(id, Chosen.edit, parse_edits(set), None, with_suggestions, reason)
    decide([choice], by=by, revise=revise, store=store, json=json)


@app.command("export")
def export(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="Sheet to write: .csv or .xlsx.")],
    sample: Annotated[
        int | None,
        typer.Option(metavar="N", help="Only N proposals, outcomes in proportion."),
    ] = None,
    seed: Annotated[int, typer.Option(help="Random seed of --sample.")] = 0,
    store: StoreOption = "",
    json: JsonOption = False,
) -> None:
    """Write the pending proposals to a sheet to fill in.

    With --sample, only some of them, for a second annotator; the same seed selects the same ones.

    Example:

        prefect-freshqa review export second.csv --sample 40 --seed 7
    """
    from freshqa.dataset.whole_file import write_whole
    from freshqa.maintaining.review_sample import review_sample
    from freshqa.maintaining.review_sheet import write_review_sheet

    pending = proposals.proposals(open_store(store))
    if not pending:
        raise NothingToDo(NO_PROPOSAL.format(status="pending"), "Run: prefect-freshqa refresh")
    if sample is not None:
        pending = tuple(review_sample(pending, sample, seed=seed))
    written = write_review_sheet(pending, format=file.suffix.lstrip(".").lower() or "csv")
    write_whole(written, file)
    told = f"Wrote {len(pending)} proposals to {file}.\n"
    told += f"Fill its columns, then: prefect-freshqa review import {file}"
    result = {"file": str(file), "proposals": len(pending)}
    emit(result, as_json=json, render=lambda console: console.print(told))


@app.command("import")
def import_sheet(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The filled sheet: .csv or .xlsx.")],
    by: By = "",
    store: StoreOption = "",
    json: JsonOption = False,
) -> None:
    """Import a filled-in sheet. If one row is invalid, none is applied, and every invalid row is listed.

    Example:

        prefect-freshqa review import proposals.xlsx --by Ada
    """
    from freshqa.maintaining.review_sheet import read_review_sheet

    opened = open_store(store)
    pending = proposals.proposals(opened)
    shown = proposals.reviewable(opened, [stored.id for stored in pending])
    decisions = read_review_sheet(
        file.read_bytes(), pending=shown, by=reviewer(by), now=now(), name=file.name
    )
    decided = proposal_decisions.decide_all(opened, decisions)
    left = len(pending) - len(decided)
    told = f"Decided {len(decided)} proposals, {left} are left."
    result = {"decided": [listed(stored) for stored in decided], "left": left}
    emit(result, as_json=json, render=lambda console: console.print(told))
