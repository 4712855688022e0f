import pytest
from evaluation.scripted_model import ScriptedModel

from freshqa.answering.documents_prompt import Style, reading_messages
from freshqa.evaluation.rgb.judging import (
    declined_in_sense,
    detected_in_sense,
)
from freshqa.evaluation.rgb.metrics import metrics
from freshqa.evaluation.rgb.mistakes import Mistake, mistake
from freshqa.evaluation.rgb.reply import Status, read_reply
from freshqa.evaluation.rgb.scoring import Score, Scoring, official_labels, score
from freshqa.evaluation.rgb.testbed import Item

ITEM = Item("0", "How many?", (("12", "twelve"),), (("12 it is.",),), (), answer=[["12", "twelve"]])
PAIR = Item(
    "1", "Who and who?", (("Ann",), ("Bob",)), (("Ann",), ("Bob",)), (), answer=["Ann", "Bob"]
)
FAKE = Item("2", "Where?", (("Rome",),), (("Rome",),), (), ("Oslo",), ("Oslo",), answer="Rome")


def scored(text: str, item: Item, scoring: Scoring, language: str = "en") -> Score:
    return score(read_reply(text), item, language=language, scoring=scoring)


@pytest.mark.parametrize(
    ("text", "fixed", "official"),
    [
        ("There are 12.", (1,), (1,)),
        ("There are Twelve.", (1,), (1,)),
        ("That was in 2012.", (0,), (1,)),  # "12" is found in "2012"
        ("There are 13.", (0,), (0,)),
        ("There is insufficient information, but it is 12.", (1,), (-1,)),
    ],
)
def test_matching_rules_differ_where_the_official_ones_fail(
    text: str, fixed: tuple[int, ...], official: tuple[int, ...]
) -> None:
    assert scored(text, ITEM, Scoring.fixed).labels == fixed
    assert scored(text, ITEM, Scoring.official).labels == official


def test_every_part_must_be_present() -> None:
    assert scored("Ann and Bob", PAIR, Scoring.fixed).correct
    assert not scored("Ann", PAIR, Scoring.fixed).correct
    assert official_labels("ANN and rob", ["Ann", ["Bob", "Rob"]]) == [1, 1]


def test_a_status_line_says_whether_the_reply_declines() -> None:
    said = scored("status: insufficient\nanswer: I cannot tell.", ITEM, Scoring.fixed)
    assert (said.declined, said.declined_in_sense, said.detected_in_sense) == (False, True, False)
    silent = scored("I cannot tell.", ITEM, Scoring.fixed)
    assert silent.declined_in_sense is None


@pytest.mark.parametrize(
    ("text", "status", "answer"),
    [
        ("status: answered\nanswer: Rome", Status.answered, "Rome"),
        ("**Status:** `conflict`\n**Answer:** Rome", Status.conflict, "Rome"),
        ("status: answered or insufficient\nanswer: x", None, "x"),
        ("status: answered\nstatus: conflict\nanswer: x", None, "x"),
        ("status: fine\nanswer: x", None, "x"),
        ("Rome", None, "Rome"),
        ("", None, ""),
    ],
)
def test_status_and_answer_of_a_reply_are_read(
    text: str, status: Status | None, answer: str
) -> None:
    reply = read_reply(text)
    assert (reply.status, reply.answer) == (status, answer)


def test_chinese_is_searched_without_spaces() -> None:
    item = Item("3", "何时", (("1月3日",),), (("1月3日",),), (), answer=["1月3日"])
    for scoring in Scoring:
        assert scored("是 1 月 3 日 。", item, scoring, "zh").correct
    assert scored("文档信息 不足，因此", item, Scoring.official, "zh").declined


def test_rejection_counts_right_answers_too_in_the_official_code() -> None:
    scores = [
        Score((-1,), declined=True, detected=False),
        Score((1,), declined=False, detected=False),
        Score((0,), declined=False, detected=False),
    ]
    assert metrics(scores, scoring=Scoring.official, noise=1.0)["Rej"].hits == 2
    assert metrics(scores, scoring=Scoring.fixed, noise=1.0)["Rej"].hits == 1


