"""RGB's metrics over the scored replies of one probe.

ACC: the answer is right; ACC*: by FreshEval's prompt, where a judge has one. Rej: the reply declines with the fixed sentence; Rej*: in sense.
ED: it says with the fixed sentence that the documents are wrong; ED*: in sense.
CR: of the replies that detect in sense (literally, where nothing tells the sense), those that also
give the right answer.
handled is ours: of documents that disagree, either detected (ED*) or answered correctly anyway.
"""

from __future__ import annotations

from collections.abc import Sequence

from freshqa.evaluation.rate import Rate
from freshqa.evaluation.rgb.scoring import Score, Scoring

METRICS = ("ACC", "Rej", "Rej*", "ED", "ED*", "CR", "handled")
JUDGED_ACCURACY = "ACC*"


def metrics(
    scores: Sequence[Score], *, scoring: Scoring, noise: float = 0.0, failed: int = 0
) -> dict[str, Rate]:
    """Return every metric as a rate, ACC* where a judge read it; `failed` replies are left out of each and counted.

    With `official` scoring the figures are those of the authors' code, faults included:
    at noise 1 right answers count as refusals too, and CR counts a refusal as a correction.
    """
    n = len(scores)
    rates = {
        "ACC": Rate(sum(s.correct for s in scores), n, failed),
        "Rej": Rate(sum(_declines(s, scoring, noise) for s in scores), n, failed),
        "ED": Rate(sum(s.detected for s in scores), n, failed),
        "handled": Rate(sum(_detects(s) or s.correct for s in scores), n, failed),
        "Rej*": _in_sense([s.declined_in_sense for s in scores], failed),
        "ED*": _in_sense([s.detected_in_sense for s in scores], failed),
    }
    detecting = [s for s in scores if _detects(s)]
    rates["CR"] = Rate(
        sum(_corrects(s, scoring) for s in detecting), len(detecting), n - len(detecting)
    )
    judged = [s.correct_in_sense for s in scores]
    further = (
        {JUDGED_ACCURACY: _in_sense(judged, failed)} if any(j is not None for j in judged) else {}
    )
    return {**{name: rates[name] for name in METRICS}, **further}


def _declines(score: Score, scoring: Scoring, noise: float) -> bool:
    if scoring is Scoring.official and noise == 1:
        return score.labels[0] == -1 or score.correct  # `elif 0 not in label and 1 in label`
    return score.declined


def _detects(score: Score) -> bool:
    return score.detected if score.detected_in_sense is None else score.detected_in_sense


def _corrects(score: Score, scoring: Scoring) -> bool:
    if scoring is Scoring.official and score.detected_in_sense is None:
        return 0 not in score.labels  # `evalue.py`; with a judge `fact_evalue.py` asks for a 1 too
    return score.correct


def _in_sense(values: Sequence[bool | None], failed: int) -> Rate:
    known = [value for value in values if value is not None]
    return Rate(sum(known), len(known), len(values) - len(known) + failed)
