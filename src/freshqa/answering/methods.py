"""Answer one question with one method; flows and the command line start here."""

from __future__ import annotations

from datetime import date
from typing import get_args

from freshqa.answering.baselines import (
    CLOSED_BOOK,
    RGB,
    answer_from_documents,
    answer_from_memory,
)
from freshqa.answering.freshprompt import Research, answer_by_freshprompt, revise_freshprompt
from freshqa.answering.language_model import LanguageModel
from freshqa.answering.response import Response
from freshqa.answering.search_only import answer_by_search
from freshqa.answering.self_ask import answer_by_self_ask, follow_up, revise_self_ask
from freshqa.answering.settings import AnswerSettings
from freshqa.choices import Method
from freshqa.errors import UsageError
from freshqa.evidence.search_engine import SearchEngine

DEFAULT = AnswerSettings()
METHODS: tuple[str, ...] = get_args(Method)
"""Methods that a refresh may use."""
BASELINES = (*CLOSED_BOOK, RGB)
"""Further methods, for comparison."""


def searches(method: str) -> bool:
    """Return False for a method that answers from memory."""
    return method not in CLOSED_BOOK


def answer(  # long: what is asked, of whom, and what was answered before
    question: str,
    *,
    method: str,
    as_of: date,
    search: SearchEngine | None,
    model: LanguageModel | None = None,
    settings: AnswerSettings = DEFAULT,
    multi_hop: bool = False,
    feedback: str = "",
    prior: Response | None = None,
) -> Response:
    """Answer a question, or revise an earlier response to it.

    Args:
        question: The question, as asked.
        method: One of `METHODS` or `BASELINES`.
        as_of: The day for which the answer is to be true.
        search: Needed by every method but those that answer from memory.
        model: Needed by every method but `search-only`.
        multi_hop: Whether the question takes several steps; with `settings.decompose`, FreshPrompt
            then searches for follow-up questions too.
        feedback: What is wrong with `prior` (LLM-Augmenter).
        prior: An earlier response to the same question. Its searches are reused and stay, with its
            completions, in the new response: the last response tells the cost of all.

    Raises:
        UsageError: no such method, or a method without its model.
        FreshQAError: whatever search engine and model raise.
    """
    check_method(method, model)
    if prior is not None and feedback:
        return _revise(prior, feedback, as_of=as_of, model=model, settings=settings)
    if method in CLOSED_BOOK and model is not None:
        return answer_from_memory(
            question, method=method, as_of=as_of, model=model, settings=settings
        )
    if search is None:
        raise UsageError(f"Method {method} needs a search engine.", "Add --search BLOCK.")
    if method == "search-only" or model is None:
        return answer_by_search(question, as_of=as_of, search=search, profile=settings.profile)
    if method == "self-ask":
        return answer_by_self_ask(
            question, as_of=as_of, search=search, model=model, settings=settings
        )
    if method == RGB:
        return answer_from_documents(
            question, as_of=as_of, search=search, model=model, settings=settings
        )
    research = Research()
    if multi_hop and settings.decompose:
        research = follow_up(question, as_of=as_of, search=search, model=model, settings=settings)
    return answer_by_freshprompt(
        question, as_of=as_of, search=search, model=model, settings=settings, research=research
    )


def check_method(method: str, model: LanguageModel | None) -> None:
    """Raise `UsageError` unless there is such a method and it has the model it needs."""
    known = (*METHODS, *BASELINES)
    if method not in known:
        raise UsageError(f"Unknown method {method!r}.", f"Choose from: {', '.join(known)}.")
    if method != "search-only" and model is None:
        raise UsageError(f"Method {method} needs a language model.", "Add --model BLOCK.")


def _revise(
    prior: Response,
    feedback: str,
    *,
    as_of: date,
    model: LanguageModel | None,
    settings: AnswerSettings,
) -> Response:
    if prior.method == "search-only" or model is None:
        return prior  # the same page reads the same however often it is read
    revise = revise_self_ask if prior.method == "self-ask" else revise_freshprompt
    return revise(prior, feedback, as_of=as_of, model=model, settings=settings)
