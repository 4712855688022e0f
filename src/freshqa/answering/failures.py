"""Errors for replies of a language model that do not contain an answer."""

from __future__ import annotations

from freshqa.answering.language_model import Completion
from freshqa.errors import ProviderError, ProviderRejected

RAISE_LIMIT = "Raise max_tokens of the model: openai:MODEL?max_tokens=4000, or in its block."


class ModelRefused(ProviderRejected):
    """The model, or a content filter before it, declined; the same prompt would be declined again."""


class EmptyReply(ProviderError):
    """No choices, or a choice without text. Servers under load do this: another try may help."""


class ReplyCutShort(ProviderRejected):
    """The token limit cut the reply, or reasoning used it up before any text was written."""


class MalformedReply(ProviderError):
    """Not a chat completion: HTML, broken JSON, or JSON of another shape."""


def refuse_cut(completion: Completion, *, finished: bool = False) -> None:
    """Raise for a reply that the token limit cut: half a sentence can say the opposite.

    Args:
        completion: The reply.
        finished: True when the part of the reply that is used is complete, so that the cut is
            harmless.

    Raises:
        ReplyCutShort: the reply was cut and is not finished.
    """
    if completion.cut and not finished:
        written = completion.usage.completion_tokens
        after = f" after {written} tokens" if written else ""
        problem = f"{completion.model}: the reply was cut{after} (finish_reason length)."
        raise ReplyCutShort(problem, RAISE_LIMIT)
