"""`prefect-freshqa doctor`: what works, and what to do about the rest."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import asdict, dataclass

import requests
import typer
from rich.console import Console
from rich.text import Text

from freshqa.errors import FreshQAError
from freshqa.store import versions
from prefect_freshqa.cli.options import JsonOption, StoreOption, open_store
from prefect_freshqa.cli.output import emit


@dataclass(frozen=True)
class Finding:
    """One thing looked at: whether it works, what was seen, what to do about it."""

    what: str
    works: bool
    needed: bool
    seen: str
    remedy: str = ""


def doctor(store: StoreOption = "", json: JsonOption = False) -> None:
    """Look at the store, the keys, the Prefect server and the blocks; say what to do.

    Exit code 1 when something needed does not work.

    Example:

        prefect-freshqa doctor
    """
    findings = [
        look("store", lambda: see_store(store)),
        see_key("SERPAPI_API_KEY", "search through SerpApi"),
        see_key("OPENAI_API_KEY", "ask an OpenAI model"),
        see_server(),
    ]
    if os.environ.get("PREFECT_API_URL") and findings[-1].works:
        findings.append(look("blocks", see_blocks))
    healthy = all(finding.works for finding in findings if finding.needed)

    def render(console: Console) -> None:
        for finding in findings:
            mark = ("works", "green") if finding.works else ("missing", "red")
            if not finding.works and not finding.needed:
                mark = ("not set", "yellow")
            line = Text.assemble((f"{mark[0]:8}", mark[1]), f"{finding.what}: {finding.seen}")
            console.print(line)
            if finding.remedy and not finding.works:
                console.print(Text(f"         {finding.remedy}"))

    result = {"healthy": healthy, "findings": [asdict(finding) for finding in findings]}
    emit(result, as_json=json, render=render)
    if not healthy:
        raise typer.Exit(1)


def look(what: str, see: Callable[[], str]) -> Finding:
    """See something needed; its failure is the finding."""
    try:
        return Finding(what, works=True, needed=True, seen=see())
    except FreshQAError as failure:
        return Finding(what, works=False, needed=True, seen=failure.message, remedy=failure.remedy)


def see_store(url: str) -> str:
    """Where the store is and what it holds."""
    opened = open_store(url)
    head = versions.head(opened)
    if head is None:
        return f"{opened.url}, empty; next: prefect-freshqa import FILE"
    return f"{opened.url}, version {head.number} with {head.rows} questions"


def see_key(variable: str, purpose: str) -> Finding:
    """Whether a key is in the environment; its value is never shown."""
    present = bool(os.environ.get(variable, "").strip())
    return Finding(
        variable,
        works=present,
        needed=False,
        seen="set" if present else "not in the environment",
        remedy=f"To {purpose}: export {variable}=…, or save a block and name it.",
    )


def see_server() -> Finding:
    """Whether the configured Prefect server answers."""
    url = os.environ.get("PREFECT_API_URL", "")
    if not url:
        return Finding(
            "Prefect server",
            works=False,
            needed=False,
            seen="PREFECT_API_URL is not set; flows start a temporary one of their own",
            remedy="For schedules and the UI: prefect server start, then set PREFECT_API_URL.",
        )
    remedy = "Start it: prefect server start; or mend PREFECT_API_URL."
    try:
        answer = requests.get(f"{url.rstrip('/')}/health", timeout=5)
    except requests.RequestException as failure:
        seen = f"{url} does not answer ({type(failure).__name__})"
        return Finding("Prefect server", works=False, needed=True, seen=seen, remedy=remedy)
    seen = f"{url} answers {answer.status_code}"
    return Finding("Prefect server", works=answer.ok, needed=True, seen=seen, remedy=remedy)


def see_blocks() -> str:
    """The saved blocks of this plugin."""
    from prefect_freshqa.blocks.saved import saved_blocks

    names = [
        name for role in ("get_engine", "get_model", "get_store") for name in saved_blocks(role)
    ]
    return ", ".join(names) or "none saved, none needed: keys are taken from the environment"
