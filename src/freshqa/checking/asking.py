"""Asking with, without, or only with needed evidence: what the paper's policies differ in."""

from __future__ import annotations

import re
from datetime import date

from freshqa.answering.language_model import Completion, LanguageModel, Message
from freshqa.answering.reasoning import without_thinking
from freshqa.answering.response import Response
from freshqa.checking.loop import Ask
from freshqa.checking.policy import EvidenceUse

CLOSED_BOOK = "closed-book"
_MOST_TOKENS = 256
_MARKS = re.compile(r"""[*_`"“”]+""")
_NO = re.compile(r"(?:(?:final )?answer: ?)?no(?:[.!,;:]|\s?[–—-]\s|$)")
_NO_NEED = re.compile(
    r"\b(?:(?:do not|don't|does not|doesn't|would not|wouldn't|did not) need(?: to)?"
    r"(?: look| search| check)?|no need(?: to)?(?: look| search| check)?"
    r"|not (?:necessary|needed|required)|without (?:looking|searching|checking))\b"
)
_DOUBT = re.compile(
    r"\b(?:yes|but|however|although|though|unless|except|sure|unsure|uncertain|idea|know|maybe"
    r"|perhaps|possibly|probably|might|may|could|should|would|better|need|needs|required|look"
    r"|looking|search|check|verify|confirm|up-to-date|recent|changed?|cutoff)\b|\?"
)


def ask_as(use: EvidenceUse, ask: Ask, *, question: str, as_of: date, model: LanguageModel) -> Ask:
    """An `Ask` that reads evidence always, never, or when the model says that it needs some.

    Args:
        use: What the policy wants.
        ask: Answers from evidence.
        question: The question.
        as_of: Day of the check, told to the model.
        model: Answers from what it remembers, and says whether that will do.
    """
    if use is EvidenceUse.always:
        return ask
    asked: list[Completion] = []

    def answer(feedback: str, prior: Response | None) -> Response:
        if use is EvidenceUse.asked and not asked:
            asked.append(_needs_evidence(model, question, as_of))
        if asked and not is_clear_no(without_thinking(asked[0].text)):
            return ask(feedback, prior)
        return _from_memory(model, question, as_of, feedback, tuple(asked))

    return answer


def is_clear_no(reply: str) -> bool:
    """Whether a reply says no without a doubt; whatever else it says, evidence is searched for.

    "No.", "No, I do not need to look it up." and "No. It is Paris." are clear; "Not sure", "No
    idea", "No, but check it" and "Yes and no" are not.
    """
    text = " ".join(_MARKS.sub(" ", reply).casefold().replace("’", "'").split())
    found = _NO.match(text)
    return found is not None and not _DOUBT.search(_NO_NEED.sub(" ", text[found.end() :]))


def _needs_evidence(model: LanguageModel, question: str, as_of: date) -> Completion:
    prompt = (
        f"Today is {as_of.isoformat()}. Question: {question}\n"
        "Do you need to look something up to answer this correctly as of today? Answer yes or no."
    )
    return model.complete([Message("user", prompt)], question=question, max_tokens=_MOST_TOKENS)


def _from_memory(
    model: LanguageModel, question: str, as_of: date, feedback: str, asked: tuple[Completion, ...]
) -> Response:
    prompt = (
        f"Today is {as_of.isoformat()}. Answer as concisely as possible. Question: {question}\n"
        f"{feedback}"
    )
    reply = model.complete(
        [Message("user", prompt.strip())], question=question, max_tokens=_MOST_TOKENS
    )
    text = without_thinking(reply.text)
    return Response(question, CLOSED_BOOK, text, text, completions=(*asked, reply))
