"""Why a reply is wrong, as far as the documents show: the classes of the paper's error analysis.

Named after RGB's sections 4.2 to 4.5 where a rule can tell them: distant information, uncertain
evidence and confused concepts (noise); merged, ignored and misaligned sub-questions (integration).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import Enum

from freshqa.evaluation.rgb.reply import Reply, Status
from freshqa.evaluation.rgb.scoring import Score, holds
from freshqa.evaluation.rgb.testbed import Item
from freshqa.facts.tokens import tokenise

_HEDGES = re.compile(
    r"\b(?:may|might|could|likely|expected|rumou?red|reportedly|possibly|speculat\w+)\b|可能|预计|据传",
    re.IGNORECASE,
)
_FAR = 40  # tokens between the answer and the nearest own word of the question


class Mistake(str, Enum):
    """A class of wrong replies."""

    refused = "refused-although-answerable"
    answered = "answered-although-insufficient"
    fake_repeated = "repeated-the-false-answer"
    ignored = "ignored-a-sub-question"
    merged = "merged-sub-questions"
    misaligned = "answered-from-another-sub-question"
    confused = "confused-concepts"  # its text is in a document that does not answer the question
    uncertain = "uncertain-evidence"
    distant = "distant-information"
    unsupported = "not-in-the-documents"
    other = "other"


def mistake(
    reply: Reply,
    score: Score,
    item: Item,
    *,
    positive: int,
    documents: Sequence[str],
    language: str,
) -> Mistake | None:
    """Return the class of mistake of a scored reply; None when it is right.

    Args:
        positive: How many of the documents hold the true answer.
        documents: What the reader was given; none for the closed book, which has no class.
    """
    refuses = score.declined_in_sense or (score.declined_in_sense is None and score.declined)
    if not documents:
        return None
    if positive == 0 and not item.fake:
        return None if refuses else Mistake.answered
    if score.correct:
        return None
    if refuses or reply.status is Status.insufficient:
        return Mistake.refused
    if item.fake and holds(item.fake, reply.text):
        return Mistake.fake_repeated
    if len(item.parts) > 1:
        return _integration(reply, score, item)
    return _reading(reply, item, documents)


def _integration(reply: Reply, score: Score, item: Item) -> Mistake:
    right = sum(score.labels)
    if 0 < right < len(item.parts):
        values = {t.form for t in tokenise(reply.answer) if t.value is not None}
        asked_numbers = sum(any(c.isdigit() for c in "".join(part)) for part in item.parts)
        # One number given where several were asked for counts for all of them.
        if asked_numbers > 1 and len(values) == 1:
            return Mistake.merged
        return Mistake.misaligned if _is_misaligned(reply, score, item) else Mistake.ignored
    return Mistake.misaligned if _is_misaligned(reply, score, item) else Mistake.other


def _is_misaligned(reply: Reply, score: Score, item: Item) -> bool:
    """True when a wrong part is answered with what only another sub-question's documents say."""
    if len(item.positive) != len(item.parts):
        return False
    accepted = {t.form for part in item.parts for form in part for t in tokenise(form)}
    asked = {token.form for token in tokenise(item.query)}
    stated = {
        token.form
        for token in tokenise(reply.answer)
        if len(token.form) > 2 or token.value is not None
    }
    others = stated - accepted - asked
    words = [{t.form for d in group for t in tokenise(d)} for group in item.positive]
    for number, label in enumerate(score.labels):
        if label == 1:
            continue
        elsewhere = set().union(*(w for i, w in enumerate(words) if i != number))
        if others & (elsewhere - words[number]):
            return True
    return False


def _reading(reply: Reply, item: Item, documents: Sequence[str]) -> Mistake:
    with_answer = [d for d in documents if any(holds(part, d) for part in item.parts)]
    said = reply.answer.strip().rstrip(".")
    if said and not any(holds((said,), d) for d in documents):
        hedged = any(_HEDGES.search(d) for d in with_answer) or _HEDGES.search(reply.text)
        return Mistake.uncertain if hedged else Mistake.unsupported
    if said and any(holds((said,), d) for d in documents if d not in with_answer):
        return Mistake.confused
    if with_answer and all(_is_far(item, document) for document in with_answer):
        return Mistake.distant
    return Mistake.other


def _is_far(item: Item, document: str) -> bool:
    words = {token.form for token in tokenise(item.query) if len(token.form) > 3}
    tokens = [token.form for token in tokenise(document)]
    asked = [i for i, form in enumerate(tokens) if form in words]
    answers = {t.form for part in item.parts for form in part for t in tokenise(form)} - words
    given = [i for i, form in enumerate(tokens) if form in answers]
    if not asked or not given:
        return False
    return min(abs(a - g) for a in asked for g in given) > _FAR
