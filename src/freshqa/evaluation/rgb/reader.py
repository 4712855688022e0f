"""Who reads the documents: a model with RGB's prompt, or one of our own answering methods."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Protocol

from freshqa.answering.language_model import LanguageModel
from freshqa.answering.response import Response
from freshqa.evaluation.rgb.prompts import Style, reading_messages
from freshqa.evaluation.rgb.reply import Reply, Status, read_reply
from freshqa.evidence.evidence import Evidence, EvidenceKind


class Reader(Protocol):
    """Anything that answers a question from documents; thread-safe."""

    name: str

    def read(self, query: str, documents: Sequence[str], *, language: str) -> Reply:
        """Answer from the documents, or from memory when there are none.

        Raises:
            FreshQAError: as the model behind it does.
        """
        ...


class ModelReader:
    """A model asked as RGB asks.

    Args:
        model: The model.
        style: `structured` also asks for a status; `literal` is comparable with the paper.
        max_tokens: Limit of each reply.
    """

    def __init__(
        self, model: LanguageModel, *, style: Style = Style.structured, max_tokens: int = 512
    ) -> None:
        self.name = model.name
        self._model, self._style, self._max_tokens = model, style, max_tokens

    def read(self, query: str, documents: Sequence[str], *, language: str) -> Reply:
        """Ask once, at temperature 0."""
        chat = reading_messages(query, documents, language=language, style=self._style)
        completion = self._model.complete(chat, question=query, max_tokens=self._max_tokens)
        return read_reply(completion.text)


class MethodReader:
    """An answering method, given the documents as if a search had found them.

    Args:
        name: Name of the method and its model.
        answer: Question and evidence to response: what a refresh would ask.
    """

    def __init__(self, name: str, answer: Callable[[str, Sequence[Evidence]], Response]) -> None:
        self.name = name
        self._answer = answer

    def read(self, query: str, documents: Sequence[str], *, language: str) -> Reply:
        """Answer with the method; a response without an answer of its own declines."""
        response = self._answer(query, as_evidence(documents))
        status = Status.answered if response.answer.strip() else Status.insufficient
        if response.premise_rejected:
            status = Status.false_premise
        return Reply(response.text, response.answer or response.text, status)


def as_evidence(documents: Sequence[str]) -> tuple[Evidence, ...]:
    """Documents as organic findings of sources that know nothing of one another."""
    return tuple(
        Evidence(
            kind=EvidenceKind.organic,
            source=f"document-{rank}.example",
            url=f"https://document-{rank}.example/",
            snippet=" ".join(document.split()),
            rank=rank,
        )
        for rank, document in enumerate(documents, start=1)
    )
