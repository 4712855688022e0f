"""The lexical judge: an accepted answer is in the response, or it is not.

For valid premises in relaxed mode only; everything else is `unrated`, because words cannot tell it:
neither can they where half of an accepted answer's words occur in the response. A find is nearly
always right; a miss may be an answer in quite other words, so read its `incorrect` as "no accepted
answer found" (measured in docs/measurements/evaluation.md).
"""

from __future__ import annotations

from freshqa.checking.find_answer import SupportKind, find
from freshqa.dataset.question import Question
from freshqa.evaluation.judgement import Judgement, Mode, Verdict
from freshqa.evaluation.taken_back import taken_back
from freshqa.facts.tokens import STOP_WORDS, fold, tokenise

NAME = "lexical"
_SHORT = 6  # words; longer answers are sentences, which responses do not repeat
_PHRASE = 3  # words in a row that make a phrase of the question


class LexicalJudge:
    """Looks for the accepted answers in the response, by words, numbers and dates."""

    name = NAME

    def judge(self, question: Question, response: str, *, mode: Mode) -> Judgement:
        """Judge one response without a model; never raises."""
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
    """Return the verdict by words alone, with the reason in one sentence."""
    if mode is Mode.strict:
        return Verdict.unrated, "words alone cannot tell hallucination: strict needs a model"
    if question.false_premise:
        return Verdict.unrated, "words alone cannot tell a rebuttal: a false premise needs a model"
    if not response.strip():
        return Verdict.unrated, "the response is empty"
    if not question.answers:
        return Verdict.unrated, "the version holds no answer to this question"
    own = without_restating(question.text, response)
    for answer in question.answers:
        match = find(answer, own, question=question.text)
        if match is not None and match.kind is not SupportKind.soft:
            if taken_back(own, match, question=question.text):
                return Verdict.unrated, f"the response may deny {answer!r}: words cannot tell"
            quote = response[match.start : match.end]
            return Verdict.correct, f"the response holds {answer!r} as {quote!r}"
    short = [answer for answer in question.answers if _found_whenever_given(answer)]
    if not short:
        return Verdict.unrated, "words alone cannot tell a missing yes, no or whole sentence"
    for answer in short:
        if _nearly(answer, question.text, own):
            return Verdict.unrated, f"the response holds part of {answer!r}: words cannot tell"
    return Verdict.incorrect, "no accepted answer is in the response"


def without_restating(question: str, response: str) -> str:
    """Return the response with phrases of the question blanked out, at the same offsets.

    Of "In the last 5 years, Peru has had 7 presidents" the 5 is the question's own.
    """
    asked = [token.form for token in tokenise(question)]
    phrases = {tuple(asked[i : i + _PHRASE]) for i in range(len(asked) - _PHRASE + 1)}
    tokens = tokenise(response)
    kept = response
    for i in range(len(tokens) - _PHRASE + 1):
        window = tokens[i : i + _PHRASE]
        if tuple(token.form for token in window) in phrases:
            start, end = window[0].start, window[-1].end
            kept = kept[:start] + " " * (end - start) + kept[end:]
    return kept


def _nearly(answer: str, question: str, response: str) -> bool:
    """Return True when at least half of the answer's own words are in the response."""
    not_its_own = {token.form for token in tokenise(question)} | STOP_WORDS
    own = [t.form.rstrip("s") for t in tokenise(answer) if t.form not in not_its_own]
    said = {token.form.rstrip("s") for token in tokenise(response)}
    return 2 * sum(form in said for form in own) >= len(own) > 0


def _found_whenever_given(answer: str) -> bool:
    """Return False for answers that correct responses usually give in other words."""
    words = fold(answer).split()
    return 0 < len(words) <= _SHORT and words not in (["yes"], ["no"])
