"""`prefect-freshqa import`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console

from freshqa.choices import Repair
from freshqa.errors import UsageError
from prefect_freshqa.cli.options import (
    AsOfOption,
    JsonOption,
    StoreOption,
    now,
    open_store,
    parse_day,
)
from prefect_freshqa.cli.output import emit, table

if TYPE_CHECKING:
    from freshqa.dataset.damage import Damage
    from freshqa.dataset.importing import Import
    from freshqa.dataset.release import Release

SHOWN = 20


def import_(
    file: Annotated[
        str, typer.Argument(metavar="FILE|URL", help="File, web address or sheet link.")
    ],
    as_of: AsOfOption = None,
    message: Annotated[
        str, typer.Option("--message", "-m", help="Message stored with the version.")
    ] = "",
    confirm: Annotated[
        list[str] | None,
        typer.Option(
            "--confirm",
            metavar="KEY|all",
            help="Confirm that an uncertain pair is one question (repeat; KEY=wording links any two).",
        ),
    ] = None,
    repair: Annotated[
        Repair,
        typer.Option("--repair", help="Repairs to make: certain ones, none, or guesses too."),
    ] = "certain",
    encoding: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help="Encoding of a text file, such as cp1250 or shift_jis. Default: detected; a guess "
            "is named in a note.",
        ),
    ] = "",
    mapping: Annotated[
        list[str] | None,
        typer.Option(
            "--map",
            metavar="FIELD=COLUMN",
            help="Which column holds a field, such as question=Prompt or answer_0=target (repeat).",
        ),
    ] = None,
    allow_every_time: Annotated[
        bool,
        typer.Option(
            "--allow-every-time",
            help="Accept new questions that change more than once a week, as in a release that "
            "others published.",
        ),
    ] = False,
    store: StoreOption = "",
    json: JsonOption = False,
) -> None:
    """Import a release as a new version: CSV, XLSX, JSON, JSON lines or Parquet, with known damage repaired.

    Any file with questions and answers can be imported: the columns are recognised, the others are
    kept as attributes and written again by `pull`.

    Without --as-of, the date in the file's name counts (v03042024, v112425, 2025-11-24), else today,
    and a note says so. For an address, the name that the server gives the file counts.

    A new question that is reviewed every_time changes more than once a week and is refused, as in
    FreshLLMs. In the first version of a dataset no question is new.

    Example:

        prefect-freshqa import FreshQA_v03042024.csv --as-of 2024-03-04
    """
    from freshqa.dates.file_name import date_in_name
    from freshqa.store.publishing import prepare, publish_import

    opened = open_store(store, writes=True)
    release = read(file, repair=repair, encoding=encoding, mapping=parse_mapping(mapping or []))
    dated = date_in_name(release.name)
    day = parse_day(as_of, default=dated)
    prepared, parent = prepare(
        opened,
        release,
        confirm=confirm or [],
        repair=repair,
        allow_every_time=allow_every_time,
    )
    version = publish_import(opened, prepared, parent, as_of=day, message=message, now=now())
    result = {"version": version.number, "as_of": day, **prepared.to_json()}
    if as_of is None and dated is None:
        result["warnings"] = [undated(release.name, day), *prepared.warnings]
    emit(result, as_json=json, render=lambda console: render(console, result, prepared))


def parse_mapping(options: Sequence[str]) -> dict[str, str]:
    """Return field → column of the options `--map`.

    Raises:
        UsageError: not FIELD=COLUMN, or a field twice.
    """
    mapping: dict[str, str] = {}
    for option in options:
        field, separator, column = option.partition("=")
        if not (separator and field.strip() and column.strip()) or field.strip() in mapping:
            why = "Each field can be given once." if separator and column else ""
            raise UsageError(
                f"Invalid value for --map: {option!r}. {why}".rstrip(), "Use FIELD=COLUMN."
            )
        mapping[field.strip()] = column
    return mapping


def read(file: str, *, repair: str, encoding: str, mapping: Mapping[str, str]) -> Release:
    """The release in a file or behind an address."""
    from freshqa.dataset.release import read_release

    if "://" not in file:
        return read_release(Path(file), repair=repair, encoding=encoding, mapping=mapping)
    from prefect_freshqa.cli.download import download

    content, name = download(file)
    return read_release(content, name=name, repair=repair, encoding=encoding, mapping=mapping)


def undated(name: str, day: date) -> str:
    """The note that the date of the version was not given and today's is used."""
    return (
        f"no date was given and {name!r} does not contain one: the version is dated today, {day}; "
        "to date it otherwise, roll back and import it with --as-of YYYY-MM-DD"
    )


def render(console: Console, result: dict[str, Any], prepared: Import) -> None:
    """Print the report for people."""
    counts = ("questions", "added", "changed", "removed", "repaired")
    console.print(
        f"Version {result['version']} as of {result['as_of']}: "
        + ", ".join(f"{result[name]} {name}" for name in counts)
    )
    undone = prepared.repaired
    if undone:
        rows = repairs(undone)[:SHOWN]
        title = f"repaired cells ({len(undone)}; each one with --json)"
        console.print(table(title, ("row", "column", "kind", "was", "is"), rows))
    pairs = prepared.matching.unsure
    if pairs:
        columns = ("key", "earlier", "now", "similar", "looks")
        likely = [(p.key, p.old, p.new, f"{p.similarity:.0f}", p.relation) for p in pairs]
        console.print(table("the same question?", columns, likely))
    for warning in result.get("warnings", prepared.warnings):
        console.print(f"Note: {warning}", markup=False)


def repairs(undone: Sequence[Damage]) -> list[tuple[str, str, str, str, str | None]]:
    """One line per repair; the same repair of many cells is one line with their number."""
    alike: dict[tuple[str, str, str, str | None], list[int]] = defaultdict(list)
    for damage in undone:
        alike[damage.column, damage.kind, damage.text, damage.repaired].append(damage.row)
    return [
        (str(rows[0]) if len(rows) == 1 else f"{len(rows)} rows", *repair)
        for repair, rows in alike.items()
    ]
