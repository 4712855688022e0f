"""Other answers that the evidence may give, for a reviewer to pick; never proposed.

Reading answers off snippets without a model is right too seldom to propose (46 % without noise, 12 %
with much, on RGB), but the right one is mostly among the first few, which saves a person a search.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Sequence

from freshqa.checking.candidate import Candidate
from freshqa.checking.rivals import rivals
from freshqa.dataset.question import Question
from freshqa.dates.mentions import read_date
from freshqa.evidence.evidence import Evidence, EvidenceKind, registered_domain
from freshqa.facts.same_fact import Relation, contains, members, relation
from freshqa.facts.tokens import STOP_WORDS, fold, tokenise

_NAME = re.compile(
    r"(?<![\w'’])[A-Z][\w'’.&-]*(?:[ :](?:(?:of|the|and|de|da|la|van|von|in|for|at|on|a|vs\.?) )*"
    r"[A-Z0-9][\w'’.&-]*){0,6}"
)
_LONGEST = 8
_BOX = 2
"""An answer box counts as this many pages."""


def candidates(
    question: Question,
    evidence: Sequence[Evidence],
    *,
    most: int = 3,
    sources: Callable[[Collection[str]], float] = len,
) -> tuple[Candidate, ...]:
    """Answers of the stored answer's kind that the evidence gives instead, best supported first.

    Args:
        question: The stored row; neither its answers nor words of the question are candidates.
        most: How many to give.
        sources: How many sources some domains count for, for the order.
    """
    forms: dict[str, str] = {}
    domains: dict[str, set[str]] = defaultdict(set)
    boxed: set[str] = set()
    for text, finding in _spans(question, evidence):
        key = fold(text)
        if not key or _known(text, question):
            continue
        forms.setdefault(key, text)
        domains[key].add(registered_domain(finding.domain))
        if finding.kind is EvidenceKind.answer_box:
            boxed.add(key)
    told = [key for key in forms if " " in key or len(domains[key]) > 1 or key in boxed]
    if _is_quantity(question.primary):
        told = list(forms)

    def rank(key: str) -> float:
        return sources(domains[key]) + _BOX * (key in boxed)

    ranked = sorted(told, key=rank, reverse=True)
    return tuple(Candidate(forms[key], len(domains[key])) for key in ranked[:most])


def _spans(question: Question, evidence: Sequence[Evidence]) -> Iterator[tuple[str, Evidence]]:
    primary = question.primary
    if _is_quantity(primary):
        by_id = {finding.id: finding for finding in evidence}
        for rival in rivals(primary, question.answers, evidence, question=question.text):
            yield rival.text, by_id[rival.evidence_id]
        return
    asked = {token.form for token in tokenise(question.text)} | STOP_WORDS
    for finding in evidence:
        if finding.kind is EvidenceKind.answer_box and finding.highlight:
            yield finding.highlight, finding
        for match in _NAME.finditer(finding.statement):
            words = [token.form for token in tokenise(match.group())]
            new = [word for word in words if word not in asked]
            if 0 < len(words) <= _LONGEST and 2 * len(new) > len(words):
                yield match.group().strip(" .:"), finding


def _is_quantity(primary: str) -> bool:
    numbers = [token for token in tokenise(primary) if token.value is not None]
    short = len(primary.split()) <= _LONGEST
    return read_date(primary) is not None or (short and len(numbers) == 1)


def _known(text: str, question: Question) -> bool:
    return any(
        relation(text, answer) in (Relation.same, Relation.variant)
        or contains(text, answer)
        or fold(text) in members(answer)
        for answer in question.answers
    )
