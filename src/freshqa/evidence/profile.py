"""How many findings the model sees, and in which order."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from freshqa.errors import UsageError

ORDERS = ("time", "search", "random")


@dataclass(frozen=True)
class Profile:
    """A setting of the paper's (organic, related, questions and answers, kept), and beyond.

    Args:
        organic: Maximum number of hits taken.
        related: Maximum number of related questions taken.
        questions_and_answers: Maximum number of forum questions taken.
        kept: Maximum number of findings kept in all, the last in order.
        order: `time` (oldest to newest, undated first), `search` (best hit last) or `random`
            (shuffled, the same for the same question).
        answer_box: Whether answer boxes are taken.
        keep_answer_box: Whether they stay when `kept` cuts.
        knowledge_graph: Whether the knowledge graph is taken.
        extras: Maximum number of findings taken of each kind that the paper does not know: AI
            overview, sports, stories.
        consolidate: Whether near-copies are merged and findings that share nothing with the
            question are left out.
        chains: Whether the findings on the shortest chains from the question to candidate answers
            are kept, where `kept` cuts (see `freshqa.evidence.chains`).
        snippet_limit: Maximum number of characters of a snippet shown.
        mirrors: Parts of addresses, in lower case, whose pages copy the benchmark, beside those that
            are known (`freshqa.evidence.leaks.MIRRORS`).
    """

    name: str
    organic: int = 10
    related: int = 3
    questions_and_answers: int = 3
    kept: int = 10
    order: str = "time"
    answer_box: bool = True
    keep_answer_box: bool = True
    knowledge_graph: bool = True
    extras: int = 0
    consolidate: bool = False
    snippet_limit: int = 2_000
    chains: bool = False
    mirrors: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if self.order not in ORDERS:
            raise UsageError(
                f"Unknown order '{self.order}'.", f"Choose one of: {', '.join(ORDERS)}."
            )
        counts = (self.organic, self.related, self.questions_and_answers, self.extras)
        if min(*counts, self.kept - 1, self.snippet_limit - 1) < 0:
            raise UsageError(
                "A profile needs counts of 0 or more, and must keep at least one finding of one character.",
                "Raise the negative number.",
            )

    def ablated(self, name: str) -> Profile:
        """Return this profile with one row of the paper's Table 1 ablations switched on.

        Raises:
            UsageError: No such ablation; the message lists them.
        """
        if name not in ABLATIONS:
            raise UsageError(
                f"Unknown ablation '{name}'.", f"Choose one of: {', '.join(ABLATIONS)}."
            )
        return replace(self, name=f"{self.name}/{name}", **ABLATIONS[name])


ABLATIONS: dict[str, dict[str, Any]] = {
    "search-order": {"order": "search"},
    "random-order": {"order": "random"},
    "no-answer-box": {"answer_box": False},
    # All but organic hits: the knowledge graph is "other relevant information" too (4.1, 4.3).
    "no-related": {
        "answer_box": False,
        "knowledge_graph": False,
        "related": 0,
        "questions_and_answers": 0,
        "extras": 0,
    },
    "chains": {"chains": True},
    "paper-cut": {"keep_answer_box": False},
    "1-evidence": {"kept": 1, "keep_answer_box": False},
    "5-evidences": {"kept": 5},
    "10-evidences": {"kept": 10},
    "15-evidences": {"organic": 15, "kept": 15},
}
"""Rows of Table 1 that concern evidence (demonstrations and premise check are the method's).

`chains` is LLM-Augmenter's linking and chaining. `paper-cut` lets the answer box compete for n like any other finding, as the paper's text has it.
"""

PROFILES = {
    profile.name: profile
    for profile in (
        Profile("paper-gpt3.5", organic=10, related=2, questions_and_answers=2, kept=5),
        Profile("paper-gpt4", organic=10, related=3, questions_and_answers=3, kept=10),
        # The authors' notebook lets a dated hit push the answer box out.
        Profile("notebook", organic=15, kept=15, keep_answer_box=False),
        Profile("best", organic=15, kept=15, extras=2, consolidate=True, snippet_limit=1_000),
    )
}
"""`paper-gpt4` is the paper's setting; `best` its best variant (15) with consolidation."""
