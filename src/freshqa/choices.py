"""The words that options and settings choose from: one list each, for the command line and flows."""

from __future__ import annotations

from typing import Literal

REPLAY = "replay"
"""In place of a provider: the ledger alone answers."""
Method = Literal["freshprompt", "search-only", "self-ask"]
"""How a refresh answers a question from search evidence."""
ProbedMethod = Literal["freshprompt", "search-only", "self-ask", "rgb"]
"""How a model is asked when it is qualified; `rgb` is the setting of the RGB paper."""
AnyMethod = Literal[
    "freshprompt",
    "search-only",
    "self-ask",
    "closed-book",
    "q-a",
    "few-shot",
    "chain-of-thought",
    "rgb",
]
"""Answering methods with the baselines of the papers."""
AcceptancePolicy = Literal["hold", "assisted", "certified"]
"""What is accepted without a person."""
LearnedPolicy = Literal["fitted", "reinforce"]
LoopPolicy = Literal["rule", "always-use", "self-ask", "no-consolidator", "fitted", "reinforce"]
"""What follows a round of the verify-and-revise loop."""
Computing = Literal["nothing", "calendar", "recipes", "all"]
"""What a refresh answers without a search: nothing, what the calendar alone gives, also what the
source recipe of a row gives, or also ages. Each includes the one before."""
GradingMode = Literal["relaxed", "strict", "both"]
"""How FreshEval credits a response."""
Scoring = Literal["fixed", "official"]
"""Whose rules score a reply of RGB: ours, or those of its own code."""
Repair = Literal["none", "certain", "all"]
"""Which damage of a release is undone when it is read."""
