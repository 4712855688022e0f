"""One probe: every item of a testbed read at one mixture of documents, and scored."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any

from freshqa.answering.language_model import LanguageModel
from freshqa.evaluation.rate import Rate
from freshqa.evaluation.rgb.accuracy import AccuracyJudge
from freshqa.evaluation.rgb.judging import declined_in_sense, detected_in_sense
from freshqa.evaluation.rgb.metrics import metrics
from freshqa.evaluation.rgb.mistakes import Mistake, mistake
from freshqa.evaluation.rgb.reader import Reader
from freshqa.evaluation.rgb.reply import Reply
from freshqa.evaluation.rgb.sampling import Mixture, Sample, official_sample, sample
from freshqa.evaluation.rgb.scoring import Score, Scoring, score
from freshqa.evaluation.rgb.testbed import Item, Testbed
from freshqa.json_record import FLAT, JsonRecord


@dataclass(frozen=True)
class Read:
    """One item, read and scored.

    Args:
        sample: What the reader was given.
        score: The score of the reply.
        mistake: Why it is wrong; None when it is not.
    """

    item: Item
    sample: Sample
    reply: Reply
    score: Score
    mistake: Mistake | None

    def to_json(self) -> dict[str, Any]:
        """For the ledger: everything but the text of the documents, which the seed reproduces."""
        return {
            "id": self.item.id,
            "query": self.item.query,
            "reply": self.reply.text,
            "status": self.reply.status.value if self.reply.status else None,
            "labels": list(self.score.labels),
            "correct": self.score.correct,
            "correct_in_sense": self.score.correct_in_sense,
            "declined": self.score.declined,
            "declined_in_sense": self.score.declined_in_sense,
            "detected": self.score.detected,
            "detected_in_sense": self.score.detected_in_sense,
            "mistake": self.mistake.value if self.mistake else None,
            "short": self.sample.short,
        }


@dataclass(frozen=True)
class Probe(JsonRecord):
    """The parameters of one probe of a testbed.

    Args:
        mixture: Documents and noise.
        scoring: Whose rules; `official` also samples as the authors do.
        seed: Of the documents drawn; `fixed` only.
    """

    mixture: Annotated[Mixture, FLAT]
    scoring: Scoring = Scoring.fixed
    seed: int = 0


@dataclass(frozen=True)
class ProbeResult(JsonRecord):
    """Every figure of one probe.

    Args:
        rates: RGB's metrics.
        mistakes: How often each class of mistake was made.
        short: Items for which the documents did not suffice.
        failed: Items that could not be read, and why.
    """

    testbed: str
    probe: Annotated[Probe, FLAT]
    rates: dict[str, Rate]
    mistakes: dict[str, int]
    short: int
    failed: tuple[str, ...] = ()


def read_item(
    item: Item,
    testbed: Testbed,
    probe: Probe,
    reader: Reader,
    *,
    judge: LanguageModel | None = None,
    accuracy: AccuracyJudge | None = None,
) -> Read:
    """Draw documents for one item, ask the reader, and score the reply.

    Args:
        judge: Reads the sense of the reply (Rej*, ED*); without one the status line tells it.
        accuracy: Reads whether the reply is right (ACC*), where a document or memory may tell it.

    Raises:
        FreshQAError: as reader and judge do.
        ValueError: official sampling of a mixture that the authors' code cannot draw.
    """
    drawn = draw(item, testbed, probe)
    reply = reader.read(item.query, drawn.documents, language=testbed.language)
    scored = score(reply, item, language=testbed.language, scoring=probe.scoring)
    if judge is not None:
        scored = _in_sense(scored, reply, item, probe, judge)
    if accuracy is not None and probe.mixture.noise < 1:
        scored = replace(scored, correct_in_sense=accuracy.correct(item, reply.text))
    why = mistake(
        reply,
        scored,
        item,
        positive=drawn.positive,
        documents=drawn.documents,
        language=testbed.language,
    )
    return Read(item, drawn, reply, scored, why)


def draw(item: Item, testbed: Testbed, probe: Probe) -> Sample:
    """Return the documents of one item under a probe."""
    if probe.scoring is Scoring.fixed:
        return sample(item, testbed.kind, probe.mixture, seed=probe.seed)
    documents = official_sample(item, testbed.kind, probe.mixture)
    true = {document for group in item.positive for document in group}
    positive = sum(document in true for document in documents)
    false = sum(document in item.positive_wrong for document in documents)
    return Sample(documents, positive, len(documents) - positive - false, false)


def _in_sense(scored: Score, reply: Reply, item: Item, probe: Probe, judge: LanguageModel) -> Score:
    if probe.mixture.noise == 1:
        declined = declined_in_sense(item.query, reply.text, judge=judge)
        return replace(scored, declined_in_sense=declined, detected_in_sense=None)
    if item.fake:
        detected = detected_in_sense(item.query, reply.text, judge=judge)
        return replace(scored, declined_in_sense=None, detected_in_sense=detected)
    return scored


def summarise(
    reads: Sequence[Read], testbed: Testbed, probe: Probe, *, failed: Sequence[str] = ()
) -> ProbeResult:
    """Return the figures of a probe from its reads."""
    rates = metrics(
        [read.score for read in reads],
        scoring=probe.scoring,
        noise=probe.mixture.noise,
        failed=len(failed),
    )
    mistakes = Counter(read.mistake.value for read in reads if read.mistake)
    short = sum(bool(read.sample.short) for read in reads)
    return ProbeResult(
        testbed.name, probe, rates, dict(sorted(mistakes.items())), short, tuple(failed)
    )
