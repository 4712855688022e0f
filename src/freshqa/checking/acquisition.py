"""The value of the next step of a check: expected gain per cost.

A check is a sequence with a price: what the ledger holds costs nothing, then come a search, further
searches, an answer of the model, another one. A step is worth what it may change. It shows one of
several signs, each of which moves the risk; its gain is the expected worth of the best decision after
the sign, less the worth of deciding now. Where no sign would change the decision, the gain is zero.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from freshqa.checking.episode import Rewards
from freshqa.checking.round import Move

STOPPING = ("rule", "fitted")
"""Policies that may end a check after the search, by the value of an answer."""


@dataclass(frozen=True)
class Sign:
    """A possible result of a step, and its frequency.

    Args:
        changed: Share of the changed facts that show it.
        stands: Share of the facts that still hold.
    """

    changed: float
    stands: float


ANSWER = (Sign(0.10, 0.53), Sign(0.40, 0.40), Sign(0.50, 0.07))
"""An answer agrees, is another one without support, or another one with support. The first share is
of 500 FreshPrompt responses (4 of 42 changed facts, 244 of 458 others); the likelihood ratio of the
third is the weight `quoted` of `risk.json`, a judgement."""


SILENT = Rewards(wrong=12.0)
"""Rewards before an answer is requested: a change missed there is not reviewed by anyone. With this
cost a check ends early below a risk of about .0055; chosen on the recorded windows, where no change
is below it (docs/measurements/acquisition.md)."""


def worth(risk: float, rewards: Rewards = SILENT) -> float:
    """Return the worth of the better decision at this risk: keep the stored answer, or ask a person."""
    kept = (1.0 - risk) * rewards.right - risk * rewards.wrong
    return max(kept, rewards.right - rewards.person)


def gain(risk: float, signs: Sequence[Sign], rewards: Rewards = SILENT) -> float:
    """Return the expected gain of a step, in units of one right automatic decision; never below 0."""
    expected = 0.0
    for sign in signs:
        changed, stands = risk * sign.changed, (1.0 - risk) * sign.stands
        if changed + stands > 0:
            expected += (changed + stands) * worth(changed / (changed + stands), rewards)
    return max(0.0, expected - worth(risk, rewards))


def keeps(risk: float, rewards: Rewards = SILENT) -> bool:
    """Return whether keeping the stored answer is worth no less than asking a person."""
    return (1.0 - risk) * rewards.right - risk * rewards.wrong >= rewards.right - rewards.person


def pays(move: Move, risk: float, signs: Sequence[Sign], rewards: Rewards = SILENT) -> bool:
    """Return whether a step gains at least its cost."""
    return gain(risk, signs, rewards) >= rewards.cost(move)
