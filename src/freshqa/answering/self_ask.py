"""Self-Ask: the model asks follow-up questions, the search engine answers them.

Source: Press et al., "Measuring and narrowing the compositionality gap" (2022), with the search
engine in the model's place for intermediate answers, as in the FreshLLMs paper's baseline. Ours
differs in two ways: a question without follow-ups is itself searched, for an answer from memory is
not fresh; and what a model writes after its first follow-up question is dropped, for it would be
its own invention.
"""

from __future__ import annotations

import re
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import date
from functools import lru_cache
from importlib.resources import files

from freshqa.answering.extraction import extract
from freshqa.answering.freshprompt import Found
from freshqa.answering.language_model import Completion, LanguageModel, Message
from freshqa.answering.prompt import chat, one_line, revision
from freshqa.answering.response import Response
from freshqa.answering.search_only import most_prominent
from freshqa.answering.settings import AnswerSettings
from freshqa.answering.structured import without_thinking
from freshqa.dataset.question import normalised_question
from freshqa.errors import NotFound
from freshqa.evidence.consolidate import consolidate
from freshqa.evidence.evidence import Evidence
from freshqa.evidence.parsing import parse
from freshqa.evidence.search_engine import SearchEngine

NEEDED = "Are follow up questions needed here:"
FOLLOW_UP = re.compile(r"follow[ -]?up(?: question)?\s*(?:\d+\s*)?:[ \t]*(\S[^\n]*)", re.IGNORECASE)
FINAL = re.compile(
    r"(?:so )?(?:the )?final answer(?: \(short\))?\s*(?:is)?\s*:[ \t]*(\S[^\n]*)", re.IGNORECASE
)
YES_OR_NO = re.compile(r"\W*(?:yes|no)\W*", re.IGNORECASE)
FINAL_LABEL = "So the final answer is:"
BEST_RANKS = 2
"""Findings of each kind that are kept of a follow-up search."""
LONGEST_INTERMEDIATE = 400
"""Characters of an intermediate answer."""
NOTHING_FOUND = "Nothing was found."


@dataclass(frozen=True)
class Step:
    """What the model wants next: a follow-up question, or to give its answer."""

    follow_up: str = ""
    final: str = ""


def answer_by_self_ask(
    question: str,
    *,
    as_of: date,
    search: SearchEngine,
    model: LanguageModel,
    settings: AnswerSettings,
) -> Response:
    """Follow-up questions, then the final answer; at least one search, at most `follow_ups`."""
    dialogue = Dialogue(question, as_of=as_of, search=search, model=model, settings=settings)
    dialogue.run()
    if not dialogue.found.searches:
        dialogue.look_up(question)
        dialogue.final = ""
    reply = dialogue.final or dialogue.conclude()
    extracted = extract(reply, question=question)
    found = dialogue.found
    return Response(
        question=question,
        method="self-ask",
        text=extracted.text,
        answer=extracted.answer,
        evidence=consolidate(
            found.evidence, question=found.asked_with(question), profile=settings.profile
        ),
        searches=found.searches,
        completions=found.completions,
        intermediate=found.intermediate,
        premise_rejected=extracted.premise_rejected,
    )


def follow_up(
    question: str,
    *,
    as_of: date,
    search: SearchEngine,
    model: LanguageModel,
    settings: AnswerSettings,
) -> Found:
    """Only the follow-up questions, searched: what FreshPrompt reads for a multi-hop question.

    A recording that does not hold a follow-up ends the asking: the question itself is still
    searched, so nothing is taken for "no evidence".
    """
    dialogue = Dialogue(question, as_of=as_of, search=search, model=model, settings=settings)
    with suppress(NotFound):
        dialogue.run()
    return dialogue.found


def revise_self_ask(
    prior: Response, feedback: str, *, as_of: date, model: LanguageModel, settings: AnswerSettings
) -> Response:
    """Conclude again from the same intermediate answers, told what is wrong."""
    written = _transcript(prior.intermediate) + f"\n{FINAL_LABEL}"
    messages = self_ask_prompt(prior.question, written, as_of=as_of, settings=settings)
    messages = revision(messages, prior_text=prior.text, feedback=feedback)
    completion = model.complete(
        messages, question=prior.question, max_tokens=settings.max_tokens, temperature=0.0
    )
    extracted = extract(_final(completion.text), question=prior.question)
    return replace(
        prior,
        text=extracted.text,
        answer=extracted.answer,
        completions=(*prior.completions, completion),
        premise_rejected=extracted.premise_rejected,
    )


