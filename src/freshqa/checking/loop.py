"""LLM-Augmenter's loop (Peng et al. 2023): ask, verify, tell what is missing, ask again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from freshqa.answering.response import Response
from freshqa.checking.criticism import Critic
from freshqa.checking.equivalence import EquivalenceJudge
from freshqa.checking.feedback import instruction_text
from freshqa.checking.policy import RULE, Policy
from freshqa.checking.policy_features import policy_features
from freshqa.checking.round import Move, Round, verify
from freshqa.checking.tokens import fold
from freshqa.dataset.question import Question
from freshqa.evidence.evidence import Evidence

Ask = Callable[[str, "Response | None"], Response]
"""Answers the question, given feedback and the response that it is about ("" and None at first)."""


@dataclass(frozen=True)
class LoopSettings:
    """How the loop runs.

    Args:
        max_rounds: Most rounds. The paper's figure implies two or three calls.
        policy: Who decides after each round.
        judge: Asked whether a response agrees where words do not tell.
        critic: Words the feedback of a round; without one it is made from templates.
    """

    max_rounds: int = 3
    policy: Policy = RULE
    judge: EquivalenceJudge | None = None
    critic: Critic | None = None


def run_loop(
    question: Question,
    ask: Ask,
    *,
    risk: Callable[[tuple[Evidence, ...]], float],
    settings: LoopSettings = LoopSettings(),
) -> list[Round]:
    """Ask until the policy is content, nothing new comes of it, or the rounds are used up.

    Args:
        question: The stored row.
        ask: Answers the question.
        risk: Probability that the stored answer is no longer right, given evidence.
        settings: How to run.

    Returns:
        Every round, in order, each with the move that followed it.
    """
    rounds: list[Round] = []
    response = ask("", None)
    while True:
        one = verify(len(rounds) + 1, response, question, judge=settings.judge)
        stale = risk(response.evidence)
        one = replace(one, features=policy_features(one, question, stale, settings.max_rounds))
        more = len(rounds) + 1 < settings.max_rounds
        may_revise = more and _worth_asking(one, rounds, settings.policy)
        move = settings.policy.decide(one, may_revise=may_revise)
        critique = None
        if move is Move.revise and settings.critic is not None:
            critique = settings.critic(one)
        rounds.append(replace(one, move=move, critique=critique))
        if move is not Move.revise:
            return rounds
        told = settings.policy.feedback or instruction_text(one.feedback)
        told = critique.text.strip() if critique else told
        response = ask(told, response)


def _worth_asking(one: Round, earlier: list[Round], policy: Policy) -> bool:
    """A reply without an answer has nothing to revise, and neither has a search.

    A model that repeats itself will not change its answer.
    """
    if policy.feedback:  # the paper's policies weigh the whole text, not the answer in it
        repeated = any(one.response.text == before.response.text for before in earlier)
    else:
        repeated = any(fold(one.answer) == fold(before.answer) for before in earlier)
    something = bool(policy.feedback or (one.feedback and one.response.answer.strip()))
    return bool(one.response.completions) and something and not repeated
