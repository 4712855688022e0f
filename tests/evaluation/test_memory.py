from evaluation.town import BRIDGES, LAKE, MAYOR, NEW, OLD, OLD_DAY, PAINTER, by_key, judged

from freshqa.evaluation.freshness import fact_changed, in_force
from freshqa.evaluation.golds import Measure
from freshqa.evaluation.judgement import Mode
from freshqa.evaluation.memory import memory
from freshqa.evaluation.rate import Rate


def since(*left_out: str) -> Measure:
    return Measure(1, OLD_DAY, {q.key: q for q in OLD if q.key not in left_out})


def test_accuracy_is_split_by_whether_the_answer_has_changed() -> None:
    given = [
        judged(MAYOR, "incorrect", response="Ada Berg is the mayor."),
        judged(BRIDGES, "correct", response="12"),
        judged(PAINTER, "unrated"),
        judged(LAKE, "correct", response="It has not."),
        judged(BRIDGES, "incorrect", mode="strict"),
    ]
    report = memory(given, by_key(NEW), mode=Mode.relaxed, since=since(LAKE))
    assert report.changed == Rate(0, 1)
    assert report.unchanged == Rate(1, 1, 1)
    assert report.added == Rate(1, 1)
    assert report.repeats == Rate(1, 1)  # the former mayor
    assert report.to_json()["repeats_former_answer"]["value"] == 1.0


def test_a_fresh_response_repeats_nothing() -> None:
    given = [judged(MAYOR, "correct", response="Eva Falk, who followed Ada Berg.")]
    assert memory(given, by_key(NEW), mode=Mode.relaxed, since=since()).repeats == Rate(0, 1)


def test_a_different_spelling_is_the_same_fact() -> None:
    bridges = by_key(OLD)[BRIDGES]
    assert not fact_changed(
        bridges, bridges.with_changes({"answer_0": "twelve bridges", "answer_2": "12"})
    )
    assert fact_changed(bridges, bridges.with_changes({"answer_0": "13", "answer_1": ""}))
    assert fact_changed(bridges, bridges.with_changes({"false_premise": "TRUE"}))


def test_the_later_of_two_versions_of_one_day_is_in_force() -> None:
    assert in_force([(1, OLD_DAY), (2, OLD_DAY)], OLD_DAY) == 2
    assert in_force([], OLD_DAY) is None
