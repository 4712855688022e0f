"""`prefect-freshqa pull`."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING, Annotated, Any

import typer

from freshqa.errors import UsageError
from prefect_freshqa.cli.options import (
    AsOfOption,
    JsonOption,
    StoreOption,
    TagOption,
    VersionOption,
    open_store,
    parse_day,
)
from prefect_freshqa.cli.output import emit, progress_to_stderr
from prefect_freshqa.cli.pulled_file import (
    STDOUT,
    Format,
    Layout,
    by_ending,
    imported_file,
    refuse_on_stdout,
    write,
)
from prefect_freshqa.cli.selecting import (
    ChangedSinceOption,
    SampleOption,
    SeedOption,
    StratifyOption,
    TypeOption,
    ValidOnOption,
    refuse_with_selection,
    selection_of,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import date

    from freshqa.dataset.dialect import Dialect
    from freshqa.dataset.question import Question
    from freshqa.store.versions import VersionInfo

REPORTED = ("version", "as_of", "questions", "content_hash", "selection")


def pull(
    version: VersionOption = None,
    tag: TagOption = None,
    as_of: AsOfOption = None,
    format: Annotated[
        Format | None,
        typer.Option(
            "--format",
            help="official: CSV as FreshQA publishes it, or as the imported file was; csv: plain CSV. "
            "csv, jsonl, parquet and xlsx also have the column `key`. Default: by the file's "
            "ending; official for .csv and stdout.",
        ),
    ] = None,
    output: Annotated[
        str, typer.Option("--output", "-o", metavar="FILE|-", help="Output file; - is stdout.")
    ] = STDOUT,
    dialect: Annotated[
        Layout,
        typer.Option(
            "--dialect", help="`own`: as the imported file was written; `official`: as FreshQA is."
        ),
    ] = Layout.own,
    original: Annotated[
        bool,
        typer.Option("--original", help="The imported file itself, as it was before any repair."),
    ] = False,
    server: Annotated[
        str,
        typer.Option("--from", metavar="URL", help="Server to pull from, instead of the store."),
    ] = "",
    changed_since: ChangedSinceOption = "",
    valid_on: ValidOnOption = "",
    types: TypeOption = None,
    sample: SampleOption = None,
    stratify: StratifyOption = "",
    seed: SeedOption = 0,
    canary: Annotated[
        bool, typer.Option("--canary", help="Add the version's canary string to every row.")
    ] = False,
    cff: Annotated[
        bool, typer.Option("--cff", help="Also write a citation of these rows to FILE.cff.")
    ] = False,
    store: StoreOption = "",
    json: JsonOption = False,
) -> None:
    """Write a version, or a selection of its rows, to a file.

    Example:

        prefect-freshqa pull --tag paper-v2 --format parquet -o freshqa.parquet

        prefect-freshqa pull --from https://freshqa.example.org --tag paper-v2 -o freshqa.csv

        prefect-freshqa pull --sample 100 --stratify fact_type,num_hops --seed 7 -o sample.jsonl
    """
    from freshqa.dataset.canary import canary as canary_of
    from freshqa.dataset.citation import Citation
    from freshqa.dataset.writing import write_release
    from freshqa.store import snapshots, verifying, versions
    from freshqa.store.changes import selected

    if output == STDOUT:
        refuse_on_stdout(json=json, cff=cff)
    if original and (server or canary):
        other = "--from" if server else "--canary"
        raise UsageError(f"--original and {other} are mutually exclusive.", "Use one of them.")
    day = parse_day(as_of) if as_of else None
    if server:
        described, questions, own = from_server(server, version, tag, day)
    else:
        opened = open_store(store)
        info = versions.find(opened, number=version, tag=tag, as_of=day)
        described, own = info.to_json(), info.dialect
        questions = snapshots.snapshot(opened, info.number)
        warn_when_redacted(info, verifying.content_hash(questions))
    kind = format or by_ending(output)
    selection = selection_of(changed_since, valid_on, types, sample, stratify, seed)
    if selection:
        refuse_with_selection(server=server, original=original)
        questions = selected(opened, info.number, questions, selection)
        described = {
            **described,
            "questions": len(questions),
            "content_hash": verifying.content_hash(questions),
            "selection": selection.to_json(),
        }
    dataset = "freshqa" if server else opened.dataset
    citation = Citation.of(described, selection, dataset=dataset)
    if original:
        body = imported_file(opened, info.number)
    else:
        layout = own if dialect is Layout.own else None
        body = write_release(
            questions,
            kind.value,
            dialect=layout,
            metadata=citation.metadata(),
            canary=canary_of(str(described["chain_hash"])) if canary else "",
        )
    write(body, output)
    if cff:
        write(citation.cff().encode(), f"{output}.cff")
    if output != STDOUT:
        written = "original" if original else kind.value
        report(described, body, {"format": written, "file": output}, as_json=json)


def report(
    described: Mapping[str, Any], body: bytes, where: Mapping[str, str], *, as_json: bool
) -> None:
    """Print what was written, and where."""
    result = {
        **{name: described[name] for name in REPORTED if name in described},
        **where,
        "bytes": len(body),
        "sha256": hashlib.sha256(body).hexdigest(),
    }
    said = "Version {version} (as of {as_of}, {questions} questions) is in {file}."
    emit(
        result,
        as_json=as_json,
        render=lambda console: console.print(said.format(**result), markup=False),
    )


def from_server(
    url: str, number: int | None, tag: str | None, day: date | None
) -> tuple[Mapping[str, Any], Sequence[Question], Dialect | None]:
    """A verified version of a server: what is known of it, its rows, how its file was written.

    Raises:
        UsageError: more than one way to name the version.
    """
    from prefect_freshqa.client import fetch

    given = [name for name in (number, tag, day) if name is not None]
    if len(given) > 1:
        raise UsageError("--version, --tag and --as-of are mutually exclusive.", "Use one of them.")
    remote = fetch(url, given[0] if given else None)
    if remote.offline:
        progress_to_stderr().print(
            f"Note: the server does not answer; this is version {remote.number} from the cache."
        )
    return remote.described, remote.questions, remote.dialect


def warn_when_redacted(version: VersionInfo, content_hash: str) -> None:
    """Warn on stderr that the pulled rows differ from those that were published."""
    if content_hash != version.content_hash:
        progress_to_stderr().print(
            f"Note: the rows of version {version.number} are not those it was published with; "
            f"see: prefect-freshqa verify --version {version.number}"
        )
