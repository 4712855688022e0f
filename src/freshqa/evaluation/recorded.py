"""Recorded verdicts: a judge that looks them up, and the raters of an agreement."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from freshqa.dataset.question import Question
from freshqa.dataset.wording import normalised_question
from freshqa.errors import BadData
from freshqa.evaluation.judgement import Judgement, Mode, Verdict
from freshqa.evaluation.rows import Row, read_rows

VERDICT_COLUMNS = ("verdict", "evaluation", "rating", "accuracy", "label", "judgment", "judgement")
COMMENT_COLUMNS = ("comment", "explanation", "reason")
RESPONSE_COLUMNS = ("response", "model_response", "final_answer", "prediction")
NAME_COLUMNS = ("key", "question")
_WORDS = {
    "correct": Verdict.correct,
    "true": Verdict.correct,
    "yes": Verdict.correct,
    "1": Verdict.correct,
    "incorrect": Verdict.incorrect,
    "false": Verdict.incorrect,
    "no": Verdict.incorrect,
    "0": Verdict.incorrect,
    "unrated": Verdict.unrated,
    "": Verdict.unrated,
}


@dataclass(frozen=True)
class Verdicts:
    """The verdicts of one rater.

    Args:
        by_question: (mode, key or normalised question) → judgement.
        unreadable: Rows that hold no verdict that is known, and why.
    """

    name: str
    by_question: Mapping[tuple[Mode, str], Judgement]
    unreadable: tuple[str, ...] = ()


def holds_verdicts(path: str | Path) -> bool:
    """Return True when a file names verdicts in a column; False when it holds anything else.

    Raises:
        NotFound: the file does not exist.
    """
    try:
        read_rows(path, needed=(NAME_COLUMNS, VERDICT_COLUMNS))
    except BadData:
        return False
    return True


def read_verdicts(path: str | Path, *, name: str = "", mode: Mode = Mode.relaxed) -> Verdicts:
    """Read verdicts: `question` or `key`, `verdict` (or `rating`, `accuracy`, …), maybe `mode`.

    Args:
        path: JSON lines, JSON, CSV, TSV or XLSX.
        name: Name of the rater. Default: name of the file.
        mode: Of rows that do not say theirs.

    Raises:
        NotFound, BadData: as `freshqa.evaluation.rows.read_rows`; no row with a known verdict; two
            different verdicts on one question.
    """
    table = read_rows(path, needed=(NAME_COLUMNS, VERDICT_COLUMNS))
    rater = name or Path(path).stem
    verdicts: dict[tuple[Mode, str], Judgement] = {}
    unreadable = list(table.unreadable)
    for row in table.rows:
        read = _judgement(row, rater, mode)
        if isinstance(read, str):
            unreadable.append(f"row {row.number}: {read}")
            continue
        place = (read.mode, read.key or normalised_question(read.question))
        earlier = verdicts.setdefault(place, read)
        if earlier.verdict is not read.verdict:
            raise BadData(
                f"{table.name}, row {row.number}: a second, conflicting verdict for"
                f" {read.question or read.key!r}.",
                "Keep one verdict for each question and mode.",
            )
    if not verdicts:
        raise BadData(
            f"{table.name} has no known verdict ({unreadable[0]}).", "Use correct or incorrect."
        )
    return Verdicts(rater, verdicts, tuple(unreadable))


def _judgement(row: Row, rater: str, mode: Mode) -> Judgement | str:
    word = row.first(VERDICT_COLUMNS).strip().strip(".").lower()
    if word not in _WORDS:
        return f"{word[:40]!r} is not a verdict"
    question, key = row.values.get("question", "").strip(), row.values.get("key", "").strip()
    if not question and not key:
        return "it names no question"
    written = row.values.get("mode", "").strip().lower()
    if written and written not in {m.value for m in Mode}:
        return f"{written[:40]!r} is not a mode"
    return Judgement(
        question=question,
        verdict=_WORDS[word],
        mode=Mode(written) if written else mode,
        judge=rater,
        comment=row.first(COMMENT_COLUMNS),
        response=row.first(RESPONSE_COLUMNS),
        key=key,
    )


class RecordedJudge:
    """Returns recorded verdicts for the same question and, if it is recorded, the same response."""

    def __init__(self, verdicts: Verdicts) -> None:
        self.name = f"recorded:{verdicts.name}"
        self._verdicts = verdicts.by_question

    def judge(self, question: Question, response: str, *, mode: Mode) -> Judgement:
        """Return the recorded verdict; `unrated` when there is none for this very response."""
        recorded = self._verdicts.get((mode, question.key)) or self._verdicts.get(
            (mode, normalised_question(question.text))
        )
        verdict, comment = Verdict.unrated, "no verdict is recorded for this question"
        if (
            recorded is not None
            and recorded.response
            and recorded.response.strip() != response.strip()
        ):
            comment = "the recorded verdict is on another response"
        elif recorded is not None:
            verdict, comment = recorded.verdict, recorded.comment
        return Judgement(
            question=question.text,
            verdict=verdict,
            mode=mode,
            judge=self.name,
            comment=comment,
            response=response,
            key=question.key,
            gold=question.revision_hash,
        )


def with_keys(verdicts: Verdicts, questions: Mapping[str, str]) -> Verdicts:
    """Verdicts under our keys, so that raters who word questions differently can be compared.

    Args:
        questions: Normalised question → key.
    """
    renamed = {
        (mode, questions.get(place, place)): replace(judged, key=questions.get(place, judged.key))
        for (mode, place), judged in verdicts.by_question.items()
    }
    return Verdicts(verdicts.name, renamed, verdicts.unreadable)
