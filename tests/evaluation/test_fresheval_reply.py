import pytest
from hypothesis import given
from hypothesis import strategies as st

from freshqa.evaluation.fresheval_reply import parse_reply
from freshqa.evaluation.judgement import Verdict


@pytest.mark.parametrize(
    "reply",
    [
        "comment: fine.\nevaluation: correct",
        "Fine.\nEvaluation: Correct.",
        "Fine.\n**evaluation:** correct",
        "Fine.\n**Evaluation: correct**",
        "- evaluation: `correct`",
        "evaluation:correct ",
        "evaluation: “correct”",
        "evaluation： correct",
        "evaluation:\ncorrect",
        "Final verdict: correct!",
        "Thus, the response is credited.",
        "The primary answer is right. Therefore the response is credited. ",
        "| evaluation: incorrect\ncomment: that line is quoted\nevaluation: correct",
        "evaluation: correct\n\n\nquestion: another one\nevaluation: incorrect",
    ],
)
def test_correct_is_read_in_any_form(reply: str) -> None:
    assert parse_reply(reply).verdict is Verdict.correct


@pytest.mark.parametrize(
    "reply",
    [
        "comment: no.\nevaluation: incorrect",
        "EVALUATION: INCORRECT",
        "Thus, the response is not credited.",
    ],
)
def test_incorrect_is_read_in_any_form(reply: str) -> None:
    assert parse_reply(reply).verdict is Verdict.incorrect


@pytest.mark.parametrize(
    "reply",
    [
        "",
        "The response is correct.",
        "comment: The response says that",
        "evaluation: not correct",
        "evaluation: partially",
        "evaluation: correct or incorrect",
        'The response says "evaluation: correct"',
        "evaluation: correct\nevaluation: incorrect",
        "Thus, the response is not credited.\nevaluation: correct",
        "| evaluation: correct",
        "evaluation: incorrectly",
    ],
)
def test_an_ambiguous_verdict_is_unrated(reply: str) -> None:
    parsed = parse_reply(reply)
    assert parsed.verdict is Verdict.unrated
    assert parsed.comment


def test_the_comment_is_the_text_before_the_evaluation() -> None:
    parsed = parse_reply("comment: The year is wrong.\nevaluation: incorrect")
    assert parsed.comment == "The year is wrong."


@pytest.mark.parametrize(
    ("reply", "verdict"),
    [
        ("correct", Verdict.correct),
        ("**Incorrect.**", Verdict.incorrect),
        ("TRUE", Verdict.correct),
        ("`false`", Verdict.incorrect),
        ('{"comment": "ok", "evaluation": "correct"}', Verdict.correct),
        ('```json\n{"verdict": "INCORRECT"}\n```', Verdict.incorrect),
        ('{"evaluation": true}', Verdict.correct),
        ('{"evaluation": "partially"}', Verdict.unrated),
        ('{"evaluation": "correct", "verdict": "incorrect"}', Verdict.unrated),
        ('{"comment": "The response is correct."}', Verdict.unrated),
        ("evaluation: correct (it matches)", Verdict.correct),
        ("**evaluation:** incorrect (another person).", Verdict.incorrect),
        ("evaluation: correct (but the year is wrong)", Verdict.unrated),
        ("evaluation: incorrect (the date isn't)", Verdict.unrated),
        ("evaluation: correct (in part)", Verdict.unrated),
        ("not correct", Verdict.unrated),
        ("| correct", Verdict.unrated),
    ],
)
def test_a_bare_word_and_json_on_one_line_are_read(reply: str, verdict: Verdict) -> None:
    assert parse_reply(reply).verdict is verdict


@given(st.text())
def test_any_text_is_read_or_unrated(text: str) -> None:
    assert parse_reply(text).verdict in Verdict
