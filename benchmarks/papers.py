"""The papers' metrics and ablations: their definition, our figure, an independent recomputation.

    python -m benchmarks.papers

Every row is computed twice on the same made-up input: by the package, and here by the shortest code
that follows the paper's definition. Prints markdown; exits with 1 when a row differs.
"""

from __future__ import annotations

import math
import random
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timezone
from typing import Any

import numpy as np

from freshqa.answering.freshprompt import freshprompt
from freshqa.answering.language_model import Completion
from freshqa.answering.response import Response
from freshqa.answering.settings import settings_for
from freshqa.checking.episode import MOVES, REWARDS, Episode
from freshqa.checking.loop import LoopSettings, run_loop
from freshqa.checking.policy import FIXED_POLICIES, PAPER_THRESHOLD, State
from freshqa.checking.policy_features import NAMES
from freshqa.checking.policy_gradient import Replay, softmax
from freshqa.checking.round import Move
from freshqa.checking.utility import _overlap, knowledge_f1
from freshqa.dataset.question import Question
from freshqa.evaluation.agreement import krippendorff_alpha
from freshqa.evaluation.rate import wilson
from freshqa.evaluation.rgb.metrics import metrics
from freshqa.evaluation.rgb.sampling import Mixture, sample
from freshqa.evaluation.rgb.scoring import Score, Scoring
from freshqa.evaluation.rgb.testbed import Item, Kind
from freshqa.evidence.consolidate import consolidate
from freshqa.evidence.evidence import Evidence, EvidenceKind

DAY, QUESTION = date(2024, 3, 11), "Who leads the town?"


@dataclass(frozen=True)
class Row:
    """One metric or ablation, computed twice."""

    paper: str
    name: str
    definition: str
    ours: Any
    independent: Any

    @property
    def equal(self) -> bool:
        """True when both agree to six digits."""
        if isinstance(self.ours, float) and isinstance(self.independent, float):
            return math.isclose(self.ours, self.independent, abs_tol=1e-6)
        return bool(self.ours == self.independent)


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
        return len(run_loop(stored, ask, risk=lambda found: 0.5, settings=loop)) == 2

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

    mine, theirs = tokens(said), tokens(known)
    common = sum(min(count, theirs[word]) for word, count in mine.items())
    if not common:
        return 0.0, 0.0, 0.0
    precision, recall = common / sum(mine.values()), common / sum(theirs.values())
    return precision, recall, 2 * precision * recall / (precision + recall)


def reinforce_row() -> Row:
    """Return the policy gradient beside the slope of the expected reward."""
    rng = np.random.default_rng(0)
    rows = [(*rng.normal(size=len(NAMES) - 1), 0.0) for _ in range(40)]
    episodes = [
        Episode((one, two), bool(rng.random() < 0.5), (None, bool(rng.random() < 0.5)))
        for one, two in zip(rows[::2], rows[1::2], strict=True)
    ]
    replay, weights = Replay(episodes, REWARDS), rng.normal(size=(len(MOVES), len(NAMES)))

    def reward(at: Any) -> float:
        total = 0.0
        for one in episodes:
            reach = 1.0
            for index, row in enumerate(one.rounds):
                mask = np.array([[move in one.open(index) for move in MOVES]])
                chances = softmax(np.array([row]) @ at.T, mask)[0]
                for move, chance in zip(MOVES, chances, strict=True):
                    if move in one.leads(index):
                        total -= reach * chance * REWARDS.cost(move)
                    elif move in one.open(index):
                        total += reach * chance * one.reward(index, move, REWARDS)
                onward = sum(chances[MOVES.index(move)] for move in one.leads(index))
                reach *= onward
        return total / len(episodes)

    direction = rng.normal(size=weights.shape)
    slope = (reward(weights + 1e-5 * direction) - reward(weights - 1e-5 * direction)) / 2e-5
    ours = float((replay.gradient(weights) * direction).sum())
    return Row("LLM-Augmenter", "REINFORCE gradient", "slope of the expected reward", ours,
               float(slope))  # fmt: skip


