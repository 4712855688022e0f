"""Entity linking and chaining (LLM-Augmenter 3.1): which findings lead from a question to an answer.

Mentions are names in texts, titles and the knowledge graph; a mention whose words are part of another
("Quane", "Idris Quane") is the same entity. Findings that share an entity are neighbours, and the
shortest chains from the question's entities to something new come first.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from freshqa.evidence.evidence import Evidence, EvidenceKind
from freshqa.evidence.likeness import content_words

Entity = frozenset[str]
_NAME = re.compile(
    r"[A-Z][\w’'&.-]*(?:\s+(?:(?:of|the|de|la|von|van|and|for)\s+)?[A-Z0-9][\w’'&.-]*)*"
)
_NOT_NAMES = (
    "the a an what who whom whose which when where how why is are was were did does do has have in on"
    " of at for by with from and or but as if it its he his she her they their this that these those"
    " then now here there after before while since until mr mrs ms dr"
)
_NO_NAMES = frozenset(_NOT_NAMES.split())
_ENTITLED = (EvidenceKind.knowledge_graph, EvidenceKind.answer_box)
UNREACHED = 99


def mentions(text: str) -> set[Entity]:
    """Return the names in a text, each as its lower-case words."""
    found = set()
    for name in _NAME.findall(text):
        words = [
            word.strip(".’'&-").lower().removesuffix("'s").removesuffix("’s")
            for word in name.split()
        ]
        words = [word for word in words if word and word not in _NO_NAMES]
        if words:
            found.add(frozenset(words))
    return found


def linked(entities: Sequence[set[Entity]]) -> list[set[Entity]]:
    """Return the same sets, each mention replaced by the longest that holds all its words."""
    every = sorted(set().union(*entities), key=lambda one: (-len(one), sorted(one)))
    whole = {one: next(other for other in every if one <= other) for one in every}
    return [{whole[one] for one in some} for some in entities]


def by_chains(evidence: Sequence[Evidence], question: str) -> tuple[Evidence, ...]:
    """The findings in the order of their chains: answer boxes, then fewest steps from the question.

    Among findings of as many steps those that share more words with the question come first, then the
    page's order. Nothing is dropped.
    """
    asked, *named = linked([mentions(question), *(_named(finding) for finding in evidence)])
    steps = _steps(
        asked, named, [set(content_words(finding.text)) for finding in evidence], question
    )
    wanted = content_words(question)
    order = sorted(
        range(len(evidence)),
        key=lambda i: (
            evidence[i].kind is not EvidenceKind.answer_box,  # made for this very question
            steps[i],
            -len(wanted & content_words(evidence[i].text)),
            i,
        ),
    )
    return tuple(evidence[i] for i in order)


def _named(finding: Evidence) -> set[Entity]:
    found = mentions(finding.text)
    if finding.kind in _ENTITLED and finding.title:
        words = frozenset(re.findall(r"\w+", finding.title.lower())) - _NO_NAMES
        found |= {words} if words else set()
    return found


def _steps(
    asked: set[Entity], named: Sequence[set[Entity]], words: Sequence[set[str]], question: str
) -> list[int]:
    """Return how many findings lie between each finding and the question, it included."""
    steps = [UNREACHED] * len(named)
    reached, wanted = set(asked), content_words(question)
    for distance in range(1, len(named) + 1):
        # A question without names is reached by its words.
        near = [
            i
            for i, entities in enumerate(named)
            if steps[i] == UNREACHED
            and (entities & reached or (distance == 1 and not asked and words[i] & wanted))
        ]
        if not near:
            break
        for i in near:
            steps[i] = distance
        reached |= set().union(*(named[i] for i in near))
    return steps
