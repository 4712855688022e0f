"""`prefect-freshqa runs`: what past refreshes did."""

from __future__ import annotations

from typing import Annotated, Any

import typer
from rich.console import Console

from freshqa.maintaining.proposal import CheckedQuestion
from freshqa.store import checks, runs
from prefect_freshqa.cli.options import JsonOption, StoreOption, open_store
from prefect_freshqa.cli.output import emit, table

app = typer.Typer(
    no_args_is_help=True, rich_markup_mode="markdown", help="See what refreshes did: list, show."
)


@app.command("list")
def list_runs(store: StoreOption = "", json: JsonOption = False) -> None:
    """List runs, newest first.

    Example:

        prefect-freshqa runs list
    """
    listed = runs.list_runs(open_store(store))

    def render(console: Console) -> None:
        rows = [
            (
                run.key,
                run.as_of,
                run.state,
                run.summary.get("checked"),
                run.summary.get("outcomes", {}).get("failed", 0) if run.summary else None,
                run.summary.get("left_due"),
                run.summary.get("proposals"),
                run.summary.get("cost_usd"),
            )
            for run in listed
        ]
        columns = (
            *("run", "as of", "state", "checked", "failed", "left due", "proposals"),
            "cost (USD)",
        )
        console.print(table(f"{len(rows)} runs", columns, rows))

    emit({"runs": [run.to_json() for run in listed]}, as_json=json, render=render)


@app.command("show")
def show_run(
    run: Annotated[str, typer.Argument(metavar="RUN", help="Run, as `runs list` names it.")],
    store: StoreOption = "",
    json: JsonOption = False,
) -> None:
    """Show every checked question of a run: outcome, risk, answers, evidence, cost.

    Example:

        prefect-freshqa runs show 2024-W11-search-only --json
    """
    opened = open_store(store)
    record = runs.get_run(opened, run)
    checked = sorted(checks.checks(opened, run), key=lambda item: -item.risk)

    def render(console: Console) -> None:
        rows = [
            (
                f"{c.risk:.2f}",
                c.outcome.value,
                c.question,
                " | ".join(c.stored),
                " | ".join(c.proposed),
            )
            for c in checked
        ]
        columns = ("risk", "outcome", "question", "stored", "proposed")
        console.print(table(f"Run {run}: {len(rows)} questions checked", columns, rows))

    result = {
        "run": record.key,
        "as_of": record.as_of,
        "base_version": record.base_version,
        "state": record.state,
        "summary": record.summary,
        "items": [item(check) for check in checked],
    }
    emit(result, as_json=json, render=render)


def item(checked: CheckedQuestion) -> dict[str, Any]:
    """One checked question in the shape of `runs show --json`."""
    return {
        "key": checked.key,
        "question": checked.question,
        "outcome": checked.outcome,
        "risk": checked.risk,
        "stored": list(checked.stored),
        "proposed": list(checked.proposed),
        "response": checked.response,
        "evidence": [finding.to_json() for finding in checked.evidence],
        "rounds": [dict(step) for step in checked.rounds],
        "searches": checked.searches,
        "completions": checked.completions,
        "tokens": checked.tokens,
        "cost_usd": checked.cost_usd,
        "error": checked.error,
    }
