"""The prompt of Self-Ask, its transcript, and how a reply is read."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from datetime import date
from functools import lru_cache
from importlib.resources import files

from freshqa.answering.language_model import Message
from freshqa.answering.paper_prompt import chat, one_line
from freshqa.answering.reasoning import without_thinking
from freshqa.answering.search_only import most_prominent
from freshqa.answering.settings import AnswerSettings
from freshqa.evidence.evidence import Evidence

NEEDED = "Are follow up questions needed here:"
FOLLOW_UP = re.compile(r"follow[ -]?up(?: question)?\s*(?:\d+\s*)?:[ \t]*(\S[^\n]*)", re.IGNORECASE)
FINAL = re.compile(
    r"(?:so )?(?:the )?final answer(?: \(short\))?\s*(?:is)?\s*:[ \t]*(\S[^\n]*)", re.IGNORECASE
)
YES_OR_NO = re.compile(r"\W*(?:yes|no)\W*", re.IGNORECASE)
FINAL_LABEL = "So the final answer is:"
LONGEST_INTERMEDIATE = 400
"""Characters of an intermediate answer."""
NOTHING_FOUND = "Nothing was found."


@dataclass(frozen=True)
class Step:
    """The next step of the model: a follow-up question, or its answer."""

    follow_up: str = ""
    final: str = ""


def read_step(reply: str) -> Step:
    """Return the first follow-up question in a reply, unless a final answer comes before it.

    A reply without either label, other than a bare yes or no, is taken for the final answer.
    """
    text = without_thinking(reply)
    follow_up, final = FOLLOW_UP.search(text), FINAL.search(text)
    if follow_up and (final is None or follow_up.start() < final.start()):
        return Step(follow_up=follow_up.group(1).strip())
    if final:
        return Step(final=final.group(1).strip())
    return Step(final="" if YES_OR_NO.fullmatch(text) else text)


def ends_a_step(reply: str) -> bool:
    """Return True when the first step in a reply ends with its line: what follows is not read."""
    text = without_thinking(reply)
    match = FOLLOW_UP.search(text) or FINAL.search(text)
    return match is not None and "\n" in text[match.end() :]


def intermediate_answer(evidence: tuple[Evidence, ...]) -> str:
    """Return what search says to a follow-up question, on one line."""
    read = most_prominent(evidence)
    text = one_line(read.answer or read.text) if read else ""
    return text[:LONGEST_INTERMEDIATE] or NOTHING_FOUND


def self_ask_prompt(
    question: str,
    written: str,
    *,
    as_of: date,
    settings: AnswerSettings,
    demonstrated: bool = True,
) -> tuple[Message, ...]:
    """Demonstrations, the question, and what is written of its dialogue so far."""
    shown = f"{_demonstrations()}\n\n" if demonstrated else ""
    prompt = f"{shown}Question: {one_line(question)}\n{NEEDED}{written}"
    return chat(prompt, as_of=as_of, settings=replace(settings, labelled=False))


def transcript(intermediate: tuple[tuple[str, str], ...]) -> str:
    """Return a dialogue as text: each follow-up question with its answer, two lines each."""
    lines = [
        f"\nFollow up: {one_line(question)}\nIntermediate answer: {one_line(answer)}"
        for question, answer in intermediate
    ]
    return " Yes." + "".join(lines) if lines else ""


def final_answer(reply: str) -> str:
    """Return the final answer in a reply; the whole reply where it is not labelled."""
    return read_step(reply).final or without_thinking(reply)


@lru_cache(maxsize=1)
def _demonstrations() -> str:
    return files("freshqa.answering").joinpath("data/self_ask.txt").read_text("utf-8").strip()
