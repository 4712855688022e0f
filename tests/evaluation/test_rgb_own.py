from dataclasses import replace
from datetime import date
from pathlib import Path

import pytest

from freshqa.dataset.identity import match
from freshqa.dataset.question import Question
from freshqa.dataset.release import read_release
from freshqa.errors import Refused
from freshqa.evaluation.rgb.own import Dated, own_testbeds
from freshqa.evaluation.rgb.scoring import holds
from freshqa.evaluation.rgb.testbed import Item, Kind, parse_testbed, write_testbed


def question(key: str, text: str, answer: str, *, false_premise: str = "FALSE") -> Question:
    fields = {"question": text, "answer_0": answer, "false_premise": false_premise}
    return Question(fields, key=key)


OLD = (
    question("q1", "Who leads the council?", "Ada Berg"),
    question("q2", "How many bridges does the city have?", "12"),
    question("q3", "Who painted the town hall?", "Carl Dahl"),
    question("q4", "How many gates does the city have?", "7"),
    question("q5", "Is the tower open?", "Yes"),
    question("q6", "Why did the lake vanish?", "It did not.", false_premise="TRUE"),
)
NEW = (replace(OLD[0], fields={**OLD[0].fields, "answer_0": "Eva Falk"}), *OLD[1:])


def town() -> dict[Kind, tuple[Item, ...]]:
    return own_testbeds(Dated(OLD, date(2024, 1, 1)), Dated(NEW, date(2024, 3, 1)))


def check(items: tuple[Item, ...]) -> None:
    for item in items:
        assert all(any(holds(part, d) for part in item.parts) for g in item.positive for d in g)
        assert not any(holds(part, d) for part in item.parts for d in item.negative)
        for false in item.positive_wrong:
            assert holds(item.fake, false) and not holds(item.parts[0], false)
        if item.fake:
            assert not any(holds(item.fake, d) for d in (*item.positive[0], *item.negative))


def test_the_documents_meet_the_requirements_of_their_testbed() -> None:
    beds = town()
    assert {kind: len(items) for kind, items in beds.items()} == {
        Kind.base: 4,
        Kind.integration: 2,
        Kind.counterfactual: 4,
    }
    for items in beds.values():
        check(items)


def test_an_answer_that_is_not_found_in_its_own_documents_makes_no_item() -> None:
    unchanged = question("q7", "How many mills does the city have?", "one")
    bases = own_testbeds(
        Dated((*OLD, unchanged), date(2024, 1, 1)), Dated((*NEW, unchanged), date(2024, 3, 1))
    )
    assert "q7" not in {item.id for item in bases[Kind.base]}


def test_false_documents_state_the_former_answer() -> None:
    changed = next(item for item in town()[Kind.counterfactual] if item.id == "q1")
    assert (changed.parts, changed.fake) == ((("Eva Falk",),), ("Ada Berg",))
    assert all("2024-01-01" in document for document in changed.positive_wrong)
    assert all("2024-03-01" in document for document in changed.positive[0])


def test_unchanged_questions_get_a_false_answer_of_the_same_kind() -> None:
    fakes = {item.id: item.fake for item in town()[Kind.counterfactual]}
    assert fakes["q2"] == ("7",) and fakes["q4"] == ("12",)


def test_yes_no_and_false_premises_are_left_out() -> None:
    used = {item.id for item in town()[Kind.base]}
    assert used == {"q1", "q2", "q3", "q4"}


def test_same_seed_same_testbeds_and_they_can_be_written() -> None:
    assert town() == town()
    for kind, items in town().items():
        bed = parse_testbed(write_testbed(items), name="own")
        assert (bed.kind, bed.items) == (kind, items)


def test_a_store_without_facts_is_refused() -> None:
    nothing = Dated(OLD[4:], date(2024, 1, 1))
    with pytest.raises(Refused, match="two valid-premise questions"):
        own_testbeds(nothing, nothing)


@pytest.mark.real_data
def test_two_real_versions_give_full_testbeds(shared_data: Path) -> None:
    first = match(read_release(shared_data / "freshqa" / "FreshQA_v11132023.csv").questions, ())
    later = match(
        read_release(shared_data / "freshqa" / "FreshQA_v03112024.csv").questions, first.questions
    )
    beds = own_testbeds(
        Dated(first.questions, date(2023, 11, 13)),
        Dated(later.questions, date(2024, 3, 11)),
        size=40,
    )
    for items in beds.values():
        assert len(items) == 40
        check(items)
