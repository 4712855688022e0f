from collections import Counter
from collections.abc import Sequence
from datetime import date

import pytest
from evaluation.rgb_items import TOWNS, ScriptedReader, careful, testbed
from evaluation.scripted_model import ScriptedModel

from freshqa.answering.language_model import Message
from freshqa.errors import UsageError
from freshqa.evaluation.certificate import ModelCertificate
from freshqa.evaluation.rate import Rate
from freshqa.evaluation.rgb.presentation import certificate_markdown, certificate_sections
from freshqa.evaluation.rgb.probe import ProbeResult, read_item, summarise
from freshqa.evaluation.rgb.qualification import bounds_with, certify, drawn, probes_of
from freshqa.evaluation.rgb.reader import MethodReader, Reader
from freshqa.evaluation.rgb.testbed import Kind, Testbed

BEDS = tuple(testbed(kind) for kind in Kind)
DAY = date(2026, 3, 9)


def certificate(
    reader: Reader, beds: tuple[Testbed, ...] = BEDS, **limits: float
) -> ModelCertificate:
    results: list[ProbeResult] = []
    for bed, probe in probes_of(beds):
        reads = [read_item(item, bed, probe, reader) for item in bed.items]
        results.append(summarise(reads, bed, probe))
    return certify(
        results,
        beds,
        model="m",
        method="freshprompt",
        recipe="r",
        issued_on=DAY,
        bounds=bounds_with(limits),
    )


LOW = {"noise": 0.5, "rejection": 0.5, "integration": 0.5, "conflict": 0.5}
CAREFUL = ScriptedReader(careful)
SILENT = ScriptedReader(lambda query, documents: "status: insufficient\nanswer: -")


def test_six_of_six_correct_does_not_meet_the_default_bounds() -> None:
    result = certificate(CAREFUL)
    assert result.rates == dict.fromkeys(LOW, Rate(6, 6))
    assert [line.split(" ")[0] for line in result.failed_bounds] == [
        "noise",
        "rejection",
        "conflict",
    ]
    assert certificate(CAREFUL, **LOW).passed


def test_a_reader_that_always_declines_fails_everything_but_rejection() -> None:
    result = certificate(SILENT, **LOW)
    assert {name: rate.hits for name, rate in result.rates.items()} == {
        "noise": 0,
        "rejection": 6,
        "integration": 0,
        "conflict": 0,
    }
    assert len(result.failed_bounds) == 3


def test_a_kind_without_a_testbed_fails_its_bound() -> None:
    result = certificate(CAREFUL, BEDS[:1], **LOW)
    assert [line for line in result.failed_bounds if "was not probed" in line] == [
        "integration (combines documents without noise (ACC)) was not probed",
        "conflict (detects documents that disagree, or answers correctly anyway) was not probed",
    ]


def test_testbeds_of_one_kind_count_together() -> None:
    second = Testbed("more", Kind.base, "en", BEDS[0].items[:2], "other")
    result = certificate(CAREFUL, (*BEDS, second), **LOW)
    assert result.rates["noise"] == Rate(8, 8)
    assert result.testbeds["more"] == "other"


def test_refusals_without_a_status_count_by_their_sentence() -> None:
    plain = ScriptedReader(lambda query, documents: "I can not answer: insufficient information.")
    assert certificate(plain, **LOW).rates["rejection"] == Rate(6, 6)


def test_the_paper_has_more_probes_than_a_certificate_needs() -> None:
    assert Counter(bed.kind for bed, _ in probes_of(BEDS)) == {
        Kind.base: 2,
        Kind.integration: 1,
        Kind.counterfactual: 1,
    }
    full = Counter(bed.kind for bed, _ in probes_of(BEDS, full=True))
    assert full == {Kind.base: 6, Kind.integration: 3, Kind.counterfactual: 3}


def test_a_sample_of_a_testbed_is_the_same_for_the_same_seed() -> None:
    assert drawn(BEDS[0], 6) is BEDS[0]
    small = drawn(BEDS[0], 3, seed=1)
    assert len(small.items) == 3 and small == drawn(BEDS[0], 3, seed=1)
    assert {drawn(BEDS[0], 3, seed=seed).items for seed in range(5)} != {small.items}


@pytest.mark.parametrize("limits", [{"speed": 0.5}, {"noise": 1.5}, {"noise": -0.1}])
def test_an_unknown_bound_is_refused(limits: dict[str, float]) -> None:
    with pytest.raises(UsageError, match=r"noise, rejection, integration, conflict"):
        bounds_with(limits)


def test_people_see_the_rates_reached_and_the_bounds_required() -> None:
    record = certificate(SILENT, **LOW).to_json()
    bounds, probes, mistakes = certificate_sections(record)
    assert bounds.rows[0][2:] == ("0 of 6: 0.0 [0.0, 39.0]", "50", "no")
    assert bounds.rows[1][-1] == "yes"
    assert [row[0] for row in probes.rows] == ["base", "base", "integration", "counterfactual"]
    assert mistakes.rows == (("refused-although-answerable", "18"),)
    text = certificate_markdown(record)
    assert text.startswith("m asked by freshprompt does not qualify (issued 2026-03-09")
    assert "- noise (right answers" in text


def test_a_certificate_can_be_read_from_its_record() -> None:
    result = certificate(CAREFUL, **LOW)
    assert ModelCertificate.from_json(result.to_json()) == result
    assert result.expires_on == date(2026, 6, 7)


@pytest.mark.parametrize(
    "refusal",
    [
        "I can not answer the question because of the insufficient information in documents.",
        "文档信息不足，因此我无法基于提供的文档回答该问题。",
        "The search results do not say.",
        "文档信息不足",
    ],
)
def test_a_model_that_refuses_only_when_it_should_qualifies_with_the_default_method(
    refusal: str,
) -> None:
    def reply(chat: Sequence[Message]) -> str:
        case = chat[-1].content.rsplit("query:", 1)[-1]  # after the demonstrations
        towns = [town for town in TOWNS if f"held in {town}" in case]
        asked = case.rsplit("question:", 1)[-1].count("Where")
        if not towns:
            return refusal
        if len(towns) > asked:
            return f"There are factual errors in the provided documents. {' and '.join(towns)}."
        return f"{' and '.join(towns)}."

    reader = MethodReader("freshprompt", as_of=DAY, model=ScriptedModel(reply))
    result = certificate(reader, **LOW)
    assert result.rates["rejection"] == Rate(6, 6)
    assert result.passed, result.failed_bounds
