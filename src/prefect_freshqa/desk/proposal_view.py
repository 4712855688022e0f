"""A proposal as its page shows it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from freshqa.checking.support import support
from freshqa.dataset.question import ANSWER_COLUMNS
from freshqa.errors import BadData
from freshqa.evidence.evidence import Evidence, EvidenceKind
from freshqa.maintaining.choice import Reviewable
from freshqa.maintaining.draft import proposed_answers
from freshqa.maintaining.proposal import Proposal
from freshqa.maintaining.review import has_value
from freshqa.maintaining.stored_right import stored_right
from prefect_freshqa.desk.flag_words import explain
from prefect_freshqa.desk.labels import label, sorted_columns
from prefect_freshqa.desk.pages import age
from prefect_freshqa.desk.words import Part, changed_words, marked

EDITED = (
    "effective_year",
    "next_review",
    "fact_type",
    "num_hops",
    "false_premise",
    "question",
    "source",
)
"""Columns, besides the answers, that can be written on the page."""
STANCES = ("reported", "supporting", "contradicting", "silent")


@dataclass(frozen=True)
class FindingView:
    """A finding with the quote marked and what it says of the proposed answer."""

    evidence: Evidence
    stance: str
    parts: list[Part]
    age: str


def changes_of(item: Reviewable) -> list[dict[str, Any]]:
    """Return every changed field with the changed words marked; answers first."""
    changed = []
    for column in sorted_columns(item.proposal.changes):
        change = item.proposal.changes[column]
        old, new = changed_words(change.old, change.new)
        changed.append({"label": label(column), "old": old, "new": new})
    return changed


def findings_of(proposal: Proposal, as_of: date | None) -> list[FindingView]:
    """The evidence: what supports the proposed answer, what contradicts it, and the rest.

    Where no answer is proposed, the stored one takes its place.
    """
    proposed = proposed_answers(proposal) or proposal.stored
    others = [*(proposal.stored if proposed != proposal.stored else ())]
    others += [
        candidate.text for candidate in proposal.candidates if candidate.text not in proposed
    ]
    firm = support(proposed, proposal.evidence, question=proposal.question).quotes
    against = (
        support(others, proposal.evidence, question=proposal.question).quotes if others else {}
    )
    findings = []
    for evidence in proposal.evidence:
        quotes = [proposal.quotes.get(evidence.id, ""), firm.get(evidence.id, "")]
        stance = "supporting" if any(quotes) else "silent"
        if stance == "silent" and evidence.id in against:
            quotes, stance = [against[evidence.id]], "contradicting"
        if evidence.kind is EvidenceKind.report:
            stance = "reported"
        parts = marked(evidence.snippet or evidence.highlight, quotes)
        findings.append(FindingView(evidence, stance, parts, age(evidence.date, as_of)))
    return sorted(findings, key=lambda finding: STANCES.index(finding.stance))


def values_of(item: Reviewable) -> dict[str, str]:
    """Return the initial values of the form: the row with the proposed changes."""
    row = item.row.with_changes({c: v.new for c, v in item.proposal.changes.items()})
    values = {column: row.fields[column] for column in EDITED}
    values["answers"] = "\n".join(row.answers)
    return values


def edits_of(item: Reviewable, typed: dict[str, str]) -> dict[str, str]:
    """Column → text that a person changed.

    With another first answer alone, the other answers are left to the rule that rebuilds them.

    Raises:
        BadData: no answer, or more than a question holds.
    """
    first = values_of(item)
    clean = {name: text.replace("\r\n", "\n").strip() for name, text in typed.items()}
    edits = {c: clean[c] for c in EDITED if c in clean and clean[c] != first[c].strip()}
    if "answers" in clean and clean["answers"] != first["answers"].strip():
        new = [line.strip() for line in clean["answers"].split("\n") if line.strip()]
        old = [line for line in first["answers"].split("\n") if line.strip()]
        if new and new[1:] == old[1:]:
            edits["answer_0"] = new[0]
        elif not new or len(new) > len(ANSWER_COLUMNS):
            raise BadData(
                f"{len(new)} answers are given.", f"Write 1 to {len(ANSWER_COLUMNS)}, one per line."
            )
        else:
            padded = [*new, *[""] * (len(ANSWER_COLUMNS) - len(new))]
            edits |= dict(zip(ANSWER_COLUMNS, padded, strict=True))
    return edits


def view(item: Reviewable, as_of: date | None, history: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Everything that the template of a proposal shows."""
    proposal = item.proposal
    findings = findings_of(proposal, as_of)
    return {
        "id": item.id,
        "proposal": proposal,
        "row": item.row,
        "as_of": as_of,
        "has_value": has_value(proposal),
        "changes": changes_of(item),
        "findings": [finding for finding in findings if finding.stance != "silent"],
        "silent": [finding for finding in findings if finding.stance == "silent"],
        "tally": {stance: sum(f.stance == stance for f in findings) for stance in STANCES},
        "flags": [(flag, explain(flag)) for flag in proposal.flags],
        "history": history,
        "values": values_of(item),
        "stored_right": stored_right(proposal),
    }
