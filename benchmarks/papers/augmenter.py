"""LLM-Augmenter: utilities, policies, gradient."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator
from datetime import datetime, timezone
from typing import Any

import numpy as np

from benchmarks.papers.row import Row
from freshqa.answering.language_model import Completion
from freshqa.answering.response import Response
from freshqa.checking.episode import MOVES, REWARDS, Episode
from freshqa.checking.loop import LoopSettings, run_loop
from freshqa.checking.policy import FIXED_POLICIES, PAPER_THRESHOLD, State
from freshqa.checking.policy_features import NAMES
from freshqa.checking.policy_gradient import Replay, softmax
from freshqa.checking.round import Move
from freshqa.checking.utility import _overlap, knowledge_f1
from freshqa.dataset.question import Question
from freshqa.evidence.evidence import Evidence, EvidenceKind

QUESTION = "Who leads the town?"


def augmenter() -> Iterator[Row]:
    """LLM-Augmenter: utilities, policies, gradient."""
    rng = random.Random(0)
    words = [
        "the",
        "a",
        "cat",
        "sat",
        "on",
        "mat,",
        "dog's",
        "(barked)",
        "12",
        "times",
        "in",
        "Rome",
    ]
    cases = [
        (" ".join(rng.choices(words, k=8)), " ".join(rng.choices(words, k=12))) for _ in range(50)
    ]
    ours = sum(knowledge_f1(said, [known]) for said, known in cases) / len(cases)
    yield Row("LLM-Augmenter", "KF1", "token F1 of response and knowledge (ParlAI)", ours,
              sum(f1(*case)[2] for case in cases) / len(cases))  # fmt: skip
    yield Row("LLM-Augmenter", "recall", "share of the knowledge's tokens in the response",
              sum(_overlap(*case)[1] for case in cases) / len(cases),
              sum(f1(*case)[1] for case in cases) / len(cases))  # fmt: skip
    unsearched = frozenset(MOVES) - {Move.read}  # there is no page to read before a search
    before = State((), unsearched, needs_evidence=lambda: False)
    firsts = {name: policy.decide(before).value for name, policy in FIXED_POLICIES.items()}
    yield Row("LLM-Augmenter", "first action", "rule and always-use search, no-consolidator "
              "never does, self-ask as the model says (here: no)", firsts,
              {"rule": "search", "always-use": "search", "self-ask": "answer",
               "no-consolidator": "answer"})  # fmt: skip
    yield revision_row()
    yield reinforce_row()


def revision_row() -> Row:
    """Return which answers `always-use` revises: those below its KF1, with the paper's feedback."""
    known = Evidence(EvidenceKind.organic, url="https://town.example", snippet="Ada leads the town")
    texts = ("Ada", "Ada leads the town", "The town is led by Ada, it is said", "Ada leads", "Bo")
    told: list[str] = []

    def revised(text: str) -> bool:
        def ask(feedback: str, prior: Response | None) -> Response:
            told.append(feedback)
            reply = Completion(text, "made-up", "", datetime(2024, 3, 11, tzinfo=timezone.utc))
            return Response(QUESTION, "freshprompt", text, text, (known,), completions=(reply,))

        loop = LoopSettings(max_rounds=2, policy=FIXED_POLICIES["always-use"])
        stored = Question({"question": QUESTION, "answer_0": "Cy"})
        return len(run_loop(stored, ask, risk=lambda _: 0.5, settings=loop)) == 2

    ours = [text for text in texts if revised(text)]
    by_hand = [text for text in texts if f1(text, known.text)[2] < PAPER_THRESHOLD]
    feedback = {"", "The response is inconsistent with the knowledge. Please generate again."}
    return Row("LLM-Augmenter", "revised by always-use", "KF1 below the threshold, whatever else "
               "holds; template of footnote 3", (ours, set(told) == feedback), (by_hand, True))  # fmt: skip


def f1(said: str, known: str) -> tuple[float, float, float]:
    """Precision, recall and F1 of ParlAI's normalised tokens."""

    def tokens(text: str) -> Counter[str]:
        text = re.sub(r"[!\"#$%&()*+,\-./:;<=>?@\[\]\\^`{|}~_']", " ", text.lower())
        return Counter(word for word in text.split() if word not in ("a", "an", "the"))

    counts_said, counts_known = tokens(said), tokens(known)
    common = sum(min(count, counts_known[word]) for word, count in counts_said.items())
    if not common:
        return 0.0, 0.0, 0.0
    precision, recall = common / sum(counts_said.values()), common / sum(counts_known.values())
    return precision, recall, 2 * precision * recall / (precision + recall)


def reinforce_row() -> Row:
    """Return the policy gradient beside the slope of the expected reward."""
    rng = np.random.default_rng(0)
    rows = [(*rng.normal(size=len(NAMES) - 1), 0.0) for _ in range(40)]
    episodes = [
        Episode((first, two), bool(rng.random() < 0.5), (None, bool(rng.random() < 0.5)))
        for first, two in zip(rows[::2], rows[1::2], strict=True)
    ]
    replay, weights = Replay(episodes, REWARDS), rng.normal(size=(len(MOVES), len(NAMES)))

    def reward(at: Any) -> float:
        total = 0.0
        for episode in episodes:
            reach = 1.0
            for index, row in enumerate(episode.rounds):
                mask = np.array([[move in episode.open(index) for move in MOVES]])
                chances = softmax(np.array([row]) @ at.T, mask)[0]
                for move, chance in zip(MOVES, chances, strict=True):
                    if move in episode.leads(index):
                        total -= reach * chance * REWARDS.cost(move)
                    elif move in episode.open(index):
                        total += reach * chance * episode.reward(index, move, REWARDS)
                onward = sum(chances[MOVES.index(move)] for move in episode.leads(index))
                reach *= onward
        return total / len(episodes)

    direction = rng.normal(size=weights.shape)
    slope = (reward(weights + 1e-5 * direction) - reward(weights - 1e-5 * direction)) / 2e-5
    ours = float((replay.gradient(weights) * direction).sum())
    return Row("LLM-Augmenter", "REINFORCE gradient", "slope of the expected reward", ours,
               float(slope))  # fmt: skip
