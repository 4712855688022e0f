"""Asking with, without, or only with needed evidence: what the paper's policies differ in."""

from __future__ import annotations

from datetime import date

from freshqa.answering.language_model import Completion, LanguageModel, Message
from freshqa.answering.reasoning import without_thinking
from freshqa.answering.response import Response
from freshqa.checking.loop import Ask
from freshqa.checking.policy import EvidenceUse

CLOSED_BOOK = "closed-book"
_MOST_TOKENS = 256


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
        if asked and not without_thinking(asked[0].text).lower().startswith("no"):
            return ask(feedback, prior)
        return _from_memory(model, question, as_of, feedback, tuple(asked))

    return answer


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
