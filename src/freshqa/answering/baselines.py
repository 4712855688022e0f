"""The baselines of FreshLLMs' Table 1 that do not search, and RGB's setting as a method.

`closed-book` asks the question alone; `q-a` asks in the form `Q: … A:`; `few-shot` puts worked
examples in that form before it, and `chain-of-thought` examples that reason before they answer. The
examples are those of FreshPrompt without their evidence. `rgb` shows the findings as RGB's documents.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from freshqa.answering.documents_prompt import Style, language_of, reading_messages
from freshqa.answering.extraction import extract, without_full_stop
from freshqa.answering.failures import refuse_cut
from freshqa.answering.language_model import Completion, LanguageModel, Message
from freshqa.answering.paper_prompt import chat, one_line
from freshqa.answering.response import Response
from freshqa.answering.settings import AnswerSettings
from freshqa.evidence.consolidate import consolidate
from freshqa.evidence.evidence import Evidence
from freshqa.evidence.parsing import parse
from freshqa.evidence.search_engine import SearchEngine

CLOSED_BOOK = ("closed-book", "q-a", "few-shot", "chain-of-thought")
"""Methods that answer from memory: they need a model and no search engine."""
RGB = "rgb"
_NEXT_QUESTION = re.compile(r"\n\s*Q:")
_ANSWER_IS = re.compile(r"\A(?:the )?(?:final )?answer is:?\s+", re.IGNORECASE)


def answer_from_memory(
    question: str, *, method: str, as_of: date, model: LanguageModel, settings: AnswerSettings
) -> Response:
    """Ask the model without any evidence.

    Args:
        method: One of `CLOSED_BOOK`.
    """
    messages = closed_book_prompt(question, method=method, as_of=as_of, settings=settings)
    completion = model.complete(
        messages, question=question, max_tokens=settings.max_tokens, temperature=0.0
    )
    return _response(question, method, completion)


def answer_from_documents(
    question: str,
    *,
    as_of: date,
    search: SearchEngine,
    model: LanguageModel,
    settings: AnswerSettings,
) -> Response:
    """Search once and let the model read the findings as RGB's documents."""
    result = search.search(question, as_of=as_of)
    evidence = consolidate(parse(result), question=question, profile=settings.profile)
    messages = reading_messages(
        question,
        [document(finding) for finding in evidence],
        language=language_of(question),
        style=Style.literal,
        instruction=settings.instruction,
    )
    completion = model.complete(
        messages, question=question, max_tokens=settings.max_tokens, temperature=0.0
    )
    return replace(_response(question, RGB, completion), evidence=evidence, searches=(result,))


def closed_book_prompt(
    question: str, *, method: str, as_of: date, settings: AnswerSettings
) -> Sequence[Message]:
    """Return the chat of a closed-book method."""
    asked = one_line(question)
    if method == "q-a":
        return (Message("user", f"Q: {asked}\nA: "),)
    prompt = asked
    if method != "closed-book":
        reasoned = method == "chain-of-thought"
        blocks = [*_worked(question, as_of, settings, reasoned), f"Q: {asked}\nA: "]
        prompt = "\n\n".join(blocks)
    return chat(prompt, as_of=as_of, settings=replace(settings, labelled=False, guard=False))


def document(finding: Evidence) -> str:
    """Return a finding as one document of RGB: its title and what it says."""
    parts = (finding.title, finding.snippet, finding.highlight)
    return " ".join(dict.fromkeys(part for part in parts if part))


def _worked(question: str, as_of: date, settings: AnswerSettings, reasoned: bool) -> Sequence[str]:
    blocks = []
    for example in settings.shown_to(question):
        answer = example.answer("verbose" if reasoned else settings.style, as_of)
        if reasoned:
            answer += f" So the answer is: {example.short_answer(as_of).rstrip('.')}."
        blocks.append(f"Q: {one_line(example.question)}\nA: {one_line(answer)}")
    return blocks


def _response(question: str, method: str, completion: Completion) -> Response:
    own, *rest = _NEXT_QUESTION.split(completion.text, maxsplit=1)
    refuse_cut(completion, finished=bool(rest))
    extracted = extract(own, question=question)
    answer = without_full_stop(_ANSWER_IS.sub("", extracted.answer))
    return Response(
        question=question,
        method=method,
        text=extracted.text,
        answer=answer,
        completions=(completion,),
        premise_rejected=extracted.premise_rejected,
    )
