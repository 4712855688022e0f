"""The result of an evaluation as one JSON object."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from freshqa.dataset.question import Question
from freshqa.evaluation.breakdown import Breakdown, breakdown, hallucination_gap, judge_errors
from freshqa.evaluation.golds import Measure
from freshqa.evaluation.judgement import Judgement, Mode
from freshqa.evaluation.memory import memory
from freshqa.evaluation.rows import write_rows

LEXICAL_NOTE = (
    "The lexical judge looks for accepted answers by words: it leaves false premises and long"
    " answers unrated, and its `incorrect` only says that no accepted answer was found."
)


def figures(
    judgements: Sequence[Judgement],
    questions: Mapping[str, Question],
    *,
    modes: Sequence[Mode],
    since: Measure | None = None,
) -> dict[str, Any]:
    """Return the paper's table with all remarks on it.

    Args:
        judgements: Of every mode.
        questions: Key → gold row of every judgement.
        modes: One mode, or both: then the hallucination gap is there too.
        since: Version to look back to, for memorisation against freshness.

    Returns:
        `table`, `gap`, `judge_errors` (strictly right, relaxedly wrong: cannot be), `verdicts`,
        `unplaced` (questions that a group of columns does not count), `marks`, `memory`.
    """
    rows = [breakdown(judgements, questions, mode=mode) for mode in modes]
    both = len(modes) > 1
    return {
        "table": table_json(rows),
        "gap": [gap.to_json() for gap in hallucination_gap(judgements, questions)] if both else [],
        "judge_errors": list(judge_errors(judgements)) if both else [],
        "verdicts": {
            mode.value: dict(Counter(j.verdict.value for j in judgements if j.mode is mode))
            for mode in modes
        },
        "unplaced": list(rows[0].unplaced),
        "marks": dict(sorted(Counter(m for j in judgements for m in j.marks).items())),
        "memory": [
            memory(judgements, questions, mode=mode, since=since).to_json() for mode in modes
        ]
        if since
        else [],
    }


def table_json(breakdowns: Sequence[Breakdown]) -> list[dict[str, Any]]:
    """Return one object per mode and column: counts, share (0 to 1) and interval."""
    return [{"mode": row.mode.value, **cell.to_json()} for row in breakdowns for cell in row.cells]


def table_csv(table: Sequence[Mapping[str, Any]]) -> str:
    """CSV with a header: mode, column, group, label, hits, n, left_out, value, low, high.

    Args:
        table: As `table_json` gives it.
    """
    return write_rows(table)
