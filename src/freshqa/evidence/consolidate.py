"""Knowledge consolidator: select and order the findings that the model reads.

Retriever (parsing) → linker (pages found twice become one) → chainer (near-copies merged, what
shares nothing with the question dropped, the rest in order); LLM-Augmenter's first module with
FreshPrompt's order.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from freshqa.evidence.chains import by_chains
from freshqa.evidence.cleaning import clean_text
from freshqa.evidence.evidence import Evidence, EvidenceKind
from freshqa.evidence.leaks import MIRRORS, without_copies
from freshqa.evidence.likeness import Wording, content_words
from freshqa.evidence.passages import BUDGET, GAP
from freshqa.evidence.profile import Profile
from freshqa.last_call import remembering_last

ALWAYS_RELEVANT = (
    EvidenceKind.answer_box,
    EvidenceKind.knowledge_graph,
    EvidenceKind.ai_overview,
    EvidenceKind.sports,
)
"""The engine made these for the query; a short one ("83 °F") need not repeat its words."""


def consolidate(
    evidence: Sequence[Evidence], *, question: str, profile: Profile
) -> tuple[Evidence, ...]:
    """Return the findings to read, in reading order: oldest to newest, undated ones first.

    Args:
        evidence: As `parse` gives it (of several searches: one after the other).
        question: What is to be answered.
        profile: How much is taken, and in which order.

    Copies of the benchmark itself are left out (`freshqa.evidence.leaks`).
    An answer box is never cut by `profile.kept` (unless the profile says so); findings with the
    same date keep their order, so the best hit is nearest the question.
    """
    return _consolidated(tuple(evidence), question, profile)


@remembering_last
def _consolidated(
    evidence: tuple[Evidence, ...], question: str, profile: Profile
) -> tuple[Evidence, ...]:
    mirrors = (*MIRRORS, *profile.mirrors)
    taken = _take(without_copies(evidence, question, mirrors=mirrors), profile)
    if profile.consolidate:
        taken = _merge_copies(taken)
        taken = _drop_unrelated(taken, question)
    if profile.chains:
        nearest = by_chains(taken, question)[: profile.kept]
        taken = [finding for finding in taken if finding in nearest]
    # The last is nearest to the question: the worst hit comes first, the answer box last.
    ordered = _order(list(reversed(taken)), question, profile.order)
    kept = _cut(ordered, profile)
    return tuple(_shorten(finding, profile.snippet_limit) for finding in kept)


def _take(evidence: Sequence[Evidence], profile: Profile) -> list[Evidence]:
    """Return the first findings of each kind, as many as the profile allows."""
    most = {
        EvidenceKind.answer_box: profile.kept if profile.answer_box else 0,
        EvidenceKind.knowledge_graph: profile.kept if profile.knowledge_graph else 0,
        EvidenceKind.question_and_answer: profile.questions_and_answers,
        EvidenceKind.related_question: profile.related,
        EvidenceKind.organic: profile.organic,
    }
    taken: list[Evidence] = []
    for finding in evidence:
        if finding.rank <= most.get(finding.kind, profile.extras):
            taken.append(finding)
    return taken


def _merge_copies(evidence: list[Evidence]) -> list[Evidence]:
    """Keep the first of equal findings; it takes over a date that it lacks."""
    kept: list[Evidence] = []
    seen: list[Wording] = []
    for finding in evidence:
        said = Wording.of(finding.snippet or finding.text)
        twin = next((i for i, other in enumerate(seen) if said.copies(other)), None)
        if twin is None:
            kept.append(finding)
            seen.append(said)
        else:
            kept[twin] = _linked(kept[twin], finding)
    return kept


def _linked(first: Evidence, copy: Evidence) -> Evidence:
    """Return the first of two copies, with the details that only the other has of the same page."""
    flags = tuple(dict.fromkeys((*first.flags, *copy.flags)))
    same_page = bool(first.url) and first.url == copy.url
    if same_page and first.date is None and copy.date is not None:
        return replace(first, date=copy.date, date_raw=copy.date_raw, flags=flags)
    return replace(first, flags=flags) if flags != first.flags else first


def _drop_unrelated(evidence: list[Evidence], question: str) -> list[Evidence]:
    asked = content_words(question)
    related = [
        finding
        for finding in evidence
        if finding.kind in ALWAYS_RELEVANT or asked & content_words(finding.text)
    ]
    # A question in another script than its pages would lose all findings, so none is dropped then.
    return related or evidence


def _order(evidence: list[Evidence], question: str, order: str) -> list[Evidence]:
    if order == "time":
        return sorted(evidence, key=lambda finding: finding.date or date.min)
    if order == "random":
        random.Random(question).shuffle(evidence)
    return evidence


def _cut(evidence: list[Evidence], profile: Profile) -> list[Evidence]:
    """Return the last `kept` findings; answer boxes stay at any position, unless all are boxes."""
    surplus = len(evidence) - profile.kept
    kept: list[Evidence] = []
    for finding in evidence:
        safe = profile.keep_answer_box and finding.kind is EvidenceKind.answer_box
        if surplus > 0 and not safe:
            surplus -= 1
        else:
            kept.append(finding)
    return kept[-profile.kept :]


def _shorten(finding: Evidence, limit: int) -> Evidence:
    limit += BUDGET + len(GAP) if finding.page else 0
    if len(finding.snippet) <= limit:
        return finding
    return replace(finding, snippet=clean_text(finding.snippet, limit=limit))
