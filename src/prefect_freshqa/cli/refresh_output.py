"""How the command `refresh` shows the figures of a run."""

from __future__ import annotations

from typing import Any

import typer
from rich.console import Console

from freshqa.errors import RunFailed
from prefect_freshqa.cli.output import emit, table


def figures_of(failure: RunFailed) -> dict[str, Any]:
    """The figures of a run that failed, which has kept what it checked, and why it failed."""
    error = {"kind": failure.kind, "message": failure.message, "remedy": failure.remedy}
    return {**failure.summary, "error": error}


def report(result: dict[str, Any], *, as_json: bool) -> None:
    """Print the figures of a run, and exit 1 after a failure, 3 when nothing was due."""
    emit(result, as_json=as_json, render=lambda console: render_summary(console, result))
    if "error" in result:
        raise typer.Exit(1)
    if not result["due"]:
        raise typer.Exit(3)


def in_words(value: Any) -> Any:
    """Figures by name as one line, those of a step in brackets."""
    if not isinstance(value, dict):
        return value
    parts = [
        f"{name} {step['taken']} ({', '.join(f'{k} {v}' for k, v in step.items() if k != 'taken')})"
        if isinstance(step, dict)
        else f"{name} {step}"
        for name, step in value.items()
    ]
    return ", ".join(parts)


def render_summary(console: Console, result: dict[str, Any]) -> None:
    """The figures of a run, and what to do next."""
    rows = [(name, in_words(value)) for name, value in result.items() if name != "error"]
    console.print(table(f"Run {result['run']}", ("figure", "value"), rows))
    if "error" in result:
        console.print(f"{result['error']['message']}\n{result['error']['remedy']}", markup=False)
    if result["held"]:
        console.print("Next: prefect-freshqa review list")
    elif result["auto_accepted"] and result["published_version"] is None:
        console.print("Next: prefect-freshqa publish")
