"""Ways to answer a recorded question: LLM-Augmenter's policies, feedback and further calls."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from benchmarks.checking_data import SEARCHED_ON
from benchmarks.prompts.candidates import Recipe
from benchmarks.prompts.completions import StoredCompletions
from benchmarks.prompts.first_replies import ask_once
from benchmarks.prompts.questions import RecordedQuestion
from freshqa.answering.language_model import Completion, LanguageModel, Message
from freshqa.answering.response import Response
from freshqa.checking.answer_from_memory import Memory
from freshqa.checking.criticism import self_critic
from freshqa.checking.loop import LoopSettings, Tools, run_loop
from freshqa.checking.policy import RULE, EvidenceUse, PaperPolicy, Policy
from freshqa.checking.utility import knowledge_f1
from freshqa.dataset.question import Question
from freshqa.evaluation.judgement import Mode, Verdict
from freshqa.evaluation.lexical import lexical_verdict

THRESHOLDS = (0.1, 0.2, 0.3, 0.5)
ALWAYS = EvidenceUse.always
EVER = math.inf  # a KF1 that nothing reaches: revise as long as there are rounds


@dataclass(frozen=True)
class Way:
    """One row: who decides, in how many rounds, with whose feedback.

    Args:
        samples: Answers drawn at temperature 0.7, of which the best by KF1 is sent; 0: the loop.
    """

    policy: Policy
    rounds: int = 1
    criticism: bool = False
    samples: int = 0


def paper(evidence: EvidenceUse, threshold: float = 0.5) -> PaperPolicy:
    """A policy of the paper with the template feedback of its footnote 3."""
    return PaperPolicy(evidence.value, evidence, threshold=threshold)


TABLE_4: Mapping[str, Way] = {
    "no consolidator (from memory)": Way(paper(EvidenceUse.never)),
    "self-ask": Way(paper(EvidenceUse.asked)),
    "always-use": Way(paper(ALWAYS)),
    "always-use, template feedback": Way(paper(ALWAYS), rounds=3),
    "always-use, self-criticism": Way(paper(ALWAYS), rounds=3, criticism=True),
    "rule, feedback of failed guards": Way(RULE, rounds=3),
}
FIGURE_5: Mapping[str, Way] = {
    "one answer": Way(paper(ALWAYS)),
    **{f"revise once below KF1 {at:g}": Way(paper(ALWAYS, at), rounds=2) for at in THRESHOLDS},
    "always revise, once": Way(paper(ALWAYS, EVER), rounds=2),
    "always revise, twice": Way(paper(ALWAYS, EVER), rounds=3),
    "two samples, the better by KF1": Way(paper(ALWAYS), samples=2),
    "three samples, the best by KF1": Way(paper(ALWAYS), samples=3),
}


@dataclass
class Counted:
    """A model that counts what it is asked, at one temperature."""

    model: LanguageModel
    temperature: float = 0.0
    calls: int = 0
    name: str = field(init=False)

    def __post_init__(self) -> None:
        self.name = self.model.name

    def complete(self, messages: Sequence[Message], **options: Any) -> Completion:
        """Ask the model behind it."""
        self.calls += 1
        return self.model.complete(messages, **{**options, "temperature": self.temperature})


@dataclass(frozen=True)
class Sent:
    """What a way sends for one question.

    Args:
        asked: The question.
        text: The response that is sent, unchanged.
        calls: Completions it took.
        searched: Whether evidence was acquired.
    """

    asked: RecordedQuestion
    text: str
    calls: int
    searched: bool

    @cached_property
    def kf1(self) -> float:
        """Against the best of the recorded findings, whether they were shown or not."""
        return knowledge_f1(self.text, [finding.text for finding in self.asked.case.evidence])

    @cached_property
    def right(self) -> bool | None:
        """Whether the lexical judge credits it; None where it cannot tell."""
        return credited(self.asked.gold, self.text)


class Asker:
    """One question, asked in the ways of the tables.

    Args:
        label: Name of the model in the store.
        store: SQLite file of its replies.
        model: Asked for what the store lacks; None to make no call.
    """

    def __init__(self, label: str, store: str, model: LanguageModel | None, how: Recipe) -> None:
        self._label, self._store, self._model, self._recipe = label, store, model, how

    def send(self, asked: RecordedQuestion, way: Way) -> Sent:
        """Return what a way sends.

        Raises:
            FreshQAError: as the model does, or nothing is stored and there is no model.
        """
        if way.samples:
            return self._best_of(asked, way.samples)
        model = Counted(StoredCompletions(self._store, self._label, self._model))
        memory = Memory(model, question=asked.text, as_of=SEARCHED_ON)

        def ask(feedback: str, prior: Response | None) -> Response:
            return ask_once(asked, self._recipe, model, feedback, prior)

        response = Response(asked.text, "search", "", "", asked.case.evidence)
        rounds = run_loop(
            asked.stored,
            ask,
            risk=lambda evidence: 0.5,
            settings=LoopSettings(
                max_rounds=way.rounds,
                policy=way.policy,
                critic=self_critic(model, as_of=SEARCHED_ON) if way.criticism else None,
            ),
            tools=Tools(lambda: response, memory.recall, memory.needs_evidence),
        )
        last = rounds[-1].response  # the paper sends the last one
        return Sent(asked, last.text, model.calls, bool(last.evidence))

    def _best_of(self, asked: RecordedQuestion, samples: int) -> Sent:
        drawn = []
        for number in range(1, samples + 1):
            label = f"{self._label}, sample {number}"
            warm = StoredCompletions(self._store, label, Warm(self._model) if self._model else None)
            response = ask_once(asked, self._recipe, warm)
            drawn.append(Sent(asked, response.text, samples, True))
        return max(drawn, key=lambda sent: sent.kf1)


class Warm(Counted):
    """A model that is asked at temperature 0.7, whatever is wanted."""

    def __init__(self, model: LanguageModel) -> None:
        super().__init__(model, temperature=0.7)


def credited(gold: Question, text: str) -> bool | None:
    """Return the lexical judge's verdict; None where words do not tell."""
    verdict = lexical_verdict(gold, text, mode=Mode.relaxed)[0]
    return None if verdict is Verdict.unrated else verdict is Verdict.correct
