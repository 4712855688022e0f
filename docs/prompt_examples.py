"""Examples that `docs/prompts.md` prints: made by the code they explain."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from freshqa import sample
from freshqa.answering.demonstrations import demonstrations
from freshqa.answering.freshprompt import freshprompt
from freshqa.answering.language_model import Message
from freshqa.answering.self_ask_prompt import intermediate_answer, self_ask_prompt
from freshqa.answering.settings import ABLATIONS, SETTINGS, settings_for
from freshqa.evidence.consolidate import consolidate
from freshqa.evidence.evidence import Evidence
from freshqa.evidence.parsing import parse
from freshqa.evidence.profile import ABLATIONS as EVIDENCE_ABLATIONS
from prefect_freshqa.blocks import RecordedSearch

AS_OF = date(2026, 3, 16)
QUESTION = "Who is the president of Orlune?"
MULTI_HOP = "In which town was the current president of Orlune born?"


def found(question: str) -> tuple[Evidence, ...]:
    """What the sample world's search finds for a question."""
    path = sample.path("searches-2026-03-16.jsonl")
    engine = RecordedSearch(path=str(path)).get_engine()
    return parse(engine.search(question, as_of=AS_OF))


def written(messages: tuple[Message, ...]) -> str:
    """A chat with the role of each turn above it."""
    return "\n".join(f"[{message.role}]\n{message.content}" for message in messages)


def freshprompt_example(profile: str, demonstrations: int | None = None) -> str:
    """The FreshPrompt for one question, as of one day."""
    settings = settings_for(profile)
    if demonstrations is not None:
        settings = replace(settings, demonstrations=demonstrations)
    kept = consolidate(found(QUESTION), question=QUESTION, profile=settings.profile)
    return written(freshprompt(QUESTION, kept, as_of=AS_OF, settings=settings))


def self_ask_example() -> str:
    """A Self-Ask after its first follow-up question."""
    answer = intermediate_answer(found(QUESTION))
    so_far = f" Yes.\nFollow up: {QUESTION}\nIntermediate answer: {answer}"
    settings = settings_for("paper-gpt4")
    return written(self_ask_prompt(MULTI_HOP, so_far, as_of=AS_OF, settings=settings))


def settings_table() -> str:
    """Every named setting, as a Markdown table."""
    lines = [
        "| profile | hits, related, Q&A, kept | premise check | reply in JSON | guard | follow-ups |",
        "|---|---|---|---|---|---|",
    ]
    for name, s in SETTINGS.items():
        p = s.profile
        counts = f"{p.organic}, {p.related}, {p.questions_and_answers}, {p.kept}"
        flags = (s.premise_check, bool(s.fields), s.guard, s.decompose)
        cells = ("yes" if flag else "no" for flag in flags)
        lines.append(f"| `{name}` | {counts} | {' | '.join(cells)} |")
    return "\n".join(lines)


def ablations_list() -> str:
    """Every ablation by name."""
    return ", ".join(f"`{name}`" for name in (*ABLATIONS, *EVIDENCE_ABLATIONS))


def demonstrations_table() -> str:
    """Every demonstration, as a Markdown table."""
    lines = ["| question | premise | what it teaches |", "|---|---|---|"]
    for d in demonstrations():
        premise = "false" if d.false_premise else "valid"
        lines.append(f"| {d.question} | {premise} | {d.teaches} |")
    return "\n".join(lines)
