"""`prefect-freshqa testbed`."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from prefect_freshqa.cli.options import JsonOption, StoreOption, open_store
from prefect_freshqa.cli.output import emit, table


def testbed(
    output: Annotated[
        Path, typer.Option("-o", "--output", metavar="FOLDER", help="Where the files go.")
    ],
    old: Annotated[
        int | None,
        typer.Option(metavar="N", help="Version with the former answers. Default: the oldest."),
    ] = None,
    new: Annotated[
        int | None,
        typer.Option(metavar="N", help="Version with the present answers. Default: the newest."),
    ] = None,
    size: Annotated[int, typer.Option(min=2, help="Most questions in each testbed.")] = 100,
    seed: Annotated[int, typer.Option(help="The same seed gives the same files.")] = 0,
    store: StoreOption = "",
    json: JsonOption = False,
) -> None:
    """Write RGB testbeds from two versions: documents with present, former and no answers.

    Makes base.jsonl (noise, rejection), integration.jsonl and counterfactual.jsonl in RGB's own
    format, which `qualify` reads; no file of RGB is needed.

    Example:

        prefect-freshqa testbed --old 1 --new 2 -o testbeds
    """
    from freshqa.evaluation.rgb.own import Dated, own_testbeds
    from freshqa.evaluation.rgb.testbed import write_testbed
    from freshqa.store import versions

    opened = open_store(store)
    oldest = min((version.number for version in versions.log(opened)), default=None)
    former = versions.find(opened, number=old or oldest)
    present = versions.find(opened, number=new)
    beds = own_testbeds(
        Dated(versions.snapshot(opened, former.number), former.as_of),
        Dated(versions.snapshot(opened, present.number), present.as_of),
        size=size,
        seed=seed,
    )
    output.mkdir(parents=True, exist_ok=True)
    files: list[dict[str, Any]] = []
    for kind, items in beds.items():
        content = write_testbed(items)
        path = output / f"{kind.value}.jsonl"
        path.write_bytes(content)
        sha256 = hashlib.sha256(content).hexdigest()
        files.append({"file": str(path), "kind": kind.value, "items": len(items), "sha256": sha256})
    result = {"old": former.number, "new": present.number, "seed": seed, "testbeds": files}
    emit(result, as_json=json, render=lambda console: render_files(console, result))


def render_files(console: Console, result: dict[str, Any]) -> None:
    """The files, and the command that reads them."""
    rows = [(bed["file"], bed["kind"], bed["items"]) for bed in result["testbeds"]]
    heading = f"Testbeds from versions {result['old']} and {result['new']}"
    console.print(table(heading, ("file", "kind", "questions"), rows))
    options = " ".join(f"--testbed {bed['file']}" for bed in result["testbeds"])
    console.print(f"Next: prefect-freshqa qualify {options} --model BLOCK", markup=False)
