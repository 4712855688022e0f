"""Which questions the next refresh checks, in which order, and why."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, TypeVar

from freshqa.checking.change_rate import ChangeHistory
from freshqa.checking.risk import prior_risk
from freshqa.dataset.question import Question
from freshqa.dates.review import Due, due

Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class PlannedQuestion:
    """A question that is due.

    Args:
        question: The question, with its key.
        due_on: When its review falls due.
        why: In words: the date or cadence that makes it due.
        risk: Probability that the stored answer is no longer right, before any search.
        overdue_days: Days since `due_on`, 0 when it is in the future.
        history: What is known of its changes; None when nothing is.
    """

    question: Question
    due_on: date
    why: str
    risk: float
    overdue_days: int
    history: ChangeHistory | None = None

    @property
    def expected_loss(self) -> float:
        """Probability of a stale answer times the days it has been (or will be) served stale."""
        return self.risk * (1 + self.overdue_days)

    def to_json(self) -> dict[str, Any]:
        """Return the shape printed by `prefect-freshqa due --json`."""
        return {
            "key": self.question.key,
            "question": self.question.text,
            "due_on": self.due_on.isoformat(),
            "why": self.why,
            "risk": round(self.risk, 4),
        }


def plan_refresh(
    questions: Sequence[Question],
    *,
    as_of: date,
    days: int = 7,
    every_question: bool = False,
    last_checked: Mapping[str, date] | None = None,
    history: Mapping[str, ChangeHistory] | None = None,
) -> tuple[PlannedQuestion, ...]:
    """Return the questions to check, highest expected loss first.

    Args:
        as_of: The date of the refresh.
        days: Days until the next refresh: what falls due up to that day is due now.
        every_question: Check all, due or not.
        last_checked: Key → date of the last check; cadences count from it.
        history: Key → what is known of its changes.
    """
    planned = []
    for question in questions:
        known = (history or {}).get(question.key)
        reason = due(
            question, as_of=as_of, days=days, last_checked=(last_checked or {}).get(question.key)
        )
        if reason is None and every_question:
            reason = Due(due_on=as_of, why="every question was asked for")
        if reason is None:
            continue
        planned.append(
            PlannedQuestion(
                question=question,
                due_on=reason.due_on,
                why=reason.why,
                risk=prior_risk(question, as_of=as_of, history=known),
                overdue_days=max(0, (as_of - reason.due_on).days),
                history=known,
            )
        )
    return tuple(sorted(planned, key=lambda item: (-item.expected_loss, item.question.key)))


def partition(
    questions: Sequence[Item], batch_size: int, *, workers: int
) -> Iterator[Sequence[Item]]:
    """Yield batches of at most `batch_size` questions, interleaved over `workers` that run at once.

    The first questions are spread over all workers, so they are checked first even if the budget
    ends, and every worker has the same amount of work.
    """
    for start in range(0, len(questions), batch_size * workers):
        group = questions[start : start + batch_size * workers]
        yield from (group[worker::workers] for worker in range(min(workers, len(group))))
