"""Each question has one line in the log; unchanged questions share records."""

from __future__ import annotations

import logging

import pytest

from freshqa.maintaining.proposal import CheckedQuestion, Outcome
from prefect_freshqa.tasks.result_log import MAX_LINES, ResultLog


@pytest.fixture
def log(caplog: pytest.LogCaptureFixture) -> ResultLog:
    caplog.set_level(logging.INFO)
    return ResultLog(logging.getLogger("refresh"))


def result(number: int, outcome: Outcome = Outcome.unchanged, error: str = "") -> CheckedQuestion:
    return CheckedQuestion(
        f"q-{number}", f"Question {number}?", outcome, risk=0.25, stored=("7",), error=error
    )


def test_unchanged_questions_share_a_log_record_with_one_line_each(
    log: ResultLog, caplog: pytest.LogCaptureFixture
) -> None:
    for number in range(MAX_LINES + 2):
        log.add(result(number))
    assert len(caplog.messages) == 1
    log.flush()
    log.flush()
    assert [len(message.splitlines()) for message in caplog.messages] == [MAX_LINES, 2]
    lines = "\n".join(caplog.messages).splitlines()
    assert lines == [f"Question {n}?: unchanged (risk 0.25)" for n in range(MAX_LINES + 2)]


def test_every_other_outcome_is_written_at_once(
    log: ResultLog, caplog: pytest.LogCaptureFixture
) -> None:
    log.add(result(1))
    for outcome in set(Outcome) - {Outcome.unchanged}:
        caplog.clear()
        log.add(result(2, outcome, "timed out: 100 %s" if outcome is Outcome.failed else ""))
        (record,) = caplog.records
        assert record.getMessage().startswith(f"Question 2?: {outcome.value} (risk 0.25)")
        assert record.levelno == (logging.WARNING if outcome is Outcome.failed else logging.INFO)
        assert record.getMessage().endswith(": timed out: 100 %s") == (outcome is Outcome.failed)


def test_an_old_line_is_written_when_the_next_result_arrives(
    log: ResultLog, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    log.add(result(1))
    monkeypatch.setattr("prefect_freshqa.tasks.result_log.FLUSH_AFTER", 0.0)
    log.add(result(2))
    assert caplog.messages == [
        "Question 1?: unchanged (risk 0.25)\nQuestion 2?: unchanged (risk 0.25)"
    ]
