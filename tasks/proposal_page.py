"""Proposals as markdown, for artifacts and forms of the Prefect UI: a table, then details."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Sequence
from urllib.parse import urlsplit

from freshqa.maintaining.proposal import Proposal
from freshqa.maintaining.stored_right import stored_right
from freshqa.store.proposals import StoredProposal
from prefect_freshqa.settings import desk_address

MAX_PROPOSALS = 100
"""The others are on the review desk and in `prefect-freshqa review list`; a longer page is slow."""
_OTHER_FORM = re.compile(r"answer_[1-9]")


def proposals_markdown(stored: Sequence[StoredProposal], *, total: int) -> str:
    """Return the proposals as one page: a table, then each proposal with its evidence.

    Args:
        stored: Those to show, in order.
    """
    if not stored:
        return "No proposals."
    desk = desk_address("queue")
    lines = [f"Decide them on the {link(desk, 'review desk')}.", ""] if desk else []
    if total > len(stored):
        where = "the review desk" if desk else "`prefect-freshqa review list`"
        lines += [f"The first {len(stored)} of {total} are shown; all are on {where}.", ""]
    lines += ["| question | old → new | outcome | risk | id |", "|---|---|---|---|---|"]
    lines += [_row(item) for item in stored]
    return "\n\n".join(["\n".join(lines), *(proposal_page(item) for item in stored)])


def _row(stored: StoredProposal) -> str:
    # the columns for a decision come first, and all fit on a page of 1280 pixels
    proposal = stored.proposal
    old, new = _answers(stored)
    desk = desk_address(f"proposals/{stored.id}")
    moved = f"{cut(old, 45)} → {cut(new, 45)}" if old else cut(new, 90)
    cells = (
        wrapped(cut(proposal.question, 120), 36),
        wrapped(moved, 24),
        proposal.outcome.value,
        f"{proposal.risk:.2f}",
        link(desk, str(stored.id)) if desk else str(stored.id),
    )
    return f"| {' | '.join(cells)} |"


def proposal_page(stored: StoredProposal) -> str:
    """One proposal as markdown: outcome, reasons, changes, the newest evidence with links."""
    proposal, chance = stored.proposal, stored_right(stored.proposal)
    lines = [
        f"### {stored.id}. {escape(proposal.question)}",
        (
            f"**{proposal.outcome.value}**, risk {proposal.risk:.2f}, confidence "
            f"{proposal.confidence:.2f}" + (f", stored answer right: {chance}" if chance else "")
        ),
        *(f"- {escape(reason)}" for reason in proposal.reasons),
    ]
    if proposal.changes:
        lines += ["", "| field | old | new |", "|---|---|---|", *_changes(proposal)]
    for finding in reversed(proposal.evidence[-5:]):
        quote = proposal.quotes.get(finding.id)
        said = f"“{escape(quote)}” in " if quote else ""
        when = f" ({finding.date.isoformat()})" if finding.date else ""
        lines.append(
            f"- {said}{link(finding.url, finding.title or finding.source or finding.kind.value)}"
            f"{when}: {escape(finding.snippet[:300])}"
        )
    return "\n".join(lines)


def _changes(proposal: Proposal) -> list[str]:
    """Rows of the table of changes; the other forms of an answer share one, as a date has nine."""
    others = [c for name, c in proposal.changes.items() if _OTHER_FORM.fullmatch(name)]
    rows = [
        (name, cell(name, change.old), cell(name, change.new))
        for name, change in proposal.changes.items()
        if not _OTHER_FORM.fullmatch(name)
    ]
    if others:
        rows.append(("other forms", _joined(c.old for c in others), _joined(c.new for c in others)))
    return [f"| {name} | {old} | {new} |" for name, old, new in rows]


def _joined(forms: Iterable[str]) -> str:
    return " · ".join(escape(form) for form in forms if form)


def _answers(stored: StoredProposal) -> tuple[str, str]:
    changes = stored.proposal.changes
    if "answer_0" in changes:
        return changes["answer_0"].old, changes["answer_0"].new
    return "", ", ".join(f"{column}: {change.new}" for column, change in changes.items())


def wrapped(text: str, width: int) -> str:
    """Return the text on short lines: the first version of the UI does not wrap lines in tables."""
    return "<br>".join(escape(line) for line in textwrap.wrap(text, width))


def escape(text: str) -> str:
    """Return external text escaped for markdown."""
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


def cut(text: str, most: int) -> str:
    """Return the text on one line, with an ellipsis where it is too long."""
    line = " ".join(text.split())
    return line if len(line) <= most else f"{line[: most - 1]}…"
