"""What a person sees in the Prefect UI: tables, proposals with links, the validation report."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any
from urllib.parse import urlsplit
from uuid import UUID

from prefect.artifacts import (
    create_link_artifact,
    create_markdown_artifact,
    create_progress_artifact,
    create_table_artifact,
    update_progress_artifact,
)

from freshqa.dataset.validation import ValidationReport
from freshqa.maintaining.plan import PlannedQuestion
from freshqa.store.proposals import StoredProposal
from prefect_freshqa.expectations.report import headline, validation_markdown, validation_rows

MOST_ROWS = 600
"""The server takes any size, but nothing protects the browser from it."""


def show_due(planned: Sequence[PlannedQuestion], left: int) -> None:
    """Table of what is due and why, highest expected loss first."""
    create_table_artifact(
        table=[_due_row(item) for item in planned[:MOST_ROWS]],
        key="freshqa-due",
        description=f"{len(planned)} questions are checked in this run; {left} stay due."
        + shown(len(planned)),
    )


def shown(rows: int) -> str:
    """Return what to add to a table's description when it does not show every row."""
    return f" The first {MOST_ROWS} are shown." if rows > MOST_ROWS else ""


def start_progress(total: int) -> UUID:
    """Return a progress bar for the run; `move_progress` fills it."""
    return create_progress_artifact(  # type: ignore[return-value]  # sync call in a sync flow
        progress=0.0 if total else 100.0,
        key="freshqa-progress",
        description=f"0 of {total} questions checked",
    )


def move_progress(artifact: UUID, done: int, total: int) -> None:
    """Move the progress bar to `done` of `total`."""
    update_progress_artifact(
        artifact, 100.0 * done / total, description=f"{done} of {total} questions checked"
    )


def show_proposals(stored: Sequence[StoredProposal], *, total: int) -> None:
    """The proposals of a run: one table to scan, one page to read with evidence and links.

    Args:
        stored: The first of them, as many as are shown.
        total: How many there are.
    """
    create_table_artifact(
        table=[_row(item) for item in stored[:MOST_ROWS]],
        key="freshqa-proposals",
        description=f"{total} proposals, highest risk first." + shown(total),
    )
    pages = "\n\n".join(proposal_page(item) for item in stored[:100])
    more = f"\n\n… and {total - 100} more in the table." if total > 100 else ""
    create_markdown_artifact(
        markdown=(pages + more) or "No proposals.",
        key="freshqa-proposals-read",
        description="Every proposal with old, new, evidence and link.",
    )


def show_validation(report: ValidationReport, *, docs: str = "") -> None:
    """The validation report, errors first: a table to filter, a page to read, a link if refused."""
    create_table_artifact(
        table=validation_rows(report, most=MOST_ROWS),
        key="freshqa-validation",
        description=headline(report),
    )
    create_markdown_artifact(
        markdown=validation_markdown(report, docs=docs),
        key="freshqa-validation-read",
        description=headline(report),
    )
    if docs:
        create_link_artifact(
            link=docs, link_text="Data Docs of the refused draft", key="freshqa-data-docs"
        )


def show_summary(summary: dict[str, Any]) -> None:
    """The figures of a run, cost among them: in a sentence, what to do next, and all of them."""
    failed = summary["outcomes"].get("failed", 0)
    done = (
        f"**{summary['checked'] - failed} of {summary['due']} questions checked**, {failed} failed, "
        f"{summary['left_due']} stay due; {summary['proposals']} proposals, {summary['held']} wait "
        f"for a decision; cost ${summary['cost_usd']}."
    )
    lines = [
        done,
        "",
        "Next: run the deployment `review`, or `prefect-freshqa review list`."
        if summary["held"]
        else "Nothing waits for a decision.",
        "",
        "| figure | value |",
        "|---|---|",
    ]
    for name, value in summary.items():
        parts = value if isinstance(value, dict) else {"": value}
        lines += [
            f"| {escape(f'{name}: {part}' if part else name)} | {escape(str(figure))} |"
            for part, figure in parts.items()
        ]
    create_markdown_artifact(
        markdown="\n".join(lines), key="freshqa-summary", description="Refresh summary"
    )


def escape(text: str) -> str:
    """Return the text from outside as markdown that shows it and does nothing else."""
    return re.sub(r"([\\`*_{}\[\]<>#|!])", r"\\\1", text).replace("\n", " ")


def link(url: str, label: str) -> str:
    """Return a markdown link, only for http(s) addresses."""
    if not re.match(r"https?://[^\s<>]+$", url):
        return escape(label)
    return f"[{escape(label)}]({url.replace('(', '%28').replace(')', '%29')})"


def cell(column: str, text: str) -> str:
    """A changed value as markdown; addresses in `source` are links under the name of their host."""
    if column != "source":
        return escape(text)
    words = (
        link(word, urlsplit(word).hostname or word) if "://" in word else escape(word)
        for word in text.split()
    )
    return " ".join(words)


def _due_row(item: PlannedQuestion) -> dict[str, Any]:
    record = item.to_json()
    return {
        "question": cut(record["question"], 90),
        "why": cut(record["why"], 60),
        "due on": record["due_on"],
        "risk": f"{record['risk']:.2f}",
    }


def _row(stored: StoredProposal) -> dict[str, Any]:
    # what a person decides by comes first, and all of it fits on a page of 1280 pixels
    proposal = stored.proposal
    old, new = _answers(stored)
    return {
        "question": cut(proposal.question, 90),
        "old → new": cut(f"{old} → {new}" if old else new, 90),
        "outcome": proposal.outcome.value,
        "risk": f"{proposal.risk:.2f}",
        "id": stored.id,
    }


def cut(text: str, most: int) -> str:
    """Return the text on one line, with an ellipsis where it is too long."""
    line = " ".join(text.split())
    return line if len(line) <= most else f"{line[: most - 1]}…"


def _answers(stored: StoredProposal) -> tuple[str, str]:
    changes = stored.proposal.changes
    if "answer_0" in changes:
        return changes["answer_0"].old, changes["answer_0"].new
    return "", ", ".join(f"{column}: {change.new}" for column, change in changes.items())


def proposal_page(stored: StoredProposal) -> str:
    """One proposal as markdown: outcome, reasons, changes, the newest evidence with links."""
    proposal = stored.proposal
    lines = [
        f"### {stored.id}. {escape(proposal.question)}",
        (
            f"**{proposal.outcome.value}**, risk {proposal.risk:.2f}, confidence "
            f"{proposal.confidence:.2f}"
        ),
        *(f"- {escape(reason)}" for reason in proposal.reasons),
    ]
    if proposal.changes:
        lines += ["", "| field | old | new |", "|---|---|---|"]
        lines += [
            f"| {column} | {cell(column, change.old)} | {cell(column, change.new)} |"
            for column, change in proposal.changes.items()
        ]
    for finding in reversed(proposal.evidence[-5:]):
        quote = proposal.quotes.get(finding.id)
        said = f"“{escape(quote)}” in " if quote else ""
        when = f" ({finding.date.isoformat()})" if finding.date else ""
        lines.append(
            f"- {said}{link(finding.url, finding.title or finding.source or finding.kind.value)}"
            f"{when}: {escape(finding.snippet[:300])}"
        )
    return "\n".join(lines)