def test_a_refusal_counts_as_a_correction_in_the_official_code() -> None:
    refusal = Score((-1,), declined=True, detected=True)
    right = Score((1,), declined=False, detected=True)
    wrong = Score((0,), declined=False, detected=True)
    official = metrics([refusal, right, wrong], scoring=Scoring.official)["CR"]
    fixed = metrics([refusal, right, wrong], scoring=Scoring.fixed)["CR"]
    assert (official.hits, official.n) == (2, 3) and (fixed.hits, fixed.n) == (1, 3)
    judged = Score((-1,), declined=True, detected=True, detected_in_sense=True)
    assert metrics([judged], scoring=Scoring.official)["CR"].hits == 0  # as fact_evalue.py


def test_corrections_are_counted_among_detected_errors() -> None:
    scores = [
        Score((1,), False, False, detected_in_sense=True),
        Score((0,), False, True, detected_in_sense=False),
        Score((1,), False, False, detected_in_sense=None),
    ]
    rates = metrics(scores, scoring=Scoring.fixed, failed=2)
    assert (rates["CR"].hits, rates["CR"].n) == (1, 1)
    assert (rates["ED"].hits, rates["ED"].n, rates["ED"].left_out) == (1, 3, 2)
    assert (rates["ED*"].hits, rates["ED*"].n, rates["ED*"].left_out) == (1, 2, 3)


@pytest.mark.parametrize(
    ("item", "text", "documents", "positive", "expected"),
    [
        (ITEM, "12", ["12 it is."], 1, None),
        (ITEM, "status: insufficient\nanswer: -", ["12 it is."], 1, Mistake.refused),
        (ITEM, "status: insufficient\nanswer: -", ["Nothing."], 0, None),
        (ITEM, "13", ["Nothing."], 0, Mistake.answered),
        (ITEM, "13", ["12 it is.", "13 others."], 1, Mistake.confused),
        (ITEM, "99", ["12 it is."], 1, Mistake.unsupported),
        (ITEM, "99", ["Reportedly 12."], 1, Mistake.uncertain),
        (ITEM, "it is", ["it is", "How many? it is 12" + " x" * 90], 1, Mistake.confused),
        (FAKE, "Oslo", ["Oslo"], 0, Mistake.fake_repeated),
        (PAIR, "Ann", ["Ann", "Bob"], 2, Mistake.ignored),
        (ITEM, "99", [], 0, None),
    ],
)
def test_mistakes_repeated_from_documents(
    item: Item, text: str, documents: list[str], positive: int, expected: Mistake | None
) -> None:
    reply = read_reply(text)
    kind = mistake(
        reply,
        score(reply, item, language="en", scoring=Scoring.fixed),
        item,
        positive=positive,
        documents=documents,
        language="en",
    )
    assert kind is expected


def test_one_answer_to_two_sub_questions_is_classified_as_merged() -> None:
    years = Item("5", "When?", (("1990",), ("2001",)), (("1990",), ("2001",)), ())
    reply = read_reply("Both in 1990")
    result = mistake(
        reply,
        score(reply, years, language="en", scoring=Scoring.fixed),
        years,
        positive=2,
        documents=["1990", "2001"],
        language="en",
    )
    assert result is Mistake.merged


@pytest.mark.parametrize("language", ["en", "zh"])
@pytest.mark.parametrize("style", list(Style))
def test_the_prompt_asks_for_the_sentences_that_are_scored(language: str, style: Style) -> None:
    system, user = reading_messages("q?", ["a\nb", "c"], language=language, style=style)
    refusal = score(read_reply(system.content), ITEM, language=language, scoring=Scoring.official)
    assert refusal.declined and refusal.detected
    assert "a b\nc" in user.content and user.content.endswith("q?")
    assert ("status:" in system.content) == (style is Style.structured)
    assert len(reading_messages("q?", [], language=language, style=style)) == 1


@pytest.mark.parametrize(
    ("reply", "declined"),
    [("no", True), ("Yes.", False), ("addressed: no", True), ("Perhaps", None)],
)
def test_a_judge_model_decides_whether_a_reply_declines(reply: str, declined: bool | None) -> None:
    judge = ScriptedModel(lambda chat: reply)
    assert declined_in_sense("q", "I do\nnot know", judge=judge) is declined
    detected = None if declined is None else not declined
    assert detected_in_sense("q", "x", judge=judge) is detected
    assert "| I do\n| not know" in judge.asked[0][0].content
