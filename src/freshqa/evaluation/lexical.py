"""The judge without a model: an accepted answer stands in the response, or it does not.

For valid premises in relaxed mode only; everything else is `unrated`, because words cannot tell it.
A find is nearly always right; a miss may be an answer in other words, so read its `incorrect` as
"no accepted answer found" (measured in docs/measurements/evaluation.md).
"""

from __future__ import annotations

from freshqa.checking.find import SupportKind, find
from freshqa.checking.tokens import fold
from freshqa.dataset.question import Question
from freshqa.evaluation.judgement import Judgement, Mode, Verdict

NAME = "lexical"
_SHORT = 6  # words; longer answers are sentences, which nobody repeats


class LexicalJudge:
    """Looks for the accepted answers in the response, by words, numbers and dates."""

    name = NAME

    def judge(self, question: Question, response: str, *, mode: Mode) -> Judgement:
        """Judge one response; never raises and asks nobody."""
        verdict, comment = lexical_verdict(question, response, mode=Mode(mode))
        return Judgement(
            question=question.text,
            verdict=verdict,
            mode=Mode(mode),
            judge=self.name,
            comment=comment,
            response=response,
            key=question.key,
            gold=question.revision_hash,
        )


def lexical_verdict(question: Question, response: str, *, mode: Mode) -> tuple[Verdict, str]:
    """The verdict of words alone, with the reason in one sentence."""
    if mode is Mode.strict:
        return Verdict.unrated, "words alone cannot tell hallucination: strict needs a model"
    if question.false_premise:
        return Verdict.unrated, "words alone cannot tell a rebuttal: a false premise needs a model"
    if not response.strip():
        return Verdict.unrated, "the response is empty"
    if not question.answers:
        return Verdict.unrated, "the version holds no answer to this question"
    for answer in question.answers:
        found = find(answer, response, question=question.text)
        if found is not None and found.kind is not SupportKind.soft:
            quote = response[found.start : found.end]
            return Verdict.correct, f"the response holds {answer!r} as {quote!r}"
    if not any(_found_whenever_given(answer) for answer in question.answers):
        return Verdict.unrated, "words alone cannot tell a missing yes, no or whole sentence"
    return Verdict.incorrect, "no accepted answer stands in the response"


def _found_whenever_given(answer: str) -> bool:
    """False for answers that right responses mostly give in other words."""
    words = fold(answer).split()
    return 0 < len(words) <= _SHORT and words not in (["yes"], ["no"])
