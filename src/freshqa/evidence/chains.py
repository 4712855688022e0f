"""Evidence chaining (LLM-Augmenter 3.1): the shortest paths from a question to candidate answers.

The graph has two kinds of nodes, findings and the entities that they name. A path leads from the
question to a finding that names one of its entities, over the entities that this finding shares with
others, to an entity that the question does not name: a candidate answer.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from freshqa.evidence.entities import Entity, linked, mentions, named, numbers
from freshqa.evidence.evidence import Evidence, EvidenceKind
from freshqa.evidence.likeness import content_words

_ASKS_NUMBER = re.compile(
    r"\b(?:how (?:many|much|old|long|tall|high|far|often|big|large)|when|(?:what|which) (?:year|date|"
    r"day|percentage)|(?:age|height|number|capacity|population|price) of)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Chain:
    """A shortest path from a question to a candidate answer.

    Args:
        candidate: The entity that it ends in, named in the last finding.
        bridges: Entities that lead from one finding to the next.
        findings: Positions of the findings passed, one more than bridges.
        support: How many findings name the candidate.
    """

    candidate: Entity
    bridges: tuple[Entity, ...]
    findings: tuple[int, ...]
    support: int


def chains(evidence: Sequence[Evidence], question: str) -> tuple[Chain, ...]:
    """Return a shortest chain for each candidate answer, the shortest first.

    Of equally long chains those come first whose candidate more findings name, then those through
    findings that are earlier on the page.
    """
    asked, *names = linked([mentions(question), *(named(finding) for finding in evidence)])
    index = _index(names)
    paths = _paths(_about(asked, names, evidence, question), asked, names, index)
    ends = index
    if _ASKS_NUMBER.search(question):
        ends = _index([numbers(finding.text) - numbers(question) for finding in evidence])
    shortest = []
    for candidate, places in ends.items():
        reached = [place for place in places if place in paths]
        if candidate in asked or not reached:
            continue
        last = min(reached, key=lambda place: (len(paths[place]), place))
        shortest.append(Chain(candidate, *_parted(paths[last]), support=len(places)))
    return tuple(
        sorted(
            shortest,
            key=lambda chain: (
                len(chain.findings),
                -chain.support,
                chain.findings,
                sorted(chain.candidate),
            ),
        )
    )


def by_chains(evidence: Sequence[Evidence], question: str) -> tuple[Evidence, ...]:
    """Return the findings chain by chain, after the answer boxes; then those on no chain."""
    boxes = [i for i, finding in enumerate(evidence) if finding.kind is EvidenceKind.answer_box]
    chained = [place for chain in chains(evidence, question) for place in chain.findings]
    return tuple(evidence[i] for i in dict.fromkeys((*boxes, *chained, *range(len(evidence)))))


def _index(names: Iterable[set[Entity]]) -> dict[Entity, tuple[int, ...]]:
    """Return where each entity is named, by position."""
    index: dict[Entity, tuple[int, ...]] = defaultdict(tuple)
    for place, entities in enumerate(names):
        for entity in entities:
            index[entity] += (place,)
    return index


def _about(
    asked: set[Entity], names: Sequence[set[Entity]], evidence: Sequence[Evidence], question: str
) -> list[int]:
    """Return the findings that name an entity of the question, else those that share its words."""
    wanted = content_words(question)
    return [i for i, entities in enumerate(names) if entities & asked] or [
        i for i, finding in enumerate(evidence) if content_words(finding.text) & wanted
    ]


_Path = tuple[tuple[Entity, int], ...]


def _paths(
    about: Sequence[int],
    asked: set[Entity],
    names: Sequence[set[Entity]],
    index: Mapping[Entity, tuple[int, ...]],
) -> dict[int, _Path]:
    """Return the shortest path to each finding that can be reached: breadth first."""
    paths: dict[int, _Path] = {place: ((frozenset(), place),) for place in about}
    waiting = list(about)
    for place in waiting:
        for bridge in sorted(names[place] - asked, key=sorted):
            for following in index[bridge]:
                if following not in paths:
                    paths[following] = (*paths[place], (bridge, following))
                    waiting.append(following)
    return paths


def _parted(path: _Path) -> tuple[tuple[Entity, ...], tuple[int, ...]]:
    return tuple(bridge for bridge, _ in path[1:]), tuple(place for _, place in path)
