"""FreshLLMs: rows of Table 1 that change the prompt, and the interval of every figure."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator, Sequence
from datetime import date

from benchmarks.papers.row import Row, share
from freshqa.answering.freshprompt import freshprompt
from freshqa.answering.settings import settings_for
from freshqa.evaluation.agreement import krippendorff_alpha
from freshqa.evaluation.rate import wilson
from freshqa.evidence.consolidate import consolidate
from freshqa.evidence.evidence import Evidence, EvidenceKind

DAY, QUESTION = date(2024, 3, 11), "Who leads the town?"

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
