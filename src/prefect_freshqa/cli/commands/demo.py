"""`prefect-freshqa demo`: the main job on the shipped sample world."""

from __future__ import annotations

import json as json_text
import os
from datetime import date
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.text import Text

from freshqa import sample
from freshqa.dataset.diff import DatasetDiff, diff_snapshots
from freshqa.dataset.identity import match
from freshqa.dataset.release import read_release, write_release
from freshqa.maintaining.choice import Choice, Chosen
from freshqa.store import proposal_decisions, proposals, publishing, snapshots, versions
from freshqa.store.database import Store
from freshqa.store.proposals import StoredProposal, read_draft
from prefect_freshqa.cli.options import JsonOption, now
from prefect_freshqa.cli.output import emit, progress_to_stderr, table
from prefect_freshqa.cli.temporary_server import TemporaryServer

DATABASE = "freshqa.db"
SNAPSHOT = "orlune.csv"
LEFT_TO_A_PERSON = ("conflicting", "insufficient")
"""Outcomes that the scripted reviewer leaves open, so that proposals remain to be reviewed."""


def demo(
    folder: Annotated[
        Path, typer.Option("--folder", help="Folder for the store and the snapshot.")
    ] = Path("demo"),
    json: JsonOption = False,
) -> None:
    """Run the main job on an invented dataset: two weekly refreshes, reviewed and published.

    Needs no key and no network. Everything is written to one folder, which a second run replaces.

    Example:

        prefect-freshqa demo
    """
    say = progress_to_stderr()
    say.print("The world of this demo is invented, so nothing in it can be false or go stale.")
    store = fresh_store(folder)
    server = None
    if not os.environ.get("PREFECT_API_URL"):  # do not use the Prefect database of the user
        say.print("Starting a temporary Prefect server …")
        server = TemporaryServer(folder / "prefect")
        server.start()
    script = json_text.loads(sample.path("expected.json").read_text(encoding="utf-8"))
    say.print(f"Importing {script['questions']} questions as of {script['as_of']} …")
    import_sample(store, script)
    get_ready(server)
    weeks = [play_week(store, week, say, in_flow=server is None) for week in script["refreshes"]]
    newest = versions.find(store)
    snapshot = snapshots.snapshot(store, newest.number)
    (folder / SNAPSHOT).write_bytes(write_release(snapshot, "official", dialect=newest.dialect))
    changed = diff_snapshots(snapshots.snapshot(store, 1), snapshot)
    waiting = proposals.proposals(store)
    result = {
        "store": f"sqlite:///{folder / DATABASE}",
        "snapshot": str(folder / SNAPSHOT),
        "version": newest.number,
        "refreshes": weeks,
        "changed": changed.to_json()["changed"],
        "waiting": [{"id": p.id, "question": p.proposal.question} for p in waiting],
    }
    emit(result, as_json=json, render=lambda console: render(console, result, changed, waiting))


def fresh_store(folder: Path) -> Store:
    """Create an empty store in the folder; the files of an earlier demo are replaced."""
    folder.mkdir(parents=True, exist_ok=True)
    for name in (DATABASE, f"{DATABASE}-wal", f"{DATABASE}-shm", SNAPSHOT):
        (folder / name).unlink(missing_ok=True)
    url = f"sqlite:///{folder / DATABASE}"
    os.environ["PREFECT_FRESHQA_STORE"] = url
    return Store.open(url, create=True)


def get_ready(server: TemporaryServer | None) -> None:
    """Import what the flows need while the server starts, and wait for it."""
    from prefect_freshqa.cli.flow_runs import quiet_prefect
    from prefect_freshqa.expectations import evaluate, update_suite  # noqa: F401
    from prefect_freshqa.flows import refresh  # noqa: F401

    quiet_prefect()
    if server is not None:
        server.wait()


def import_sample(store: Store, script: dict[str, Any]) -> None:
    """The sample release as version 1."""
    release = read_release(sample.path(script["release"]))
    publishing.publish(
        store,
        match(release.questions, ()).questions,
        as_of=date.fromisoformat(script["as_of"]),
        now=now(),
        parent=None,
        kind="import",
        message="The republic of Orlune",
        dialect=release.dialect,
        original=release.original,
    )


def play_week(store: Store, week: dict[str, Any], say: Console, *, in_flow: bool) -> dict[str, Any]:
    """One refresh on recorded searches and replies, reviewed as the script says, published.

    Args:
        in_flow: Publish in a flow run, which the user's own server shows; see `publish`.
    """
    from prefect_freshqa.cli.commands.publish import publish_draft
    from prefect_freshqa.cli.flow_runs import progress_of, run_tagged
    from prefect_freshqa.flows.refresh import refresh_dataset
    from prefect_freshqa.tasks.planning import run_key
    from prefect_freshqa.tasks.refresh_settings import RefreshSettings

    as_of = date.fromisoformat(week["as_of"])
    settings = RefreshSettings(
        search=f"recorded:{sample.path(week['searches'])}",
        model=f"recorded:{sample.path(week['model'])}",
        every_question=True,
    )
    say.print(f"Refreshing as of {as_of} …")
    total = versions.find(store).rows
    with progress_of(store, run_key(None, as_of, settings), total):
        summary = run_tagged(refresh_dataset, as_of=as_of, settings=settings)
    review_as_scripted(store, week)
    published = publish_draft(
        store, read_draft(store), as_of=as_of, message=f"Week of {as_of}", in_flow=in_flow
    )
    say.print(f"Published version {published['version']}: {published['proposals']} proposals.")
    return {**summary, "published_version": published["version"]}


def review_as_scripted(store: Store, week: dict[str, Any]) -> None:
    """Decide as the script says: reject the forgery, leave the undecided open, accept the rest."""
    choices = []
    for stored in proposals.proposals(store):
        if stored.proposal.outcome.value in LEFT_TO_A_PERSON:
            continue
        forged = stored.proposal.question in week["reject"]
        action = Chosen.reject if forged else Chosen.accept
        reason = "the page is forged" if forged else "the evidence says so"
        choices.append(Choice(stored.id, action, reason=reason))
    proposal_decisions.review(store, choices, by="the demo's scripted reviewer", at=now())


def render(
    console: Console,
    result: dict[str, Any],
    changed: DatasetDiff,
    waiting: tuple[StoredProposal, ...],
) -> None:
    """Print the changes, the pending proposals, the snapshot, and commands to try next."""
    rows = [
        (change.question, column, field.old, field.new)
        for change in changed.changed
        for column, field in change.fields.items()
        if column in ("answer_0", "false_premise")
    ]
    title = f"What changed from version 1 to version {result['version']}"
    console.print(table(title, ("question", "field", "old", "new"), rows))
    pending = [
        (p.id, f"{p.proposal.risk:.2f}", p.proposal.outcome.value, p.proposal.question)
        for p in waiting
    ]
    console.print(table("What waits for review", ("id", "risk", "outcome", "question"), pending))
    console.print(Text(f"Snapshot: {result['snapshot']}\nStore: {result['store']}\n\nNext, try:"))
    store = f"--store {result['store']}"
    if pending:
        console.print(Text(f"  prefect-freshqa review show {pending[0][0]} {store}"))
    console.print(Text(f"  prefect-freshqa diff 1 {result['version']} {store}"))
