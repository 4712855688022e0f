"""What a finding states, as opposed to what somebody asked."""

from __future__ import annotations

from freshqa.evidence.evidence import Evidence, EvidenceKind


def statement(finding: Evidence) -> str:
    """What a finding states: all its text, but not a question that somebody asked."""
    if finding.kind in (EvidenceKind.related_question, EvidenceKind.question_and_answer):
        return "\n".join(part for part in (finding.snippet, finding.highlight) if part)
    return finding.text
