"""`prefect-freshqa doctor`: what works, and what to do about the rest."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import asdict
from typing import Annotated

import requests
import typer
from rich.console import Console
from rich.text import Text

from freshqa.store import versions
from prefect_freshqa.cli.options import JsonOption, StoreOption, open_store
from prefect_freshqa.cli.output import emit
from prefect_freshqa.cli.providers import ModelOption, SearchOption
from prefect_freshqa.observations import Observation, observe
from prefect_freshqa.prefect_server import configured_server

NO_SERVER = Observation(
    "Prefect setup",
    works=False,
    needed=True,
    seen="--server was given, and no Prefect server answers",
    remedy="Start it and set PREFECT_API_URL.",
)


def doctor(
    store: StoreOption = "",
    probe: Annotated[
        bool,
        typer.Option("--probe", help="Also make one search and one completion; both are paid."),
    ] = False,
    search: SearchOption = "serpapi",
    model: ModelOption = "openai:gpt-4o",
    server: Annotated[
        bool,
        typer.Option(
            "--server", help="Also check workers, deployments, limits, automations and leases."
        ),
    ] = False,
    json: JsonOption = False,
) -> None:
    """Check the store, the keys, the Prefect server and the blocks, and say what to do.

    Each line says whether something was verified (used, with success) or is only present. Exit code 1
    when something needed does not work.

    Example:

        prefect-freshqa doctor --probe --search serpapi --model openai:gpt-4o
    """
    observations = [
        observe("store", lambda: see_store(store)),
        see_key("SERPAPI_API_KEY", "search through SerpApi"),
        see_key("OPENAI_API_KEY", "ask an OpenAI model"),
        see_server(),
    ]
    if observations[-1].works:
        from prefect_freshqa.provision.inspection import see_leases, see_setup

        observations += [observe("blocks", see_blocks), *see_leases()]
        if server:
            observations += see_setup()
    elif server:
        observations.append(NO_SERVER)
    if probe:
        from prefect_freshqa.cli.probing import probe_model, probe_search

        observations += [observe("search", lambda: probe_search(search))]
        observations += [observe("model", lambda: probe_model(model))]
    healthy = all(observation.works for observation in observations if observation.needed)
    result = {"healthy": healthy, "findings": [asdict(observation) for observation in observations]}
    emit(result, as_json=json, render=lambda console: render(console, observations))
    if not healthy:
        raise typer.Exit(1)


def render(console: Console, observations: Sequence[Observation]) -> None:
    """One line for each observation, and what to do about those that do not work."""
    for observation in observations:
        if observation.works:
            mark = ("verified", "green") if observation.verified else ("seen", "cyan")
        else:
            mark = ("missing", "red") if observation.needed else ("look at", "yellow")
        line = Text.assemble((f"{mark[0]:9}", mark[1]), f"{observation.what}: {observation.seen}")
        console.print(line)
        if observation.remedy and not observation.works:
            console.print(Text(f"          {observation.remedy}"))


def see_store(url: str) -> str:
    """Return where the store is and what it contains."""
    opened = open_store(url)
    address = f"{opened.url} (read-only)" if opened.read_only else opened.url
    head = versions.head(opened)
    if head is None:
        return f"{address}, empty; next: prefect-freshqa import FILE"
    return f"{address}, version {head.number} with {head.rows} questions"


def see_key(variable: str, purpose: str) -> Observation:
    """Return whether a key is in the environment; its value is never shown."""
    present = bool(os.environ.get(variable, "").strip())
    return Observation(
        variable,
        works=present,
        needed=False,
        verified=False,
        seen="set, not tried (--probe does)" if present else "not in the environment",
        remedy=f"To {purpose}: export {variable}=…, or save a block and name it.",
    )


def see_server() -> Observation:
    """Return whether the configured Prefect server answers."""
    url = configured_server()
    if not url:
        return Observation(
            "Prefect server",
            works=False,
            needed=False,
            seen="PREFECT_API_URL is not set; flows start a temporary one of their own",
            remedy="For schedules and the UI: prefect server start, then set PREFECT_API_URL.",
        )
    remedy = "Start it: prefect server start; or correct PREFECT_API_URL."
    try:
        answer = requests.get(f"{url.rstrip('/')}/health", timeout=5)
    except requests.RequestException as failure:
        seen = f"{url} does not answer ({type(failure).__name__})"
        return Observation("Prefect server", works=False, needed=True, seen=seen, remedy=remedy)
    seen = f"{url} answers {answer.status_code}"
    return Observation("Prefect server", works=answer.ok, needed=True, seen=seen, remedy=remedy)


def see_blocks() -> str:
    """The saved blocks of this plugin."""
    from prefect_freshqa.blocks.saved import saved_blocks

    names = [
        name for role in ("get_engine", "get_model", "get_store") for name in saved_blocks(role)
    ]
    return ", ".join(names) or "none saved, none needed: keys are taken from the environment"
