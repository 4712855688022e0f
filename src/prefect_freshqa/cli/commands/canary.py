"""`prefect-freshqa canary check`."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from freshqa.errors import ErrorKind, FreshQAError, NotFound
from prefect_freshqa.cli.options import JsonOption, StoreOption, open_store
from prefect_freshqa.cli.output import emit, progress_to_stderr

app = typer.Typer(no_args_is_help=True, rich_markup_mode="markdown")


@app.callback()
def canary() -> None:
    """Find copies of published versions by the canary string that their rows carry.

    `pull --canary` and `publish-hub --canary` write it; `cite` prints it.

    Example:

        prefect-freshqa canary check corpus/
    """


@app.command()
def check(
    paths: Annotated[
        list[Path], typer.Argument(metavar="FILE...", help="Files, or folders with files.")
    ],
    store: StoreOption = "",
    json: JsonOption = False,
) -> None:
    """Search files for canary strings, and name the version that each one marks.

    Any file is searched: a training corpus, a model's output, a log; gzip, ZIP, workbooks and
    Parquet are unpacked. Exits with 1 when a canary is found, with 0 when none is. Versions are
    named if the store holds them.

    Example:

        prefect-freshqa canary check corpus/ outputs.jsonl
    """
    from freshqa.dataset.canary import canaries_in_file

    files = files_of(paths)
    canaries = [(file, text) for file in files for text in sorted(canaries_in_file(file))]
    known = known_canaries(store) if canaries else {}
    records: list[dict[str, Any]] = [
        {"file": str(file), "canary": text, **known.get(text, {"dataset": None, "version": None})}
        for file, text in canaries
    ]
    lines = [
        f"{record['file']}: {record['canary']}"
        + (f" ({record['dataset']}, version {record['version']})" if record["version"] else "")
        for record in records
    ] or [f"No canary in {len(files)} files."]
    emit(
        {"files": len(files), "found": records},
        as_json=json,
        render=lambda console: console.print("\n".join(lines), markup=False, highlight=False),
    )
    if records:
        raise typer.Exit(1)


def files_of(paths: list[Path]) -> list[Path]:
    """Return the given files, and all files below the given folders.

    Raises:
        NotFound: a path does not exist.
    """
    files: list[Path] = []
    for path in paths:
        if not path.exists():
            raise NotFound(f"File not found: {path}.", "Check the path.")
        files += sorted(p for p in path.rglob("*") if p.is_file()) if path.is_dir() else [path]
    return files


def known_canaries(url: str) -> dict[str, dict[str, Any]]:
    """Canary → dataset and version, of every version of the store; empty without a store."""
    from freshqa.dataset.canary import canary as canary_of
    from freshqa.store.verifying import chain_hashes

    try:
        return {
            canary_of(chain): {"dataset": name, "version": number}
            for chain, (name, number) in chain_hashes(open_store(url)).items()
        }
    except FreshQAError as failure:
        if failure.kind not in (ErrorKind.store, ErrorKind.not_found):
            raise
        progress_to_stderr().print(
            f"Note: versions are not named, because the store cannot be read: {failure.message}",
            markup=False,
        )
        return {}
