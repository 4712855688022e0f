from pathlib import Path

import pytest
from evaluation.town import BRIDGES, MAYOR, NEW, by_key, write_lines

from freshqa.errors import BadData, NotFound
from freshqa.evaluation.judgement import Mode, Verdict
from freshqa.evaluation.recorded import RecordedJudge, holds_verdicts, read_verdicts, with_keys

QUESTION = "Who is the mayor?"


def file(folder: Path, *records: dict) -> Path:
    return write_lines(folder / "verdicts.jsonl", records)


@pytest.mark.parametrize("column", ["verdict", "evaluation", "rating", "accuracy"])
@pytest.mark.parametrize(("word", "verdict"), [("Correct", "correct"), ("FALSE", "incorrect")])
def test_verdicts_in_many_sheet_formats_are_read(
    tmp_path: Path, column: str, word: str, verdict: str
) -> None:
    read = read_verdicts(file(tmp_path, {"question": QUESTION, column: word}))
    ((place, judged),) = read.by_question.items()
    assert place == (Mode.relaxed, "who is the mayor")
    assert judged.verdict is Verdict(verdict)


def test_a_mode_column_takes_precedence_over_the_mode_option(tmp_path: Path) -> None:
    rows = [{"key": MAYOR, "verdict": "correct", "mode": m} for m in ("relaxed", "strict", "")]
    read = read_verdicts(file(tmp_path, *rows[:2], {**rows[2], "key": BRIDGES}), mode=Mode.strict)
    assert set(read.by_question) == {
        (Mode.relaxed, MAYOR),
        (Mode.strict, MAYOR),
        (Mode.strict, BRIDGES),
    }


def test_unknown_verdicts_are_reported(tmp_path: Path) -> None:
    rows = [{"question": QUESTION, "verdict": "correct"}, {"question": "B?", "verdict": "maybe"}]
    read = read_verdicts(file(tmp_path, *rows))
    assert read.unreadable == ("row 2: 'maybe' is not a verdict",)


def test_two_different_verdicts_on_one_question_are_refused(tmp_path: Path) -> None:
    rows = [{"question": QUESTION, "verdict": word} for word in ("correct", "incorrect")]
    with pytest.raises(BadData, match="row 2: a second, conflicting verdict for 'Who is the mayor"):
        read_verdicts(file(tmp_path, *rows))


def test_a_file_of_replies_holds_no_verdicts(tmp_path: Path) -> None:
    assert holds_verdicts(file(tmp_path, {"question": QUESTION, "verdict": "correct"}))
    assert not holds_verdicts(file(tmp_path, {"question": QUESTION, "response": "evaluation: x"}))
    with pytest.raises(NotFound):
        holds_verdicts(tmp_path / "none")


def test_the_recorded_judge_gives_a_verdict_only_for_the_same_response(tmp_path: Path) -> None:
    recorded = {"question": QUESTION, "verdict": "correct", "response": "Eva Falk", "comment": "so"}
    judge = RecordedJudge(read_verdicts(file(tmp_path, recorded), name="ada"))
    question = by_key(NEW)[MAYOR]
    same = judge.judge(question, "Eva Falk ", mode=Mode.relaxed)
    assert (same.verdict, same.comment, same.judge) == (Verdict.correct, "so", "recorded:ada")
    other = judge.judge(question, "Ada Berg", mode=Mode.relaxed)
    assert (other.verdict, other.comment) == (
        Verdict.unrated,
        "the recorded verdict is on another response",
    )
    assert judge.judge(question, "Eva Falk", mode=Mode.strict).verdict is Verdict.unrated


def test_raters_with_different_wordings_are_matched_by_key(tmp_path: Path) -> None:
    read = read_verdicts(file(tmp_path, {"question": "WHO is the mayor", "verdict": "correct"}))
    assert set(with_keys(read, {"who is the mayor": MAYOR}).by_question) == {(Mode.relaxed, MAYOR)}
