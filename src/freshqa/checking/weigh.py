"""Weigh the stored answer against a proposed one and against other answers in the evidence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from freshqa.checking.rivals import Rival, rivals
from freshqa.checking.support import Support, SupportReport, support
from freshqa.evidence.evidence import Evidence


@dataclass(frozen=True)
class Weighed:
    """Stored, proposed and rival answers in the same evidence.

    Args:
        stored, proposed: What the evidence says of each.
        contrary: Findings that hold the stored answer and not the proposed one.
        rivals: Other answers of the same kind, in findings that do not hold the proposed one.
        newest_contrary: Date of the newest of both, or None.
        conflict: True when some of both are as new as the newest support for the proposed answer;
            where dates are missing, when they are of as many domains as its support.
    """

    stored: SupportReport
    proposed: SupportReport
    contrary: tuple[Support, ...] = ()
    rivals: tuple[Rival, ...] = ()
    newest_contrary: date | None = None
    conflict: bool = False

    @property
    def against(self) -> str:
        """The newest contradiction, verbatim; "" when there is none."""
        said = [(s.date or date.min, s.quote) for s in self.contrary]
        said += [(r.date or date.min, r.text) for r in self.rivals]
        return max(said, default=(date.min, ""))[1]


def weigh(
    stored: Sequence[str], proposed: Sequence[str], evidence: Sequence[Evidence], *, question: str
) -> Weighed:
    """Set the stored answer, and any rival, against a proposed answer.

    A finding that holds the proposed answer too ("A succeeded B") contradicts nothing.
    """
    of_stored = support(stored, evidence, question=question)
    of_proposed = support(proposed, evidence, question=question)
    if not proposed:
        return Weighed(of_stored, of_proposed)
    holding = {s.evidence_id for s in of_proposed.firm}
    contrary = tuple(s for s in of_stored.firm if s.evidence_id not in holding)
    others = [finding for finding in evidence if finding.id not in holding]
    competing = rivals(proposed[0], (*stored, *proposed), others, question=question)
    against: list[Support | Rival] = [*contrary, *competing]
    return Weighed(
        stored=of_stored,
        proposed=of_proposed,
        contrary=contrary,
        rivals=competing,
        newest_contrary=max((claim.date for claim in against if claim.date), default=None),
        conflict=_conflict(of_proposed, against),
    )


def _conflict(proposed: SupportReport, against: Sequence[Support | Rival]) -> bool:
    """Newer or equally new contradiction, or, where dates are missing, as much of it."""
    if proposed.newest is not None:
        if any(claim.date is not None and claim.date >= proposed.newest for claim in against):
            return True
        against = [claim for claim in against if claim.date is None]
    domains = {claim.domain for claim in against}
    return len(domains) >= max(1, len(proposed.independent_domains))
