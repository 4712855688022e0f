"""Has newer evidence on the same matter stopped giving an answer?"""

from __future__ import annotations

from collections.abc import Sequence

from freshqa.checking.support import SupportReport
from freshqa.evidence.evidence import Evidence
from freshqa.facts.tokens import STOP_WORDS, tokenise

_SAME_MATTER = 0.4


def overtaken(report: SupportReport, evidence: Sequence[Evidence], *, question: str) -> bool:
    """True when the newest dated finding on the matter does not hold the answer, older ones do.

    A missing date is weak, not old: undated support alone is never overtaken.

    Args:
        report: What the evidence says of the answer.
        question: The question; a finding on the same matter shares words with it.
    """
    if report.newest is None:
        return False
    holding = {support.evidence_id for support in report.supports}
    asked = {token.form for token in tokenise(question)} - STOP_WORDS
    return any(
        finding.date is not None
        and finding.date > report.newest
        and finding.id not in holding
        and len(asked & {token.form for token in tokenise(finding.statement)})
        >= _SAME_MATTER * len(asked)
        for finding in evidence
    )
