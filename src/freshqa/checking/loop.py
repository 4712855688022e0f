"""LLM-Augmenter's loop (Peng et al. 2023): acquire, answer, verify, give feedback, repeat."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from freshqa.answering.response import Response
from freshqa.checking.acquisition import STOPPING
from freshqa.checking.criticism import Critic
from freshqa.checking.equivalence import EquivalenceJudge
from freshqa.checking.feedback import instruction_text
from freshqa.checking.policy import RULE, Policy, State
from freshqa.checking.policy_features import acquisition_features, policy_features
from freshqa.checking.risk import Reading, after_reading
from freshqa.checking.round import Acquired, Move, Round, verify
from freshqa.dataset.question import Question
from freshqa.evidence.evidence import Evidence
from freshqa.facts.tokens import fold
from freshqa.facts.verdicts import is_verdict
from freshqa.last_call import remembering_last

UNCERTAIN_FROM = 0.02
"""Risk below which nothing more is searched for and no page is read;
docs/measurements/acquisition.md."""
DOUBT_FROM = 0.5
"""Risk from which a response that agrees without evidence is not believed."""

Ask = Callable[[str, "Response | None"], Response]
"""Answers the question, given feedback and the response that it is about ("" and None at first)."""
Risk = Callable[[tuple[Evidence, ...]], float]
"""Probability that the stored answer is no longer right, given evidence."""


@dataclass(frozen=True)
class LoopSettings:
    """Settings of the loop.

    Args:
        max_rounds: Maximum number of rounds. The paper's figure implies two or three calls.
        policy: Who decides what to do next.
        judge: Asked whether a response agrees where words do not tell.
        critic: Words the feedback of a round; without one it is made from templates.
        stop_early: Whether the stored answer may be kept after the search, where an answer of the
            model would not be worth its cost.
    """

    max_rounds: int = 3
    policy: Policy = RULE
    judge: EquivalenceJudge | None = None
    critic: Critic | None = None
    stop_early: bool = False


@dataclass(frozen=True)
class Tools:
    """Calls that a policy can make in addition to an answer from evidence.

    Args:
        look_up: Searches for the question; a response without an answer. The method that answers
            later finds the same results and does not pay for them again.
        recall: Answers from memory.
        needs_evidence: Asks the model whether it needs evidence.
        follow_up: Searches for the question in other words, or for a sub-question, and answers with
            what that adds; None when there is nothing more to search for.
        read: Reads the pages behind the results of `look_up`; a response with what they add, without
            an answer. The method that answers later finds the same. None where no page is read.
    """

    look_up: Callable[[], Response]
    recall: Ask
    needs_evidence: Callable[[], bool]
    follow_up: Callable[[Response], Response | None] | None = None
    read: Callable[[], Response] | None = None


def run_loop(
    question: Question,
    ask: Ask,
    *,
    risk: Risk,
    settings: LoopSettings = LoopSettings(),
    tools: Tools | None = None,
) -> list[Round]:
    """Do what the policy decides until it keeps, proposes or asks a person.

    Args:
        ask: Answers the question from evidence.
        risk: Probability that the stored answer is no longer right, given evidence.
        settings: How to run.
        tools: What else may be acquired; without any, the first answer is from evidence.

    Returns:
        Every round, in order, each with the move that followed it.
    """
    return _Check(question, ask, risk, settings, tools).run()


class _Check:
    """One check in progress."""

    def __init__(
        self, question: Question, ask: Ask, risk: Risk, settings: LoopSettings, tools: Tools | None
    ) -> None:
        self.question, self.ask, self.risk = question, ask, remembering_last(risk)
        self.settings, self.tools = settings, tools
        self.rounds: list[Round] = []
        self.acquired: list[Acquired] = []
        self.searched = tools is None
        self.exhausted = False
        self.unread = tools is not None and tools.read is not None

    def run(self) -> list[Round]:
        """See `run_loop`."""
        response = self.first_response() if self.tools else self.ask("", None)
        while True:
            current = self.verified(response)
            last = self.acquired[-1].move if self.acquired else Move.answer
            move = last if last in (Move.escalate, Move.keep) else self.decided(current)
            self.acquired = []
            critique = None
            if move is Move.revise and self.settings.critic is not None:
                critique = self.settings.critic(current)
            current = replace(current, move=move, critique=critique)
            self.rounds.append(current)
            if move in (Move.keep, Move.propose, Move.escalate):
                return self.rounds
            response = self.acquire(move, current)

    def first_response(self) -> Response:
        """Acquire until there is an answer, or a person has to look."""
        assert self.tools is not None
        response = Response(self.question.text, "none", "", "")
        while True:
            evidence = response.evidence
            features = acquisition_features(
                self.question, evidence, self.risk(evidence), searched=self.searched
            )
            first = () if self.searched else (Move.search,)
            read = (Move.read,) if self.may_read(evidence) else ()
            stop = (Move.keep,) if self.may_stop(evidence) else ()
            state = State(
                features,
                frozenset((*first, *read, *stop, Move.answer, Move.escalate)),
                needs_evidence=self.tools.needs_evidence,
                risk=self.risk(evidence),
            )
            move = self.settings.policy.decide(state)
            self.acquired.append(Acquired(move, features))
            if move in (Move.escalate, Move.keep):
                return response
            if move is Move.answer:
                return self.ask("", None) if self.searched else self.tools.recall("", None)
            if move is Move.read:
                response = self.read_pages()
            else:
                response, self.searched = self.tools.look_up(), True

    def may_read(self, evidence: tuple[Evidence, ...]) -> bool:
        """Return whether the pages behind what was found may be read: where the risk is not low."""
        return self.unread and bool(evidence) and self.risk(evidence) >= UNCERTAIN_FROM

    def read_pages(self) -> Response:
        """Read the pages, once a check."""
        assert self.tools is not None and self.tools.read is not None
        self.unread = False
        return self.tools.read()

    def may_stop(self, evidence: tuple[Evidence, ...]) -> bool:
        """Return whether the check may end before an answer: after a search that shows no attack."""
        stops = self.settings.stop_early and self.settings.policy.name in STOPPING
        return stops and bool(evidence) and not any(finding.flags for finding in evidence)

    def verified(self, response: Response) -> Round:
        """Verify a response: return the next round, with no move chosen yet."""
        current = verify(len(self.rounds) + 1, response, self.question, judge=self.settings.judge)
        risk = self.risk(response.evidence)
        features = policy_features(current, self.question, risk, self.settings.max_rounds)
        return replace(current, features=features, acquired=tuple(self.acquired))

    def decided(self, current: Round) -> Move:
        """Return the move that the policy chooses after a round."""
        more = current.number < self.settings.max_rounds
        moves = {Move.keep, Move.escalate}
        if current.answer:
            moves.add(Move.propose)
        if more and _worth_asking(current, self.rounds, self.settings.policy):
            moves.add(Move.revise)
        if more and self.tools and not self.searched:
            moves.add(Move.search)
        # neither is a revision: they read what no round has read
        if self.searched and self.worth_searching(current):
            moves |= {Move.read} if self.unread else set()
            moves |= {Move.search_again} if self.tools and self.tools.follow_up else set()
        doubtful = self.only_remembered(current)
        return self.settings.policy.decide(
            State(current.features, frozenset(moves), current, doubtful=doubtful)
        )

    def worth_searching(self, current: Round) -> bool:
        """Return True while a further search may find something new, where the risk is not low."""
        agrees = current.comparison.agrees
        reading = Reading.agrees if agrees else Reading.other if current.answer else Reading.nothing
        stale = after_reading(self.risk(current.response.evidence), reading)
        return not self.exhausted and (stale >= UNCERTAIN_FROM or self.only_remembered(current))

    def only_remembered(self, current: Round) -> bool:
        """Return True for agreement with a risky stored answer that could be, and is not, quoted."""
        quotable = not self.question.false_premise and not is_verdict(self.question.primary)
        held = bool(current.weighed.stored.firm)
        agrees = current.comparison.agrees is True and quotable and not held
        return agrees and self.risk(current.response.evidence) >= DOUBT_FROM

    def acquire(self, move: Move, current: Round) -> Response:
        """Return the response after a move that does not end the check."""
        prior = current.response
        if move is Move.read and self.read_pages().evidence == prior.evidence:
            return prior  # no new evidence
        if move is Move.search_again and self.tools and self.tools.follow_up:
            more = self.tools.follow_up(prior)
            self.unread = False  # a further search reads the pages of all it finds
            self.exhausted = more is None or more.evidence == prior.evidence
            return more or prior
        if move in (Move.search, Move.read):
            self.searched = True
            response = self.ask("", None)
            return replace(response, completions=(*prior.completions, *response.completions))
        told = self.settings.policy.feedback or instruction_text(current.feedback)
        told = current.critique.text.strip() if current.critique else told
        ask = self.ask if self.searched or self.tools is None else self.tools.recall
        return ask(told, prior)


def _worth_asking(current: Round, earlier: list[Round], policy: Policy) -> bool:
    """A reply without an answer has nothing to revise, and neither has a search.

    A model that repeats itself will not change its answer.
    """
    if policy.feedback:  # the paper's policies weigh the whole text, not the answer in it
        repeated = any(current.response.text == before.response.text for before in earlier)
    else:
        repeated = any(fold(current.answer) == fold(before.answer) for before in earlier)
    something = bool(policy.feedback or (current.feedback and current.response.answer.strip()))
    return bool(current.response.completions) and something and not repeated
