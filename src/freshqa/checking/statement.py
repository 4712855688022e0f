"""What a finding states, without the questions in it."""

from __future__ import annotations

from freshqa.evidence.evidence import Evidence, EvidenceKind


def statement(finding: Evidence) -> str:
    """Return what a finding states: all its text except questions."""
    if finding.kind in (EvidenceKind.related_question, EvidenceKind.question_and_answer):
        return "\n".join(part for part in (finding.snippet, finding.highlight) if part)
    return finding.text
