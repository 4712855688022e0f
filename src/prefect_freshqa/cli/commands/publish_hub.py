"""`prefect-freshqa publish-hub`."""

from __future__ import annotations

from enum import Enum
from pathlib import Path
from typing import Annotated

import typer

from freshqa.errors import UsageError
from prefect_freshqa.cli.options import (
    JsonOption,
    StoreOption,
    TagOption,
    VersionOption,
    open_store,
)
from prefect_freshqa.cli.output import emit


class Create(str, Enum):
    """Visibility of a new repository."""

    private = "private"
    public = "public"


def publish_hub(
    repository: Annotated[
        str, typer.Argument(metavar="REPO", help="Dataset repository on the hub: owner/name.")
    ],
    license: Annotated[
        str,
        typer.Option(
            "--license",
            envvar="PREFECT_FRESHQA_LICENSE",
            metavar="ID",
            help="License of the data, as the hub names it: apache-2.0, cc-by-4.0, unknown, …",
        ),
    ],
    version: VersionOption = None,
    tag: TagOption = None,
    to: Annotated[
        Path | None,
        typer.Option("--to", metavar="FOLDER", help="Write the files here; nothing is sent."),
    ] = None,
    create: Annotated[
        Create | None,
        typer.Option("--create", help="Create the repository if it does not exist."),
    ] = None,
    canary: Annotated[
        bool, typer.Option("--canary", help="Add the version's canary string to every row.")
    ] = False,
    store: StoreOption = "",
    json: JsonOption = False,
) -> None:
    """Push a version to the Hugging Face hub: one commit, one tag vN.

    The repository gets a dataset card (statistics, changes, versions, licence, citation), the rows
    as Parquet, a Croissant 1.1 description and CITATION.cff. A version that is there already is
    compared by content hash and not sent again; other rows under its tag, and a version older than
    the newest there, are refused. The token is HF_TOKEN. Needs `prefect-freshqa[hub]`; with --to
    only the extra `parquet`.

    Example:

        prefect-freshqa publish-hub acme/freshqa --version 1 --license apache-2.0 --to hub

        prefect-freshqa publish-hub acme/freshqa --version 1 --license apache-2.0 --create private
    """
    if to and create:
        raise UsageError("--to and --create are mutually exclusive.", "Use one of them.")
    from freshqa.sharing.hub_files import hub_files
    from freshqa.store import versions
    from prefect_freshqa.sharing import shared_version

    opened = open_store(store)
    info = versions.find(opened, number=version, tag=tag)
    shared = shared_version(opened, info, license=license, canary=canary)
    files = hub_files(shared, repository)
    result = {
        "version": info.number,
        "content_hash": info.content_hash,
        "files": sorted(files),
        "repository": repository,
        "tag": shared.tag,
    }
    if to:
        from freshqa.sharing.folder import write_folder

        write_folder(files, to)
        result["folder"] = str(to)
        said = f"Version {info.number} is in {to}: {', '.join(sorted(files))}."
    else:
        from prefect_freshqa.hub import push

        pushed = push(
            repository,
            files,
            number=info.number,
            content_hash=info.content_hash,
            create=create.value if create else "",
        )
        result |= vars(pushed)
        what = "is now" if pushed.pushed else "was already"
        said = f"Version {info.number} {what} {shared.tag} of {repository} ({pushed.commit})."
    emit(result, as_json=json, render=lambda console: console.print(said, markup=False))
