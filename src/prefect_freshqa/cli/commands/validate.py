"""`prefect-freshqa validate`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from freshqa.errors import UsageError
from prefect_freshqa.cli.options import (
    AsOfOption,
    JsonOption,
    StoreOption,
    VersionOption,
    open_store,
)
from prefect_freshqa.cli.output import emit, table
from prefect_freshqa.cli.validation_subject import Subject, beside, from_file, from_store

if TYPE_CHECKING:
    from freshqa.dataset.validation import ValidationReport, Violation

SHOWN = 50
SHORT = 60
REFUSED = 3


def validate(
    file: Annotated[str, typer.Argument(metavar="[FILE]", help="A release file.")] = "",
    version: VersionOption = None,
    draft: Annotated[
        bool, typer.Option("--draft", help="The draft that `publish` would publish now.")
    ] = False,
    base: Annotated[
        str,
        typer.Option(
            "--base",
            metavar="N|FILE",
            help="Compare with this version; violations that it has are not new.",
        ),
    ] = "",
    as_of: AsOfOption = None,
    html: Annotated[
        Path | None,
        typer.Option("--html", metavar="FOLDER", help="Write Data Docs to this folder."),
    ] = None,
    store: StoreOption = "",
    json: JsonOption = False,
) -> None:
    """Run the expectation suites on a version, a draft, or any release file.

    A version and a draft are compared with the version before them: a violation that it
    has too does not count. Without --as-of, the version's date counts, or the one in the file's name.
    Exit code 3 when there are errors.

    Example:

        prefect-freshqa validate FreshQA_v03042024.csv --as-of 2024-03-04
    """
    if sum((bool(file), version is not None, draft)) > 1:
        raise UsageError("FILE, --version and --draft are mutually exclusive.", "Pass one of them.")
    subject = (
        from_file(file, as_of)
        if file
        else from_store(open_store(store), version, as_of, draft=draft)
    )
    if base:
        subject = beside(subject, base, store)
    report = _judge(subject, html)
    result = {
        **report.to_json(),
        "subject": subject.name,
        "as_of": subject.as_of,
        "questions": len(subject.questions),
        "data_docs": str(html / "index.html") if html else None,
    }
    emit(result, as_json=json, render=lambda console: render(console, subject, report))
    if not report.success:
        raise typer.Exit(REFUSED)


def _judge(subject: Subject, html: Path | None) -> ValidationReport:
    from prefect_freshqa.expectations import gate

    judged = gate.judge(
        subject.questions,
        as_of=subject.as_of,
        base=subject.base,
        base_as_of=subject.base_as_of,
        reasons=subject.reasons,
        lacking=subject.lacking,
    )
    if html is not None:
        from prefect_freshqa.expectations.data_docs import write_data_docs

        write_data_docs(judged.results, html)
    return judged.report


def render(console: Console, subject: Subject, report: ValidationReport) -> None:
    """The report for a person: errors, then warnings."""
    from prefect_freshqa.expectations.report import headline

    console.print(f"{subject.name} as of {subject.as_of}. {headline(report)}", markup=False)
    if report.skipped:
        missing = ", ".join(sorted(subject.lacking))
        console.print(
            f"Skipped, because the dataset has no {missing}: {', '.join(report.skipped)}.",
            markup=False,
        )
    for title, violations in (("errors", report.errors), ("warnings", report.warnings)):
        if not violations:
            continue
        rows = [(v.rule, v.question, _wrong(v)) for v in violations[:SHOWN]]
        shown = f"{title} ({len(rows)} of {len(violations)}; all with --json)"
        console.print(table(shown, ("rule", "question", "what is wrong"), rows))


def _wrong(violation: Violation) -> str:
    """Column, message, and the value unless the message quotes it."""
    value = violation.value if violation.value not in violation.message else ""
    short = value if len(value) <= SHORT else value[: SHORT - 1] + "…"
    where = f"{violation.column}: " if violation.column else ""
    return f"{where}{violation.message}" + (f" ({short})" if short else "")