def rgb() -> Iterator[Row]:
    """RGB: documents drawn, and every rate."""
    item = Item("1", "Who?", (("Ada",),), (tuple(f"Ada {n}" for n in range(9)),),
                tuple(f"Bo {n}" for n in range(9)))  # fmt: skip
    for noise in (0, 0.2, 0.4, 0.6, 0.8, 1):
        drawn = sample(item, Kind.base, Mixture(noise=noise))
        yield Row("RGB", f"noise {noise:g}", "ceil(5 × noise) documents without the answer",
                  drawn.negative, math.ceil(round(5 * noise, 9)))  # fmt: skip
    rng = random.Random(1)
    scores = [
        Score((rng.randint(0, 1),), *(rng.random() < 0.5 for _ in range(4))) for _ in range(200)
    ]
    ours = metrics(scores, scoring=Scoring.fixed)
    detected = [s for s in scores if s.detected_in_sense]
    shares: dict[str, tuple[str, float]] = {
        "ACC": (
            "every part of the answer is in the reply",
            share(s.labels == (1,) for s in scores),
        ),
        "Rej": ("the fixed refusal is in the reply", share(s.declined for s in scores)),
        "Rej*": ("a judge reads a refusal", share(bool(s.declined_in_sense) for s in scores)),
        "ED": ("the fixed error report is in the reply", share(s.detected for s in scores)),
        "ED*": ("a judge reads an error report", share(bool(s.detected_in_sense) for s in scores)),
        "CR": ("corrected among detected (ED*)", share(s.labels == (1,) for s in detected)),
    }
    for name, (definition, expected) in shares.items():
        yield Row("RGB", name, definition, float(ours[name].value or 0), expected)


def share(values: Any) -> float:
    listed = list(values)
    return sum(listed) / len(listed)


FOUND = tuple(
    Evidence(kind, source=f"{kind.value}-{n}", snippet=f"town says {kind.value} {n}", rank=n,
             highlight="Ada", date=date(2023, 1, n) if n % 2 else None)
    for kind, most in ((EvidenceKind.answer_box, 1), (EvidenceKind.knowledge_graph, 1),
                       (EvidenceKind.question_and_answer, 4), (EvidenceKind.related_question, 4),
                       (EvidenceKind.organic, 16))
    for n in range(1, most + 1)
)  # fmt: skip


def shown(profile: str) -> list[str]:
    """Sources in reading order, as a profile of ours shows them."""
    settings = settings_for(f"paper-gpt4{profile}")
    return [e.source for e in consolidate(FOUND, question=QUESTION, profile=settings.profile)]


def by_hand(
    *, kinds: Sequence[str] = (), n: int = 10, organic: int = 10, order: str = "time",
    box: bool = True,
) -> list[str]:  # fmt: skip
    """The paper's words: o, r and a per kind, oldest first, undated ones before, the last n."""
    limits = {"answer-box": 1, "knowledge-graph": 1, "question-and-answer": 3,
              "related-question": 3, "organic": organic}  # fmt: skip
    taken = [e for e in FOUND if e.kind.value not in kinds and e.rank <= limits[e.kind.value]]
    listed = list(reversed(taken))
    if order == "time":
        listed.sort(key=lambda e: (e.date is not None, e.date or date.min))
    if not box:
        return [e.source for e in listed][-n:]
    boxes = [e for e in listed if e.kind is EvidenceKind.answer_box]
    others = [e for e in listed if e not in boxes][-(n - len(boxes)) :]
    return [e.source for e in listed if e in boxes or e in others]


