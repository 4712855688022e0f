"""`prefect-freshqa agreement`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console

from freshqa.errors import NotFound, UsageError
from prefect_freshqa.cli.options import (
    JsonOption,
    StoreOption,
    TagOption,
    VersionOption,
    open_store,
)
from prefect_freshqa.cli.output import emit, table

if TYPE_CHECKING:
    from freshqa.evaluation.recorded import Verdicts
    from freshqa.store.database import Store


def agreement(
    raters: Annotated[
        list[str],
        typer.Argument(
            metavar="RATER...",
            help="Two or more: files of verdicts (`question`, `verdict`, maybe `mode`), names of "
            "evaluations, or filled sheets of `review export`.",
        ),
    ],
    mode: Annotated[
        str, typer.Option(help="Mode of verdicts that do not state one: relaxed or strict.")
    ] = "relaxed",
    version: VersionOption = None,
    tag: TagOption = None,
    store: StoreOption = "",
    json: JsonOption = False,
) -> None:
    """Measure the agreement of raters: percent, Cohen's kappa and Krippendorff's alpha, by premise and mode.

    The version says which premises are false. Responses that one rater alone judged are not
    compared; those that a rater left unrated are counted and left out. For review sheets, the
    decisions are compared, proposal by proposal.

    Example:

        prefect-freshqa agreement ada.csv bob.csv relaxed-v2-responses-1a2b3c4d
    """
    from freshqa.dataset.wording import normalised_question
    from freshqa.evaluation.agreement import agreements
    from freshqa.evaluation.recorded import with_keys
    from freshqa.store import history, snapshots, versions
    from prefect_freshqa.cli.sheet_agreement import render_sheets, review_sheets, sheets_agreement

    if len(raters) < 2:
        raise UsageError("Agreement needs two raters.", "Pass two files or evaluations.")
    sheets = review_sheets(raters)
    if sheets is not None:
        compared = sheets_agreement(sheets)
        emit(compared, as_json=json, render=lambda console: render_sheets(console, compared))
        return
    opened = open_store(store)
    info = versions.find(opened, number=version, tag=tag)
    rows = snapshots.snapshot(opened, info.number)
    wordings = {normalised_question(row.text): row.key for row in rows}
    keys = {**{key: key for key in wordings.values()}, **history.aliases(opened), **wordings}
    read = [with_keys(verdicts_of(opened, rater, mode), keys) for rater in raters]
    check_names(read)
    result = {
        "raters": [verdicts.name for verdicts in read],
        "version": info.number,
        "table": [
            row.to_json()
            for row in agreements(read, false_premise={r.key for r in rows if r.false_premise})
        ],
        "disagreements": disagreements_of(read),
        "unreadable": {v.name: list(v.unreadable) for v in read if v.unreadable},
        "unknown": {v.name: names for v in read if (names := unknown(v, set(wordings.values())))},
    }
    emit(result, as_json=json, render=lambda console: render_agreement(console, result))


def verdicts_of(store: Store, rater: str, mode: str) -> Verdicts:
    """The verdicts of a file, or else of a finished evaluation.

    Raises:
        NotFound: neither a file nor an evaluation.
        UsageError: no such mode.
    """
    from freshqa.evaluation.judgement import Mode
    from freshqa.evaluation.recorded import Verdicts, read_verdicts
    from prefect_freshqa.tasks.recorded_evaluations import recorded_judgements

    if mode not in {known.value for known in Mode}:
        raise UsageError(f"Unknown mode {mode!r}.", "Choose relaxed or strict.")
    if Path(rater).is_file():
        return read_verdicts(rater, mode=Mode(mode))
    try:
        judged = recorded_judgements(store, rater)
    except NotFound as missing:
        raise NotFound(f"File not found: {rater}. {missing.message}", "Check the name.") from None
    return Verdicts(rater, {(j.mode, j.key): j for j in judged})


def check_names(read: list[Verdicts]) -> None:
    """Raise `UsageError` when two raters cannot be told apart."""
    names = [verdicts.name for verdicts in read]
    twice = sorted({name for name in names if names.count(name) > 1})
    if twice:
        raise UsageError(f"Two raters are named {twice[0]}.", "Rename one of the files.")


def disagreements_of(read: list[Verdicts]) -> list[dict[str, Any]]:
    """Every case that two raters judge differently, for people to look at."""
    from itertools import combinations

    from freshqa.evaluation.agreement import disagreements

    return [
        {
            "question": left.question or right.question,
            "mode": left.mode.value,
            "verdicts": {first.name: left.verdict.value, second.name: right.verdict.value},
            "comments": {first.name: left.comment, second.name: right.comment},
        }
        for first, second in combinations(read, 2)
        for left, right in disagreements(first, second)
    ]


def unknown(verdicts: Verdicts, keys: set[str]) -> list[str]:
    """Judged questions that are not in the version, so their premise is unknown."""
    return [judged.question for (_, key), judged in verdicts.by_question.items() if key not in keys]


def render_agreement(console: Console, result: dict[str, Any]) -> None:
    """Table 2 of the paper with intervals, then what was left out."""
    from freshqa.evaluation.rate import Rate

    rows = []
    for row in result["table"]:
        rate = Rate.from_json(row)
        kappa = "-"
        if row["kappa"] is not None:
            kappa = f"{row['kappa']:.2f} [{row['kappa_low']:.2f}, {row['kappa_high']:.2f}]"
        alpha = "-" if row["alpha"] is None else f"{row['alpha']:.2f}"
        raters = " – ".join(row["raters"])
        figures = (str(rate), kappa, alpha, rate.n, rate.left_out)
        rows.append((raters, row["mode"], row["premise"], *figures))
    heads = ("raters", "mode", "premise", "same verdict, %", "kappa", "alpha", "n", "unrated")
    console.print(table("Agreement, with 95 % intervals", heads, rows))
    console.print(f"{len(result['disagreements'])} disagreements; see them with --json.")
    for kind in ("unreadable", "unknown"):
        for name, lines in result[kind].items():
            console.print(f"{name}: {len(lines)} {kind}, first {lines[0]}", markup=False)
