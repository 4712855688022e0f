"""The probability that a kept stored answer is right, for a reviewer."""

from __future__ import annotations

from freshqa.checking.calibration import kept_right
from freshqa.maintaining.proposal import Outcome, Proposal
from freshqa.maintaining.without_search import CALENDAR, RECIPE

_KEPT = (Outcome.unchanged, Outcome.alternative)
_HIGHEST, _LOWEST = 0.995, 0.005


def stored_right(proposal: Proposal) -> str:
    """Return the calibrated probability that the stored answer is right ("97 %"), or "".

    It is given where a check keeps the answer after a search: those conclusions are calibrated on
    recorded checks. A proposed answer has none: docs/measurements/acquisition.md says why.
    """
    if proposal.outcome not in _KEPT or proposal.method in (CALENDAR, RECIPE):
        return ""
    chance = kept_right(proposal.risk)
    if chance > _HIGHEST:
        return "over 99 %"
    return "under 1 %" if chance < _LOWEST else f"{chance:.0%}".replace("%", " %")
