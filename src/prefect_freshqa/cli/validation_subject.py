"""The subject of `validate`: a file, a version, or the current draft."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from freshqa.dataset.layout import lacking_columns
from freshqa.dataset.question import Question, new_key
from prefect_freshqa.cli.options import open_store, parse_day

if TYPE_CHECKING:
    from freshqa.dataset.validation import Reason
    from freshqa.store.database import Store


@dataclass(frozen=True)
class Subject:
    """The rows to validate, and the rows to compare them with."""

    name: str
    questions: Sequence[Question]
    as_of: date
    base: Sequence[Question] | None = None
    base_as_of: date | None = None
    reasons: Mapping[str, Reason] = field(default_factory=dict)
    lacking: Collection[str] = ()


def from_file(file: str, as_of: str | None) -> Subject:
    """Read a release file, without repairs, as the subject of a validation."""
    from freshqa.dataset.release import read_release
    from freshqa.dates.file_name import date_in_name

    release = read_release(Path(file), repair="none")
    day = parse_day(as_of, default=date_in_name(release.name))
    lacking = lacking_columns(release.dialect)
    return Subject(release.name, release.questions, day, lacking=lacking)


def from_store(
    store: Store, version: int | None, as_of: str | None, *, draft: bool = False
) -> Subject:
    """Return a version and its parent (the newest without a number), or the pending draft."""
    from freshqa.store import snapshots, versions

    if draft:
        from freshqa.store.proposals import read_draft

        pending = read_draft(store)
        return Subject(
            f"draft on version {pending.base.number}",
            pending.after,
            parse_day(as_of, default=pending.checked_on),
            pending.before,
            pending.base.as_of,
            pending.reasons,
            lacking_columns(pending.base.dialect),
        )
    info = versions.find(store, number=version)
    rows = snapshots.snapshot(store, info.number)
    day = parse_day(as_of, default=info.as_of)
    lacking = lacking_columns(info.dialect)
    if info.parent is None:
        return Subject(f"version {info.number}", rows, day, lacking=lacking)
    parent = versions.find(store, number=info.parent)
    before = snapshots.snapshot(store, parent.number)
    return Subject(f"version {info.number}", rows, day, before, parent.as_of, lacking=lacking)


def beside(subject: Subject, base: str, store: str) -> Subject:
    """Return the subject compared with another base, its questions under the keys of that base."""
    from freshqa.dataset.identity import match

    if base.isdigit():
        other = from_store(open_store(store), int(base), None)
    else:
        other = from_file(base, None)
    before = [q if q.key else q.with_key(new_key(q.text)) for q in other.questions]
    matched = match(subject.questions, before)
    return replace(
        subject, questions=matched.questions, base=before, base_as_of=other.as_of, reasons={}
    )
