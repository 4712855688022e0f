import pytest

from freshqa.dataset.question import Question
from freshqa.errors import BadData
from freshqa.evaluation.breakdown import breakdown, hallucination_gap, judge_errors
from freshqa.evaluation.judgement import Judgement, Mode, Verdict


def question(key: str, **fields: str) -> Question:
    row = {
        "question": f"Question {key}?",
        "answer_0": "x",
        "effective_year": "2023",
        "false_premise": "FALSE",
        "num_hops": "one-hop",
        "fact_type": "fast-changing",
    }
    return Question({**row, **fields}, key=key)


QUESTIONS = {
    q.key: q
    for q in (
        question("a"),
        question("b", fact_type="slow-changing", effective_year="before 2022"),
        question("c", fact_type="never-changing", num_hops="multi-hop"),
        question("d", false_premise="TRUE", effective_year="before 2022"),
        question("e", false_premise="TRUE"),
    )
}


def judged(key: str, verdict: str, mode: str = "relaxed") -> Judgement:
    text = QUESTIONS[key].text if key in QUESTIONS else key
    return Judgement(text, Verdict(verdict), Mode(mode), "test", key=key)


def test_every_column_counts_its_own_questions() -> None:
    verdicts = {"a": "correct", "b": "incorrect", "c": "unrated", "d": "correct", "e": "incorrect"}
    table = breakdown([judged(*item) for item in verdicts.items()], QUESTIONS, mode="relaxed")
    counted = {
        cell.column.name: (cell.rate.hits, cell.rate.n, cell.rate.left_out) for cell in table.cells
    }
    assert counted == {
        "all": (2, 4, 1),
        "valid": (1, 2, 1),
        "valid_fast": (1, 1, 0),
        "valid_slow": (0, 1, 0),
        "valid_never": (0, 0, 1),
        "valid_before_2022": (0, 1, 0),
        "valid_since_2022": (1, 1, 1),
        "valid_one_hop": (1, 2, 0),
        "valid_multi_hop": (0, 0, 1),
        "false": (1, 2, 0),
        "false_before_2022": (1, 1, 0),
    }
    assert table.unplaced == ()


def test_a_question_outside_every_group_is_reported() -> None:
    odd = {"o": question("o", fact_type="rapid"), "h": question("h", num_hops="2")}
    table = breakdown(
        [Judgement("o", Verdict.correct, Mode.relaxed, "test", key=key) for key in odd],
        odd,
        mode="relaxed",
    )
    assert table.cell("valid").n == 2 and table.cell("valid_fast").n == 1
    assert len(table.unplaced) == 2 and "rapid" in table.unplaced[0]


@pytest.mark.parametrize(
    ("judgements", "message"),
    [
        ([judged("z", "correct")], "missing from this version; the first is 'z'"),
        ([judged("a", "correct"), judged("a", "incorrect")], "Judged twice in relaxed mode"),
    ],
)
def test_judgements_that_cannot_be_counted_are_refused(
    judgements: list[Judgement], message: str
) -> None:
    with pytest.raises(BadData, match=message):
        breakdown(judgements, QUESTIONS, mode="relaxed")


def test_gap_is_relaxed_minus_strict_and_names_judge_errors() -> None:
    both = [
        judged("a", "correct"),
        judged("a", "incorrect", "strict"),
        judged("b", "correct"),
        judged("b", "correct", "strict"),
        judged("c", "incorrect"),
        judged("c", "correct", "strict"),
        judged("d", "correct"),
        judged("d", "unrated", "strict"),
    ]
    gap = next(g for g in hallucination_gap(both, QUESTIONS) if g.column.name == "all").difference
    assert (gap.only_first, gap.only_second, gap.n, gap.left_out) == (1, 1, 3, 1)
    assert judge_errors(both) == ("Question c?",)


def test_a_missing_column_of_a_dataset_is_reported_once() -> None:
    questions = {
        f"q{n}": Question({"question": f"Who {n}?", "fact_type": "slow-changing"}, f"q{n}")
        for n in range(9)
    }
    judgements = [
        Judgement(q.text, Verdict.correct, Mode.relaxed, "lexical", key=key)
        for key, q in questions.items()
    ]
    (said,) = breakdown(judgements, questions, mode=Mode.relaxed).unplaced
    assert said == "9 questions, such as 'Who 0?': num_hops '' is neither one-hop nor multi-hop"
