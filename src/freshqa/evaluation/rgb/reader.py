"""Readers of documents: a model in RGB's setting, or one of our answering methods."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date, datetime, time, timezone
from typing import Protocol

from freshqa.answering.documents_prompt import Instruction, Style, reading_messages
from freshqa.answering.language_model import LanguageModel
from freshqa.answering.methods import DEFAULT, answer
from freshqa.answering.settings import AnswerSettings
from freshqa.evaluation.rgb.reply import Reply, Status, read_reply
from freshqa.evidence.search_engine import SearchResult


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
    """A model asked in RGB's setting.

    Args:
        style: Our wording: `structured` also asks for a status; `literal` asks as the paper does.
        instruction: Other words, such as RGB's own, instead of ours.
        max_tokens: Limit of each reply.
    """

    def __init__(
        self,
        model: LanguageModel,
        *,
        style: Style = Style.structured,
        instruction: Instruction | None = None,
        max_tokens: int = 512,
    ) -> None:
        self.name = model.name
        self._model, self._style, self._max_tokens = model, style, max_tokens
        self._instruction = instruction

    def read(self, query: str, documents: Sequence[str], *, language: str) -> Reply:
        """Ask once, at temperature 0."""
        chat = reading_messages(
            query,
            documents,
            language=language,
            style=self._style,
            instruction=self._instruction,
        )
        completion = self._model.complete(chat, question=query, max_tokens=self._max_tokens)
        return read_reply(completion.text)


class MethodReader:
    """One of our answering methods, given the documents as if a search had found them.

    Args:
        method: Name of the method (`freshprompt`, `self-ask`, `search-only`).
        as_of: The day for which it answers.
        model: The model behind it; None for `search-only`.
    """

    def __init__(
        self,
        method: str,
        *,
        as_of: date,
        model: LanguageModel | None = None,
        settings: AnswerSettings = DEFAULT,
    ) -> None:
        self.name = model.name if model else method
        self._method, self._as_of, self._model, self._settings = method, as_of, model, settings

    def read(self, query: str, documents: Sequence[str], *, language: str) -> Reply:
        """Answer with the method; a response without an answer of its own declines.

        A response that says the documents are wrong reports a conflict, with or without an answer.

        `search-only` has no answer of its own but the passage it shows, which it never doubts.
        """
        response = answer(
            query,
            method=self._method,
            as_of=self._as_of,
            search=DocumentSearch(documents),
            model=self._model,
            settings=self._settings,
        )
        text = response.text if self._model is None else response.answer
        status = Status.answered if text.strip() else Status.insufficient
        if response.premise_rejected:
            status = Status.false_premise
        if response.reports_errors:
            status = Status.conflict
        return Reply(response.text, response.answer or response.text, status)


class DocumentSearch:
    """A search engine that returns the same documents for every query."""

    name = "documents"

    def __init__(self, documents: Sequence[str]) -> None:
        self._documents = documents

    def search(self, query: str, *, as_of: date) -> SearchResult:
        """Return the documents as organic results of independent sources."""
        organic = [
            {
                "position": rank,
                "link": f"https://document-{rank}.example/",
                "displayed_link": f"document-{rank}.example",
                "snippet": " ".join(document.split()),
            }
            for rank, document in enumerate(self._documents, start=1)
        ]
        fetched_at = datetime.combine(as_of, time(), timezone.utc)
        return SearchResult("serpapi", query, {"organic_results": organic}, fetched_at)
