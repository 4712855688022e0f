"""RGB: documents drawn, and every rate."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator

from benchmarks.papers.row import Row, share
from freshqa.evaluation.rgb.metrics import metrics
from freshqa.evaluation.rgb.sampling import Mixture, sample
from freshqa.evaluation.rgb.scoring import Score, Scoring
from freshqa.evaluation.rgb.testbed import Item, Kind


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
