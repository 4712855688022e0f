"""An evaluation for people: the same sections on the terminal, in the Prefect UI and in markdown.

Everything is read from the JSON of `freshqa.evaluation.report`, so that an evaluation of the ledger
reads like a new one.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from freshqa.evaluation.rate import PairedDifference, Rate

Figures = Mapping[str, Any]


@dataclass(frozen=True)
class Section:
    """A table with a heading; every cell is text."""

    heading: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def sections(result: Figures) -> tuple[Section, ...]:
    """Return the tables of an evaluation; those without rows are left out."""
    tables = [
        *(_table(mode, result["table"]) for mode in _modes(result["table"])),
        _gap(result["gap"]),
        _memory(result["memory"]),
        _compared(result),
    ]
    return tuple(section for section in tables if section.rows)


def remarks(result: Figures) -> tuple[str, ...]:
    """Return remarks that explain the tables, one sentence each; nothing is left out silently."""
    unrated = [
        (f"Unrated in {mode} mode, not counted in percentages", counts.get("unrated", 0))
        for mode, counts in result["verdicts"].items()
    ]
    rows = [(says, len(result["responses"].get(name, ()))) for name, says in _ROWS.items()]
    marks = [(_MARKS.get(name, f"Marked {name}"), n) for name, n in result["marks"].items()]
    others = [
        ("Not judged because the budget was exhausted; run again to judge them", result["left"]),
        ("Correct in strict and incorrect in relaxed mode, which is contradictory; review the judge",
         len(result["judge_errors"])),
        (f"Judged against other correct answers in {result['compared_with']}", result["golds_differ"]),
    ]  # fmt: skip
    counted = [f"{says}: {n}." for says, n in (*unrated, *others, *rows, *marks) if n]
    return (*result["notes"], *counted, *(f"Not in every column: {u}." for u in result["unplaced"]))


_ROWS = {
    "missing": "Questions without a response, not counted in percentages",
    "unclear": "Questions with an empty response or several different ones, unrated",
    "unknown": "Rows whose question is not in the version, not judged",
    "outside": "Rows whose question is in another split, not judged",
    "repeated": "Rows that repeat a response, counted once",
    "unreadable": "Rows that cannot be read",
}
_MARKS = {
    "response-after-gold": "Given after the date of the version",
    "gold-changed-since": "Judged against an answer that is no longer in the latest version",
}


def markdown(result: Figures) -> str:
    """Return the evaluation as markdown: tables, then remarks."""
    parts = [section_markdown(section) for section in sections(result)]
    said = [f"- {escape(line)}" for line in remarks(result)]
    return "\n\n".join([*parts, "\n".join(said)]).strip() + "\n"


def section_markdown(section: Section) -> str:
    """Return a heading in bold and a markdown table."""
    return "\n".join([f"**{section.heading}**", "", *_lines(section)])


def title(group: str, label: str) -> str:
    """`valid premise: fast`; the column of all questions is `all`."""
    return f"{group}: {label}" if group else label


def escape(text: str) -> str:
    """Return external text escaped for markdown."""
    return re.sub(r"([\\`*_{}\[\]<>#|!])", r"\\\1", " ".join(text.split()))


def _modes(table: Sequence[Figures]) -> list[str]:
    return list(dict.fromkeys(cell["mode"] for cell in table))


def _table(mode: str, table: Sequence[Figures]) -> Section:
    rows = [
        (title(cell["group"], cell["label"]), *_figures(cell))
        for cell in table
        if cell["mode"] == mode
    ]
    heads = ("questions", "%", "95 % interval", "n", "unrated")
    return Section(f"Accuracy, {mode}", heads, tuple(rows))


def _figures(cell: Figures) -> tuple[str, str, str, str]:
    rate = Rate.from_json(dict(cell))
    if rate.value is None:
        return "-", "-", "0", str(rate.left_out)
    interval = f"{100 * rate.low:.1f} to {100 * rate.high:.1f}"
    return f"{100 * rate.value:.1f}", interval, str(rate.n), str(rate.left_out)


def _gap(gaps: Sequence[Figures]) -> Section:
    rows = [
        (title(gap["group"], gap["label"]), str(_difference(gap)), str(gap["n"])) for gap in gaps
    ]
    heads = ("questions", "relaxed − strict, points [95 % interval]", "n")
    return Section("Hallucination gap", heads, tuple(rows))


def _memory(memory: Sequence[Figures]) -> Section:
    rows = []
    for split in memory:
        since = f"v{split['since_version']} ({split['since']})"
        for what, says in (
            ("changed", "answer changed since"),
            ("unchanged", "answer valid since"),
            ("added", "question added since"),
            ("repeats_former_answer", "repeats the former answer, if it has changed since"),
        ):
            rows.append((f"{says} {since}", split["mode"], *_figures(split[what])))
    heads = ("questions", "mode", "%", "95 % interval", "n", "unrated")
    return Section("Memory against freshness", heads, tuple(rows))


def _compared(result: Figures) -> Section:
    rows = [
        (
            title(cell["group"], cell["label"]),
            cell["mode"],
            str(_difference(cell)),
            f"{cell['p_value']:.3g}",
            str(cell["n"]),
        )
        for cell in result["compared"]
    ]
    heads = ("questions", "mode", "difference, points [95 % interval]", "p (McNemar)", "n")
    return Section(f"Compared with {result['compared_with']}", heads, tuple(rows))


def _difference(cell: Figures) -> PairedDifference:
    return PairedDifference(
        cell["only_first"], cell["only_second"], cell["n"], cell.get("left_out", 0)
    )


def _lines(section: Section) -> list[str]:
    def line(cells: Sequence[str]) -> str:
        return "| " + " | ".join(cells) + " |"

    heads = line(section.columns)
    return [heads, line(["---"] * len(section.columns)), *(line(row) for row in section.rows)]
