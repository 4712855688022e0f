"""`prefect-freshqa validate`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console

from freshqa.dataset.question import Question
from freshqa.errors import UsageError
from prefect_freshqa.cli.options import (
    AsOfOption,
    JsonOption,
    StoreOption,
    VersionOption,
    now,
    open_store,
    parse_day,
)
from prefect_freshqa.cli.output import emit, table

if TYPE_CHECKING:
    from freshqa.dataset.validation import Reason, ValidationReport
    from freshqa.store.database import Store

SHOWN = 50
REFUSED = 3


@dataclass(frozen=True)
class Subject:
    """What is validated, and beside what."""

    name: str
    questions: Sequence[Question]
    as_of: date
    base: Sequence[Question] | None = None
    base_as_of: date | None = None
    reasons: Mapping[str, Reason] | None = None


def validate(
    file: Annotated[str, typer.Argument(metavar="[FILE]", help="A release file.")] = "",
    version: VersionOption = None,
    draft: Annotated[
        bool, typer.Option("--draft", help="The draft that `publish` would publish now.")
    ] = False,
    base: Annotated[
        str, typer.Option("--base", metavar="N|FILE", help="Only what is not in it counts as new.")
    ] = "",
    as_of: AsOfOption = None,
    html: Annotated[
        Path | None, typer.Option("--html", metavar="FOLDER", help="Write Data Docs there.")
    ] = None,
    store: StoreOption = "",
    json: JsonOption = False,
) -> None:
    """Run the expectation suites on a version, a draft, or any release file as it stands.

    A version and a draft are judged beside the version before them: what that breaks too is known
    and does not count. Without --as-of, the version's date counts, or the one in the file's name.
    Exit code 3 when there are errors.

    Example:

        prefect-freshqa validate FreshQA_v03042024.csv --as-of 2024-03-04
    """
    if sum((bool(file), version is not None, draft)) > 1:
        raise UsageError("FILE, --version and --draft are three things.", "Give one of them.")
    subject = _from_file(file, as_of) if file else _from_store(open_store(store), version, draft, as_of)
    if base:
        subject = _beside(subject, base, store)
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


def _from_file(file: str, as_of: str | None) -> Subject:
    from freshqa.dataset.importing import date_in_name
    from freshqa.dataset.release import read_release

    release = read_release(Path(file), repair="none")
    day = parse_day(as_of, default=date_in_name(release.name))
    return Subject(release.name, release.questions, day)


def _from_store(store: Store, version: int | None, draft: bool, as_of: str | None) -> Subject:
    from freshqa.store import versions

    if draft:
        from prefect_freshqa.tasks.publishing import make_draft

        made = make_draft.fn(store)
        return Subject(
            f"draft on version {made.base.number}",
            made.after,
            parse_day(as_of, default=now().date()),
            made.before,
            made.base.as_of,
            made.reasons,
        )
    info = versions.find(store, number=version)
    rows = versions.snapshot(store, info.number)
    day = parse_day(as_of, default=info.as_of)
    if info.parent is None:
        return Subject(f"version {info.number}", rows, day)
    parent = versions.find(store, number=info.parent)
    before = versions.snapshot(store, parent.number)
    return Subject(f"version {info.number}", rows, day, before, parent.as_of)


def _beside(subject: Subject, base: str, store: str) -> Subject:
    """The subject beside another base, its questions under the keys of that base."""
    from dataclasses import replace

    from freshqa.dataset.identity import match

    if base.isdigit():
        other = _from_store(open_store(store), int(base), False, None)
    else:
        other = _from_file(base, None)
    before = [q if q.key else q.with_key(new_key(q.text)) for q in other.questions]
    matched = match(subject.questions, before)
    return replace(
        subject, questions=matched.questions, base=before, base_as_of=other.as_of, reasons=None
    )


def _judge(subject: Subject, html: Path | None) -> ValidationReport:
    from prefect_freshqa.expectations import gate

    asked = {
        "as_of": subject.as_of,
        "base": subject.base,
        "base_as_of": subject.base_as_of,
        "reasons": subject.reasons or {},
    }
    report = gate.validate(subject.questions, **asked)
    if html is not None:
        from prefect_freshqa.expectations.data_docs import write_data_docs

        write_data_docs(gate.suites(subject.questions, **asked), html)
    return report


def render(console: Console, subject: Subject, report: ValidationReport) -> None:
    """The report for a person: errors, then warnings."""
    from prefect_freshqa.expectations.report import headline

    console.print(f"{subject.name} as of {subject.as_of}. {headline(report)}", markup=False)
    for title, found in (("errors", report.errors), ("warnings", report.warnings)):
        if not found:
            continue
        rows = [(v.rule, v.question, v.column, v.value, v.message) for v in found[:SHOWN]]
        shown = f"{title} ({len(rows)} of {len(found)}; all with --json)"
        console.print(table(shown, ("rule", "question", "column", "value", "what is wrong"), rows))
