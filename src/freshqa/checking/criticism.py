"""Feedback in the model's own words: the self-criticism of LLM-Augmenter."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date

from freshqa.answering.language_model import Completion, LanguageModel, Message
from freshqa.checking.feedback import feedback_text
from freshqa.checking.round import Round

_MAX_TOKENS = 256
_LONGEST = 600

Critic = Callable[[Round], Completion]
"""States what is wrong with the response of a round; its reply becomes the feedback."""

PROMPT = """Today is {today}. A question was answered from the evidence below.
Say in at most three sentences what is wrong with the answer or missing from it, judged by the \
evidence alone. Do not answer the question yourself.

question: {question}
answer: {answer}
known problems: {problems}
evidence:
{evidence}"""


def self_critic(model: LanguageModel, *, as_of: date) -> Critic:
    """Return a critic that asks a model; web text is fenced in lines of its own and capped."""

    def criticise(current: Round) -> Completion:
        lines = (f"- {finding.text[:_LONGEST]!r}" for finding in current.response.evidence)
        prompt = PROMPT.format(
            today=as_of.isoformat(),
            question=current.response.question,
            answer=current.response.answer or "(none)",
            problems=feedback_text(current.feedback) or "(none)",
            evidence="\n".join(lines) or "(none)",
        )
        message = Message("user", prompt)
        return model.complete([message], question=current.response.question, max_tokens=_MAX_TOKENS)

    return criticise
