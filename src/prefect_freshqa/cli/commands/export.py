"""`prefect-freshqa export`."""

from __future__ import annotations

from enum import Enum
from pathlib import Path
from typing import Annotated

import typer

from freshqa.evaluation.judgement import Mode
from prefect_freshqa.cli.options import (
    JsonOption,
    StoreOption,
    TagOption,
    VersionOption,
    open_store,
)
from prefect_freshqa.cli.output import emit


class Harness(str, Enum):
    """Harnesses that run the task."""

    inspect = "inspect"
    lm_eval = "lm-eval"
    promptfoo = "promptfoo"
    openai_evals = "openai-evals"


def export(
    harness: Annotated[Harness, typer.Argument(help="What runs the task.")],
    output: Annotated[
        Path, typer.Option("-o", "--output", metavar="FOLDER", help="Output folder.")
    ],
    version: VersionOption = None,
    tag: TagOption = None,
    mode: Annotated[Mode, typer.Option(help="How FreshEval credits a response.")] = Mode.relaxed,
    split: Annotated[str, typer.Option(help="Only questions of this split, or all.")] = "TEST",
    canary: Annotated[
        bool, typer.Option("--canary", help="Add the version's canary string to every row.")
    ] = False,
    store: StoreOption = "",
    json: JsonOption = False,
) -> None:
    """Write a version as a task of an evaluation harness, graded by FreshEval.

    The task names dataset, version and content hash in the harness's results; README.md says how to
    run it. `evaluate --responses LOG` reads the harness's log: with `--judge recorded:LOG` it
    tabulates the harness's verdicts, with another judge it grades the responses again.

    Example:

        prefect-freshqa export inspect --version 1 -o inspect-freshqa
    """
    from freshqa.errors import NothingToDo
    from freshqa.sharing.folder import write_folder
    from freshqa.sharing.harness_files import harness_files
    from freshqa.store import versions
    from prefect_freshqa.sharing import shared_version

    opened = open_store(store)
    info = versions.find(opened, number=version, tag=tag)
    asked = "" if split == "all" else split
    shared = shared_version(opened, info, license="", canary=canary)
    if not any(asked in ("", q.fields["split"].strip()) for q in shared.questions):
        raise NothingToDo(f"Version {info.number} has no question in split {split!r}.")
    files = harness_files(shared, harness.value, mode=mode, split=asked)
    write_folder({path: text.encode() for path, text in files.items()}, output)
    result = {
        "harness": harness.value,
        "version": info.number,
        "content_hash": info.content_hash,
        "folder": str(output),
        "files": sorted(files),
    }
    said = f"Version {info.number} for {harness.value} is in {output}; see README.md there."
    emit(result, as_json=json, render=lambda console: console.print(said, markup=False))