def freshllms() -> Iterator[Row]:
    """FreshLLMs: rows of Table 1 that change the prompt, and the interval of every figure."""
    other = ("answer-box", "knowledge-graph", "question-and-answer", "related-question")
    rows: dict[str, tuple[str, list[str]]] = {
        "": ("o=10, r=3, a=3, n=10, newest last", by_hand()),
        "/search-order": ("best hit last", by_hand(order="search")),
        "/no-answer-box": ("without the answer box", by_hand(kinds=other[:1], box=False)),
        "/no-related": ("organic results only", by_hand(kinds=other, box=False)),
        "/paper-cut": ("the answer box competes for n", by_hand(box=False)),
        "/1-evidence": ("n=1", by_hand(n=1, box=False)),
        "/5-evidences": ("n=5", by_hand(n=5)),
        "/15-evidences": ("n=15", by_hand(n=15, organic=15)),
    }
    for name, (definition, expected) in rows.items():
        yield Row("FreshLLMs", f"paper-gpt4{name}", definition, shown(name), expected)
    shuffled = shown("/random-order")
    yield Row("FreshLLMs", "paper-gpt4/random-order", "another order, the same for each question",
              (shuffled == shown("/random-order"), shuffled != shown("")), (True, True))  # fmt: skip
    prompts: dict[str, tuple[str, Callable[[str], bool]]] = {
        "/premise-check": ("asks to check the premise", lambda p: "valid premise" in p),
        "/no-demonstrations": ("the question alone", lambda p: p.count("question: ") == 1),
        "/15-demonstrations": ("15 before the question", lambda p: p.count("question: ") == 16),
        "/snippets-only": ("of a finding its snippet", lambda p: "source:" not in p),
    }
    for name, (definition, holds) in prompts.items():
        settings = settings_for(f"paper-gpt4{name}")
        prompt = freshprompt(QUESTION, FOUND[:3], as_of=DAY, settings=settings)[-1].content
        yield Row("FreshLLMs", f"paper-gpt4{name}", definition, holds(prompt), True)
    low, high = wilson(96, 125)
    z, p = 1.959963984540054, 96 / 125
    centre = (p + z * z / 250) / (1 + z * z / 125)
    half = z * math.sqrt(p * (1 - p) / 125 + z * z / (4 * 125**2)) / (1 + z * z / 125)
    yield Row("FreshLLMs", "95 % interval", "Wilson, 96 of 125", round(low + high, 6),
              round(2 * centre, 6))  # fmt: skip
    units = [
        rng.choices("abc", k=rng.randint(1, 4)) for rng in [random.Random(2)] for _ in range(60)
    ]
    yield Row("FreshLLMs", "Krippendorff's alpha", "1 - observed / expected disagreement of pairs",
              krippendorff_alpha(units), alpha_by_hand(units))  # fmt: skip
    yield Row("FreshLLMs", "width", "Wilson, 96 of 125", round(high - low, 6), round(2 * half, 6))


def alpha_by_hand(units: Sequence[Sequence[str]]) -> float:
    """Every ordered pair of labels of one case, against every one of all cases."""
    rated = [labels for labels in units if len(labels) > 1]
    everything = [label for labels in rated for label in labels]
    observed = sum(
        sum(a != b for i, a in enumerate(labels) for j, b in enumerate(labels) if i != j)
        / (len(labels) - 1)
        for labels in rated
    ) / len(everything)
    expected = share(
        a != b for i, a in enumerate(everything) for j, b in enumerate(everything) if i != j
    )
    return 1 - observed / expected


def main() -> None:
    rows = [*freshllms(), *rgb(), *augmenter()]
    print("| paper | metric or ablation | definition | ours | independent | equal |")
    print("|---|---|---|---|---|---|")
    for row in rows:
        cells = (row.paper, row.name, row.definition, brief(row.ours), brief(row.independent))
        print("| " + " | ".join(cells) + f" | {'yes' if row.equal else '**no**'} |")
    differing = [row.name for row in rows if not row.equal]
    print(f"\n{len(rows)} rows, {len(differing)} differ.")
    sys.exit(bool(differing))


def brief(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.6f}"
    if isinstance(value, list):
        return f"{len(value)} findings, first {value[0]}, last {value[-1]}" if value else "none"
    return str(value)


if __name__ == "__main__":
    main()
