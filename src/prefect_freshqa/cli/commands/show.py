"""`prefect-freshqa show`."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from rich.console import Console

from prefect_freshqa.cli.options import (
    AsOfOption,
    JsonOption,
    StoreOption,
    TagOption,
    VersionOption,
    open_store,
    parse_day,
)
from prefect_freshqa.cli.output import emit, table

if TYPE_CHECKING:
    from collections.abc import Sequence

    from freshqa.dataset.question import Question
    from freshqa.store.database import Store

COUNTED = ("split", "fact_type", "false_premise", "num_hops")


def show(
    version: VersionOption = None,
    tag: TagOption = None,
    as_of: AsOfOption = None,
    store: StoreOption = "",
    json: JsonOption = False,
) -> None:
    """Show one version: its contents, origin and validation.

    Example:

        prefect-freshqa show --as-of 2024-03-11
    """
    from freshqa.store import snapshots, versions

    opened = open_store(store)
    day = parse_day(as_of) if as_of else None
    info = versions.find(opened, number=version, tag=tag, as_of=day)
    questions = snapshots.snapshot(opened, info.number)
    result: dict[str, Any] = {
        **info.to_json(),
        "counts": {column: counts(questions, column) for column in COUNTED},
        "validation": validation(opened, info.number),
        "from_file": snapshots.original(opened, info.number) is not None,
    }

    def render(console: Console) -> None:
        shown = {k: v for k, v in result.items() if k not in ("counts", "validation")}
        shown |= {"tags": ", ".join(info.tags), "validation": verdict(result["validation"])}
        shown |= {
            column: ", ".join(f"{value} {n}" for value, n in by_value.items())
            for column, by_value in result["counts"].items()
        }
        console.print(table(f"Version {info.number}", ("", ""), shown.items()))

    emit(result, as_json=json, render=render)


def counts(questions: Sequence[Question], column: str) -> dict[str, int]:
    """Value of a column → how many questions have it, most first."""
    return dict(Counter(question.fields[column] for question in questions).most_common())


def validation(store: Store, number: int) -> dict[str, Any] | None:
    """The newest recorded validation of a version, counted; None when there is none."""
    from freshqa.store.records import validations

    recorded = validations(store, version=number)
    if not recorded:
        return None
    report = recorded[0].report
    return {
        "success": recorded[0].success,
        "validated_at": recorded[0].validated_at,
        "errors": len(report.get("errors", ())),
        "warnings": len(report.get("warnings", ())),
    }


def verdict(validation: dict[str, Any] | None) -> str:
    """A validation in words."""
    if validation is None:
        return "not recorded"
    word = "passed" if validation["success"] else "failed"
    return f"{word}: {validation['errors']} errors, {validation['warnings']} warnings"
