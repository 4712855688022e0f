import json

import pytest
from evaluation.rgb_items import TOWNS, ScriptedReader, base_item, careful, testbed
from evaluation.scripted_model import ScriptedModel

from freshqa.errors import ProviderRejected
from freshqa.evaluation.rgb.mistakes import Mistake
from freshqa.evaluation.rgb.probe import Probe, ProbeResult, read_item, summarise
from freshqa.evaluation.rgb.reader import Reader
from freshqa.evaluation.rgb.sampling import Mixture
from freshqa.evaluation.rgb.scoring import Scoring
from freshqa.evaluation.rgb.testbed import Kind


def probed(kind: Kind, mixture: Mixture, reader: Reader, **settings: object) -> ProbeResult:
    bed, probe = testbed(kind), Probe(mixture, **settings)  # type: ignore[arg-type]
    return summarise([read_item(item, bed, probe, reader) for item in bed.items], bed, probe)


CAREFUL = ScriptedReader(careful)
STUBBORN = ScriptedReader(lambda query, documents: "status: answered\nanswer: Rome")


@pytest.mark.parametrize(
    ("kind", "mixture", "metric", "careful_hits", "stubborn_hits"),
    [
        (Kind.base, Mixture(noise=0.4), "ACC", 6, 1),
        (Kind.base, Mixture(noise=1), "Rej*", 6, 0),
        (Kind.base, Mixture(noise=1), "Rej", 6, 0),
        (Kind.integration, Mixture(), "ACC", 6, 0),
        (Kind.counterfactual, Mixture(correct=0.4), "ED*", 6, 0),
        (Kind.counterfactual, Mixture(correct=0.4), "CR", 6, None),
        (Kind.counterfactual, Mixture(correct=0.4), "handled", 6, 1),
        (Kind.counterfactual, Mixture(), "ACC", 0, 1),
    ],
)
def test_a_careful_reader_scores_high_and_a_stubborn_one_low(
    kind: Kind, mixture: Mixture, metric: str, careful_hits: int, stubborn_hits: int | None
) -> None:
    good = probed(kind, mixture, CAREFUL).rates[metric]
    assert (good.hits, good.n) == (careful_hits, 6)
    poor = probed(kind, mixture, STUBBORN).rates[metric]
    assert (poor.hits, poor.n) == ((stubborn_hits, 6) if stubborn_hits is not None else (0, 0))


def test_mistakes_are_counted_by_class() -> None:
    assert probed(Kind.base, Mixture(noise=1), CAREFUL).mistakes == {}
    assert probed(Kind.base, Mixture(noise=1), STUBBORN).mistakes == {Mistake.answered.value: 6}
    fooled = probed(Kind.counterfactual, Mixture(), CAREFUL).mistakes
    assert fooled == {Mistake.fake_repeated.value: 6}


def test_the_record_of_a_probe_holds_its_mixture() -> None:
    record = probed(Kind.base, Mixture(noise=0.4), CAREFUL, seed=7).to_json()
    assert list(record) == [
        *("testbed", "documents", "noise", "correct", "scoring", "seed"),
        *("rates", "mistakes", "short", "failed"),
    ]
    assert (record["documents"], record["noise"], record["seed"]) == (5, 0.4, 7)
    assert record["rates"]["ACC"]["hits"] == 6


def test_failed_items_are_left_out_and_named() -> None:
    bed, probe = testbed(Kind.base), Probe(Mixture())
    reads = [read_item(item, bed, probe, CAREFUL) for item in bed.items[:4]]
    result = summarise(reads, bed, probe, failed=["4: refused", "5: refused"])
    assert (result.rates["ACC"].n, result.rates["ACC"].left_out) == (4, 2)
    assert result.to_json()["failed"] == ["4: refused", "5: refused"]


def test_a_judge_decides_whether_a_reply_without_a_status_declines() -> None:
    bed, probe = testbed(Kind.base), Probe(Mixture(noise=1))
    reader = ScriptedReader(lambda query, documents: "Nobody knows.")
    judge = ScriptedModel(lambda chat: "addressed: no")
    silent = read_item(bed.items[0], bed, probe, reader)
    assert silent.score.declined_in_sense is None and not silent.score.declined
    judged = read_item(bed.items[0], bed, probe, reader, judge=judge)
    assert judged.score.declined_in_sense is True
    assert judged.mistake is None


def test_documents_are_the_same_for_every_reader_and_another_seed_draws_others() -> None:
    bed = testbed(Kind.base)

    def drawn(seed: int) -> list[tuple[str, ...]]:
        probe = Probe(Mixture(noise=0.4), seed=seed)
        return [read_item(i, bed, probe, CAREFUL).sample.documents for i in bed.items]

    assert drawn(0) == drawn(0) != drawn(1)


def test_official_probes_use_the_authors_documents_and_scores() -> None:
    probe = Probe(Mixture(noise=0.4), scoring=Scoring.official)
    hedging = ScriptedReader(lambda query, docs: f"Rome, though insufficient information. {docs}")
    read = read_item(base_item(0), testbed(Kind.base), probe, hedging)
    assert read.score.labels == (-1,)
    assert sum("Rome" in document for document in read.sample.documents) == 3


def test_a_stored_reply_does_not_include_its_documents() -> None:
    bed, probe = testbed(Kind.base), Probe(Mixture())
    kept = json.dumps(read_item(bed.items[0], bed, probe, CAREFUL).to_json())
    assert TOWNS[0] in kept and "page" not in kept


def test_an_error_of_the_reader_is_raised() -> None:
    def fail(query: str, documents: object) -> str:
        raise ProviderRejected("no")

    with pytest.raises(ProviderRejected):
        probed(Kind.base, Mixture(), ScriptedReader(fail))
