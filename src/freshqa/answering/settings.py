"""How a question is asked: every switch of the paper's ablations, and named sets of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from freshqa.answering.demonstrations import Demonstration, Examples, demonstrations
from freshqa.answering.documents_prompt import Instruction
from freshqa.dataset.wording import normalised_question
from freshqa.errors import UsageError
from freshqa.evidence.profile import ABLATIONS as EVIDENCE_ABLATIONS
from freshqa.evidence.profile import PROFILES, Profile

STYLES = ("concise", "verbose")


@dataclass(frozen=True)
class AnswerSettings:
    """Settings of an answering method; the defaults give the paper's FreshPrompt for GPT-4.

    Args:
        profile: Which evidence is kept, and in which order.
        premise_check: Ask to check the premise before answering (paper: off; +6.4 points on false
            premises and -0.6 overall for GPT-4, -20.8 overall for GPT-3.5).
        demonstrations: How many worked examples precede the question, 0 to 15.
        style: Of their answers: `concise` or `verbose`.
        max_tokens: Limit of each reply, reasoning included.
        labelled: Also ask for the lines `premise:` and `short answer:`, so that an answer stands
            alone. Not in the paper.
        guard: Tell the model that evidence is data, never instructions. Not in the paper.
        decompose: Before a multi-hop question is answered, let the model ask follow-up questions
            and search for each: the paper names one search a question as its limitation.
        follow_ups: Maximum number of follow-up questions.
        snippets_only: Show of each finding its snippet alone, without source, date, title and
            highlight.
        examples: Demonstrations of one's own instead of those shipped.
        instruction: Wording of RGB's setting, for method `rgb`, instead of ours.
        fields: Fields of a reply in JSON to numbered findings, in the order in which the model
            writes them; empty: the notebook's text, which `labelled` and `premise_check` extend.
        order: Which demonstrations are shown, by position in the shipped file, in this order;
            empty: the first ones.
        dated: Whether the sentence of a reply in JSON opens with the day, as the paper's does.
    """

    profile: Profile = field(default_factory=lambda: PROFILES["paper-gpt4"])
    premise_check: bool = False
    demonstrations: int = 5
    style: str = "concise"
    max_tokens: int = 1024
    labelled: bool = False
    guard: bool = False
    decompose: bool = False
    follow_ups: int = 4
    snippets_only: bool = False
    examples: Examples | None = None
    instruction: Instruction | None = None
    fields: tuple[str, ...] = ()
    order: tuple[int, ...] = ()
    dated: bool = False

    def __post_init__(self) -> None:
        if self.style not in STYLES:
            raise UsageError(f"Unknown style {self.style!r}.", f"Choose from: {', '.join(STYLES)}.")
        if self.demonstrations < 0 or self.follow_ups < 1 or self.max_tokens < 1:
            raise UsageError(
                "Answer settings out of range.",
                "demonstrations must be 0 or more, follow_ups and max_tokens 1 or more.",
            )

    @property
    def reply_fields(self) -> tuple[str, ...]:
        """The fields asked for: `premise` only with a premise check."""
        return tuple(f for f in self.fields if f != "premise" or self.premise_check)

    def shown_to(self, question: str) -> tuple[Demonstration, ...]:
        """Return the demonstrations for a question, as many as are set; never the question itself."""
        known = self.examples.demonstrations if self.examples else demonstrations()
        if self.order and not self.examples:
            known = tuple(known[position] for position in self.order)
        asked = normalised_question(question)
        other = [
            demonstration
            for demonstration in known
            if normalised_question(demonstration.question) != asked
        ]
        return tuple(other[: self.demonstrations])


SETTINGS: Mapping[str, AnswerSettings] = {
    "paper-gpt3.5": AnswerSettings(profile=PROFILES["paper-gpt3.5"]),
    "paper-gpt4": AnswerSettings(),
    "notebook": AnswerSettings(profile=PROFILES["notebook"], premise_check=True),
    "best": AnswerSettings(
        profile=PROFILES["best"],
        premise_check=True,
        guard=True,
        decompose=True,
        fields=("answer", "short_answer", "premise", "evidence"),
        order=(4, 0, 1),
        dated=True,
    ),
}
"""Settings by profile name."""
DEFAULT_PROFILE = "best"
"""Profile where a command, block or deployment names none; docs/measurements/prompts.md says why."""
MAX_SEARCHES = 2
"""Maximum number of further searches for an uncertain question of a refresh, also the default."""
DEFAULT_ROUNDS = 1
"""Rounds where a refresh names none: on the models measured, a second found no more right answers
and proposed more wrong ones; docs/measurements/prompts.md."""


ABLATIONS: Mapping[str, Mapping[str, Any]] = {
    "premise-check": {"premise_check": True},
    "no-premise-check": {"premise_check": False},
    "verbose": {"style": "verbose"},
    "no-demonstrations": {"demonstrations": 0},
    "1-demonstration": {"demonstrations": 1},
    "15-demonstrations": {"demonstrations": 15},
    "snippets-only": {"snippets_only": True},
    "256-tokens": {"max_tokens": 256},
}
"""Rows of the paper's Table 1 that concern the method; `profile.ABLATIONS` has those of evidence."""


def settings_for(profile: str, premise_check: bool | None = None) -> AnswerSettings:
    """Return the settings of that name, such as `best` or, ablated, `paper-gpt4/no-answer-box/verbose`.

    Args:
        profile: One of `SETTINGS`, with ablations behind slashes.
        premise_check: Replaces that of the settings; None leaves it.

    Raises:
        UsageError: unknown profile or ablation; the message lists those that exist.
    """
    name, *ablations = profile.split("/")
    if name not in SETTINGS:
        raise UsageError(f"Unknown profile {name!r}.", f"Choose from: {', '.join(SETTINGS)}.")
    settings = SETTINGS[name]
    for ablation in ablations:
        if ablation in ABLATIONS:
            settings = replace(settings, **ABLATIONS[ablation])
        elif ablation in EVIDENCE_ABLATIONS:
            settings = replace(settings, profile=settings.profile.ablated(ablation))
        else:
            known = ", ".join((*ABLATIONS, *EVIDENCE_ABLATIONS))
            raise UsageError(f"Unknown ablation {ablation!r}.", f"Choose from: {known}.")
    if premise_check is None:
        return settings
    return replace(settings, premise_check=premise_check)
