"""Entities in texts: names and numbers, and which mentions mean the same one (LLM-Augmenter 3.1).

A mention whose words are part of another ("Quane", "Idris Quane") is the same entity.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from freshqa.evidence.evidence import Evidence, EvidenceKind

Entity = frozenset[str]
"""The lower-case words of a name, or the digits of a number."""

_NAME = re.compile(
    r"[A-Z][\w’'&.-]*(?:\s+(?:(?:of|the|de|la|von|van|and|for)\s+)?[A-Z0-9][\w’'&.-]*)*"
)
_NUMBER = re.compile(r"\d+(?:[,.]\d+)*")
_NOT_NAMES = (
    "the a an what who whom whose which when where how why is are was were did does do has have in on"
    " of at for by with from and or but as if it its he his she her they their this that these those"
    " then now here there after before while since until mr mrs ms dr"
)
_NO_NAMES = frozenset(_NOT_NAMES.split())
_ENTITLED = (EvidenceKind.knowledge_graph, EvidenceKind.answer_box)
"""Their title is the name of their subject, in any letter case."""


def mentions(text: str) -> set[Entity]:
    """Return the names in a text, each as its lower-case words."""
    names = set()
    for name in _NAME.findall(text):
        words = [
            word.strip(".’'&-").lower().removesuffix("'s").removesuffix("’s")
            for word in name.split()
        ]
        words = [word for word in words if word and word not in _NO_NAMES]
        if words:
            names.add(frozenset(words))
    return names


def named(finding: Evidence) -> set[Entity]:
    """Return the names in a finding, with the title of a knowledge graph or answer box."""
    names = mentions(finding.text)
    if finding.kind in _ENTITLED and finding.title:
        words = frozenset(re.findall(r"\w+", finding.title.lower())) - _NO_NAMES
        names |= {words} if words else set()
    return names


def numbers(text: str) -> set[Entity]:
    """Return the numbers in a text, each as its digits ("132,000" and "132000" are one)."""
    return {frozenset((number.replace(",", ""),)) for number in _NUMBER.findall(text)}


def linked(entities: Sequence[set[Entity]]) -> list[set[Entity]]:
    """Return the same sets, each mention replaced by the longest that holds all its words."""
    every = sorted(set().union(*entities), key=lambda mention: (-len(mention), sorted(mention)))
    whole = {mention: next(other for other in every if mention <= other) for mention in every}
    return [{whole[mention] for mention in some} for some in entities]
