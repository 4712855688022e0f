"""How often the statements of a site became the accepted answer, by topic.

Beta priors: a rate counts as if `STRENGTH` further statements had come out at the mean of the level
above it. A site on a topic is shrunk to the site, a site to all sites.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from functools import cached_property

STRENGTH = 8.0
"""Statements that the mean counts for: a site needs about as many of its own to be told from it."""


@dataclass(frozen=True)
class Statement:
    """The statement of one site about one decided question.

    Args:
        domain: Registered domain.
        topic: Topic of the question.
        right: Whether the answer that it gave is the accepted one.
    """

    domain: str
    topic: str
    right: bool


@dataclass(frozen=True)
class SourceWeights:
    """Weights of sites; without statements every site weighs the same.

    Args:
        said: (domain, topic) → number of statements.
        right: (domain, topic) → number of those that became the accepted answer.
    """

    said: Counter[tuple[str, str]] = field(default_factory=Counter)
    right: Counter[tuple[str, str]] = field(default_factory=Counter)

    @cached_property
    def mean(self) -> float:
        """Rate of all sites together; 1 where nothing was decided."""
        said = self.said.total()
        return self.right.total() / said if said else 1.0

    def weight(self, domain: str, topic: str) -> float:
        """Return the shrunk rate at which a site's statements became the accepted answer, 0 to 1."""
        said, right = (counts[domain] for counts in self._of_sites)
        site = (right + STRENGTH * self.mean) / (said + STRENGTH)
        here = domain, topic
        return (self.right[here] + STRENGTH * site) / (self.said[here] + STRENGTH)

    @cached_property
    def _of_sites(self) -> tuple[Counter[str], Counter[str]]:
        """Statements and right ones of each site, over all topics."""
        said, right = Counter[str](), Counter[str]()
        for (domain, topic), number in self.said.items():
            said[domain] += number
            right[domain] += self.right[domain, topic]
        return said, right

    def share(self, domain: str, topic: str) -> float:
        """Return how much of an average source a site counts for, 0 to 1.

        Never more than one: a trusted site is still one source, so a decision that needs several
        does not become easier.
        """
        return min(1.0, self.weight(domain, topic) / self.mean) if self.mean else 1.0

    def sources(self, domains: Collection[str], topic: str) -> float:
        """Return how many average sources these sites count for; their number without decisions."""
        return sum(self.share(domain, topic) for domain in domains)

    def record(self, domain: str, topic: str) -> str:
        """Return `espn.com 12 of 14`, or "" for a site without statements on the topic."""
        said = self.said[domain, topic]
        return f"{domain} {self.right[domain, topic]} of {said}" if said else ""


NO_WEIGHTS = SourceWeights()
"""Before anything was decided: every site counts for one source."""


def learn_weights(statements: Iterable[Statement]) -> SourceWeights:
    """Count statements."""
    said, right = Counter[tuple[str, str]](), Counter[tuple[str, str]]()
    for statement in statements:
        said[statement.domain, statement.topic] += 1
        right[statement.domain, statement.topic] += statement.right
    return SourceWeights(said, right)
