"""`prefect-freshqa cite`."""

from __future__ import annotations

from typing import Annotated

import typer

from prefect_freshqa.cli.options import JsonOption, StoreOption, open_store
from prefect_freshqa.cli.output import emit
from prefect_freshqa.cli.selecting import (
    ChangedSinceOption,
    SampleOption,
    SeedOption,
    StratifyOption,
    TypeOption,
    ValidOnOption,
    selection_of,
)


def cite(
    version: Annotated[
        str, typer.Argument(metavar="[VERSION]", help="Number, tag or date. Default: the newest.")
    ] = "latest",
    changed_since: ChangedSinceOption = "",
    valid_on: ValidOnOption = "",
    types: TypeOption = None,
    sample: SampleOption = None,
    stratify: StratifyOption = "",
    seed: SeedOption = 0,
    store: StoreOption = "",
    json: JsonOption = False,
) -> None:
    """Print how to cite a version, or a selection of it: BibTeX, then CFF.

    The content hash identifies the rows. The canary string marks exports that were made with
    `pull --canary`; search a corpus or a model's output for it to find copies of the dataset.

    Example:

        prefect-freshqa cite paper-v2
    """
    from freshqa.dataset.canary import canary
    from freshqa.dataset.citation import Citation
    from freshqa.store import snapshots, verifying
    from freshqa.store.changes import selected
    from freshqa.store.versions import named_version

    opened = open_store(store)
    info = named_version(opened, version)
    described = info.to_json()
    selection = selection_of(changed_since, valid_on, types, sample, stratify, seed)
    if selection:
        rows = selected(opened, info.number, snapshots.snapshot(opened, info.number), selection)
        described["content_hash"] = verifying.content_hash(rows)
    citation = Citation.of(described, selection, dataset=opened.dataset)
    result = {
        "version": info.number,
        "as_of": info.as_of,
        "content_hash": citation.content_hash,
        "selection": selection.to_json(),
        "canary": canary(info.chain_hash),
        "bibtex": citation.bibtex(),
        "cff": citation.cff(),
    }
    emit(
        result,
        as_json=json,
        render=lambda console: console.print(
            f"{citation.bibtex()}\n{citation.cff()}", markup=False, highlight=False, end=""
        ),
    )