class Dialogue:
    """One Self-Ask in progress: what was asked, found and written so far."""

    def __init__(
        self,
        question: str,
        *,
        as_of: date,
        search: SearchEngine,
        model: LanguageModel,
        settings: AnswerSettings,
    ) -> None:
        self.question, self.as_of = question, as_of
        self.search, self.model, self.settings = search, model, settings
        self.found = Found()
        self.final = ""

    def run(self) -> None:
        """Ask follow-ups until the model concludes, repeats itself or reaches the limit."""
        asked = {normalised_question(self.question)}
        key = self.question
        while len(self.found.searches) < self.settings.follow_ups:
            step = read_step(self.complete(_transcript(self.found.intermediate), key=key).text)
            if not step.follow_up:
                self.final = step.final
                return
            key = one_line(step.follow_up)
            if normalised_question(key) in asked:
                return
            asked.add(normalised_question(key))
            self.look_up(key)

    def look_up(self, follow_up: str) -> None:
        """Search for a follow-up question and note what is read as its answer."""
        result = self.search.search(follow_up, as_of=self.as_of)
        evidence = parse(result)
        self.found = replace(
            self.found,
            searches=(*self.found.searches, result),
            evidence=(*self.found.evidence, *(e for e in evidence if e.rank <= BEST_RANKS)),
            intermediate=(*self.found.intermediate, (follow_up, intermediate_answer(evidence))),
        )

    def conclude(self) -> str:
        """The final answer, asked for outright."""
        written = f"{_transcript(self.found.intermediate)}\n{FINAL_LABEL}"
        return _final(self.complete(written, key=self.question).text)

    def complete(self, written: str, *, key: str) -> Completion:
        """Let the model go on from what is written. `key` is what a recording knows the step by."""
        messages = self_ask_prompt(self.question, written, as_of=self.as_of, settings=self.settings)
        completion = self.model.complete(
            messages, question=key, max_tokens=self.settings.max_tokens, temperature=0.0
        )
        self.found = replace(self.found, completions=(*self.found.completions, completion))
        return completion


def read_step(reply: str) -> Step:
    """The first follow-up question in a reply, unless a final answer comes before it.

    A reply without either label, other than a bare yes or no, is taken for the final answer.
    """
    text = without_thinking(reply)
    follow_up, final = FOLLOW_UP.search(text), FINAL.search(text)
    if follow_up and (final is None or follow_up.start() < final.start()):
        return Step(follow_up=follow_up.group(1).strip())
    if final:
        return Step(final=final.group(1).strip())
    return Step(final="" if YES_OR_NO.fullmatch(text) else text)


def intermediate_answer(evidence: tuple[Evidence, ...]) -> str:
    """What search says to a follow-up question, on one line."""
    read = most_prominent(evidence)
    text = one_line(read.answer or read.text) if read else ""
    return text[:LONGEST_INTERMEDIATE] or NOTHING_FOUND


def self_ask_prompt(
    question: str, written: str, *, as_of: date, settings: AnswerSettings
) -> tuple[Message, ...]:
    """Demonstrations, the question, and what is written of its dialogue so far."""
    prompt = f"{_demonstrations()}\n\nQuestion: {one_line(question)}\n{NEEDED}{written}"
    return chat(prompt, as_of=as_of, settings=replace(settings, labelled=False))


def _transcript(intermediate: tuple[tuple[str, str], ...]) -> str:
    lines = [
        f"\nFollow up: {one_line(question)}\nIntermediate answer: {one_line(answer)}"
        for question, answer in intermediate
    ]
    return " Yes." + "".join(lines) if lines else ""


def _final(reply: str) -> str:
    return read_step(reply).final or without_thinking(reply)


@lru_cache(maxsize=1)
def _demonstrations() -> str:
    return files("freshqa.answering").joinpath("data/self_ask.txt").read_text("utf-8").strip()
