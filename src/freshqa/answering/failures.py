"""Replies of a language model that are no answer, each with a name."""

from __future__ import annotations

from freshqa.errors import ProviderError, ProviderRejected


class ModelRefused(ProviderRejected):
    """The model, or a content filter before it, declines; the same prompt gets the same."""


class EmptyReply(ProviderError):
    """No choices, or a choice without text; servers under load do this, so another try may help."""


class ReplyCutShort(ProviderRejected):
    """The token limit was used up before any text was written (reasoning counts)."""


class MalformedReply(ProviderError):
    """Not a chat completion: HTML, broken JSON, or JSON of another shape."""
