import json
from pathlib import Path

import pytest

from freshqa.errors import BadData, NotFound
from freshqa.evaluation.rgb.sampling import Mixture, official_sample, reachable, sample
from freshqa.evaluation.rgb.scoring import holds
from freshqa.evaluation.rgb.testbed import (
    Item,
    Kind,
    Testbed,
    parse_testbed,
    read_testbed,
    write_testbed,
)

BASE = Item(
    id="0",
    query="How tall is the tower?",
    parts=(("330", "330 m"),),
    positive=(tuple(f"The tower is 330 m tall ({n})." for n in "abcdef"),),
    negative=(*(f"The tower was painted again ({n})." for n in "abcdef"), "Its height: 330 m."),
    answer=[["330", "330 m"]],
)
TWO = Item(
    id="1",
    query="Who wrote A and who wrote B?",
    parts=(("Ann",), ("Bob",)),
    positive=(("Ann wrote A.", "A is by Ann."), ("Bob wrote B.", "B is by Bob.")),
    negative=tuple(f"C has no author ({n})." for n in "abcdef"),
    answer=["Ann", "Bob"],
)
WRONG = Item(
    id="2",
    query="Where is it?",
    parts=(("Rome",),),
    positive=(tuple(f"It is in Rome ({n})." for n in "abcdef"),),
    negative=("It is open.", "It is old."),
    fake=("Oslo",),
    positive_wrong=tuple(f"It is in Oslo ({n})." for n in "abcdef"),
    answer="Rome",
)


@pytest.mark.parametrize(
    ("noise", "positive", "negative"),
    [(0.0, 5, 0), (0.2, 4, 1), (0.4, 3, 2), (0.6, 2, 3), (0.8, 1, 4), (1.0, 0, 5)],
)
def test_the_number_of_noise_documents_follows_the_ratio(
    noise: float, positive: int, negative: int
) -> None:
    drawn = sample(BASE, Kind.base, Mixture(5, noise))
    assert (drawn.positive, drawn.negative, drawn.short) == (positive, negative, "")
    assert drawn.noise == pytest.approx(noise)
    assert sample(BASE, Kind.base, Mixture(5, noise)) == drawn
    answers = sum(holds(BASE.parts[0], document) for document in drawn.documents)
    assert answers == positive  # the negative document that holds the answer is never drawn


def test_another_seed_draws_others() -> None:
    drawn = {sample(BASE, Kind.base, Mixture(5, 0.4), seed=seed).documents for seed in range(8)}
    assert len(drawn) > 4


def test_short_documents_keep_the_ratio_and_are_named() -> None:
    poor = Item("3", "q", (("330",),), (BASE.positive[0][:2],), BASE.negative)
    drawn = sample(poor, Kind.base, Mixture(5, 0.4))
    assert (drawn.positive, drawn.negative, drawn.short) == (2, 1, "3 of 5 documents")


def test_integration_gives_every_sub_question_a_document() -> None:
    drawn = sample(TWO, Kind.integration, Mixture(5, 0.4))
    assert all(any(holds(part, d) for d in drawn.documents) for part in TWO.parts)
    assert (drawn.positive, drawn.negative) == (3, 2)


def test_integration_reaches_the_noise_ratio_that_the_official_code_misses() -> None:
    groups = tuple((f"Part{n} is {n}.",) for n in range(4))
    many = Item("4", "q", tuple((str(n),) for n in range(4)), groups, TWO.negative)
    assert sample(many, Kind.integration, Mixture(5, 0.4)).noise == pytest.approx(3 / 7)
    official = official_sample(many, Kind.integration, Mixture(5, 0.4))
    assert sum(document in TWO.negative for document in official) == 1  # 0.2, silently
    bed = Testbed("x", Kind.integration, "en", (many, TWO), "")
    assert reachable(bed, Mixture(5, 0.4)) == 1


def test_counterfactual_mixes_true_and_false() -> None:
    drawn = sample(WRONG, Kind.counterfactual, Mixture(5, 0.2, 0.4))
    assert (drawn.false, drawn.positive, drawn.negative) == (2, 2, 1)
    only_false = sample(WRONG, Kind.counterfactual, Mixture(5, 0.0, 0.0))
    assert (only_false.false, only_false.positive) == (5, 0)


def test_official_sampling_takes_the_first_documents_and_shuffles_once() -> None:
    first = official_sample(BASE, Kind.base, Mixture(5, 0.4))
    assert set(first) == {*BASE.positive[0][:3], *BASE.negative[:2]}
    assert first == official_sample(BASE, Kind.base, Mixture(5, 0.4))


def test_a_shortage_changes_the_ratio_silently_in_official_sampling() -> None:
    poor = Item("3", "q", (("330",),), (BASE.positive[0][:2],), BASE.negative)
    documents = official_sample(poor, Kind.base, Mixture(5, 0.0))
    assert sum(d in BASE.negative for d in documents) == 3  # noise 0.6 where 0 was asked for


def test_a_closed_book_mixture_has_no_documents() -> None:
    assert sample(BASE, Kind.base, Mixture(0)).documents == ()
    assert official_sample(BASE, Kind.base, Mixture(0)) == ()


@pytest.mark.parametrize("bad", [{"documents": -1}, {"noise": 2}, {"correct": -1}])
def test_an_impossible_mixture_is_refused(bad: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="invalid mixture"):
        Mixture(**{"documents": 5, **bad})


@pytest.mark.parametrize("items", [[BASE], [TWO], [WRONG]])
def test_written_testbeds_are_read_back(items: list[Item], tmp_path: Path) -> None:
    file = tmp_path / "own.jsonl"
    file.write_bytes(write_testbed(items))
    bed = read_testbed(file)
    assert bed.items == tuple(items) and bed.unusable == () and bed.language == "en"


def test_invalid_rows_are_named_and_left_out() -> None:
    good = json.dumps(TWO.to_json())
    lines = [good, "{", '{"id": 1, "query": "q"}', '{"id":1,"query":"q","answer":[],"positive":[]}']
    bed = parse_testbed("\n".join(lines).encode(), name="own")
    assert len(bed.items) == 1
    assert [reason.split(":")[0] for reason in bed.unusable] == ["row 2", "row 3", "row 4"]
    assert "no field 'answer'" in bed.unusable[1]


def test_a_file_that_is_not_a_testbed_is_refused(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="Testbed not found"):
        read_testbed(tmp_path / "nothing.jsonl")
    with pytest.raises(BadData, match="has no testbed items"):
        parse_testbed(b"id,query\n1,x\n", name="table")
    mixed = write_testbed([BASE, TWO])
    with pytest.raises(BadData, match="mixes kinds"):
        parse_testbed(mixed, name="mixed")


@pytest.mark.real_data
@pytest.mark.parametrize(
    ("name", "kind", "language"),
    [
        ("en_fact", Kind.counterfactual, "en"),
        ("zh_fact", Kind.counterfactual, "zh"),
        ("zh_int", Kind.integration, "zh"),
    ],
)
def test_the_published_files_are_read(
    shared_data: Path, name: str, kind: Kind, language: str
) -> None:
    bed = read_testbed(shared_data / "rgb" / f"{name}.json")
    assert (bed.kind, bed.language, len(bed.items), bed.unusable) == (kind, language, 100, ())
    for item in bed.items:
        drawn = sample(item, kind, Mixture(5, 0.4))
        assert not any(
            holds(part, d) for part in item.parts for d in drawn.documents if d in item.negative
        )
