"""What a check makes of two made-up methods on recorded evidence and real changes.

    python benchmarks/made_up_methods.py

`knows` always gives the answer of 2024-03-11, `remembers` always the stored one. No recording has
both the responses of a model and the evidence they were made from; these two bound what one can do.
"""

from __future__ import annotations

from collections import Counter
from datetime import date, datetime, timezone

from checking_data import SEARCHED_ON, Case, cases

from freshqa.answering.language_model import Completion
from freshqa.answering.response import Response
from freshqa.checking.change_rate import ChangeHistory
from freshqa.checking.support import support
from freshqa.maintaining.acceptance_policy import decide_by_policy
from freshqa.maintaining.proposal import Action, CheckedQuestion
from freshqa.maintaining.recheck import CheckSettings, recheck
from freshqa.maintaining.verdict import Limits

NOW = datetime.combine(SEARCHED_ON, datetime.min.time(), timezone.utc)


def check(case: Case, answer: str, rejected: bool, doubt_above: float = 0.5) -> CheckedQuestion:
    reply = Completion(answer, "made-up", "0" * 64, NOW)
    response = Response(
        question=case.question.text,
        method="freshprompt",
        text=answer,
        answer=answer,
        evidence=case.evidence,
        completions=(reply,),
        premise_rejected=rejected,
    )
    return recheck(
        case.question.with_key(case.lineage),
        as_of=SEARCHED_ON,
        ask=lambda feedback, prior: response,
        settings=CheckSettings(limits=Limits(doubt_above=doubt_above)),
        history=ChangeHistory(0, 0.0, date.fromisoformat(case.window)),
    )


def accepted(case: Case, checked: CheckedQuestion) -> bool:
    """Return whether `assisted` accepts what the check proposes."""
    if checked.proposal is None:
        return False
    row = case.question.with_key(case.lineage)
    decided = decide_by_policy(checked.proposal, row, policy="assisted", now=NOW)
    return decided.action is Action.accept


def knows(window: str) -> None:
    outcomes: Counter[tuple[str, str, str]] = Counter()
    contradictions = 0
    for case in cases([window]):
        checked = check(case, case.answers_now[0], case.premise_now)
        premise = "false" if case.question.false_premise else "valid"
        changed = "changed" if case.changed else "unchanged"
        outcomes[premise, changed, checked.outcome.value] += 1
        contradictions += case.changed and accepted(case, checked)
    print(
        f"Knows the answer of 2024-03-11, {window}: `assisted` accepts {contradictions} that contradict the truth"
    )
    for (premise, changed, outcome), count in sorted(outcomes.items()):
        print(f"  {premise} premise, fact {changed}: {outcome} {count}")


def remembers(window: str) -> None:
    rows = [case for case in cases([window]) if not case.question.false_premise]
    stale = sum(case.changed for case in rows)
    print(f"Repeats the stored answer, {window}: {stale} of {len(rows)} valid premises are stale")
    taken = [case for case in rows if accepted(case, check(case, case.question.primary, False))]
    wrong = sum(case.changed for case in taken)
    print(f"  `assisted` accepts {len(taken)}; of these, {wrong} contradict the truth")
    for limit in (0.3, 0.5, 0.7):
        caught = alarms = 0
        for case in rows:
            checked = check(case, case.question.primary, False, limit)
            doubted = checked.outcome.value not in ("unchanged", "alternative")
            caught += doubted and case.changed
            alarms += doubted and not case.changed
        print(f"  rejected from risk {limit}: {caught} caught, {alarms} false alarms")
    held = sum(
        bool(support(c.question.answers, c.evidence, question=c.question.text).firm)
        for c in rows
        if c.changed
    )
    print(f"  the evidence still contains {held} of the stale answers")


if __name__ == "__main__":
    for start in ("2024-02-05", "2023-11-13"):
        knows(start)
        remembers(start)
