"""Calibration of a check's conclusions on the recorded windows.

    python -m benchmarks.calibration            measure the shipped weights on the test rows
    python -m benchmarks.calibration --write    fit them on the development rows first

A conclusion is a stored answer kept (`unchanged`, `alternative`) or another one proposed (`changed`);
the others leave a row to a person. Three made-up readers answer on the recorded evidence: `knows`
always gives the answer of 2024-03-11, `remembers` always the stored one, `reads` the other answer
that most sites in the evidence give. Questions are divided by a hash: those of a half are development
rows, all rows of a question on one side. `ECE`: expected calibration error, ten bins.
"""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timezone
from pathlib import Path

import numpy as np

from benchmarks.checking_data import SEARCHED_ON, WINDOWS, Case, cases
from freshqa.answering.language_model import Completion
from freshqa.answering.response import Response
from freshqa.checking.calibration import (
    expected_calibration_error,
    kept_right,
    log_odds,
    proposed_right,
)
from freshqa.checking.candidates import candidates
from freshqa.checking.change_rate import ChangeHistory
from freshqa.checking.logistic import fit_logistic
from freshqa.evidence.evidence import Evidence
from freshqa.facts.same_fact import Relation, relation
from freshqa.maintaining.proposal import CheckedQuestion, Outcome
from freshqa.maintaining.recheck import CheckSettings, recheck

WEIGHTS = Path(__file__).parent.parent / "src" / "freshqa" / "checking" / "calibration.json"
NOW = datetime.combine(SEARCHED_ON, datetime.min.time(), timezone.utc)
READERS = ("knows", "remembers", "reads")


@dataclass(frozen=True)
class Conclusion:
    """One conclusion of a check, and whether it was right."""

    lineage: str
    window: str
    kept: bool
    risk: float
    confidence: float
    right: bool

    @property
    def development(self) -> bool:
        return hashlib.sha256(self.lineage.encode()).digest()[0] % 2 == 0

    @property
    def said(self) -> float:
        """The calibrated probability."""
        return kept_right(self.risk) if self.kept else proposed_right(self.risk, self.confidence)

    @property
    def raw(self) -> float:
        return 1.0 - self.risk if self.kept else self.confidence


def check(
    case: Case, answer: str, evidence: tuple[Evidence, ...], rejected: bool
) -> CheckedQuestion:
    reply = Completion(answer, "made-up", "0" * 64, NOW)
    response = Response(
        question=case.question.text,
        method="freshprompt",
        text=answer,
        answer=answer,
        evidence=evidence,
        completions=(reply,),
        premise_rejected=rejected,
    )
    return recheck(
        case.question.with_key(case.lineage),
        as_of=SEARCHED_ON,
        ask=lambda feedback, prior: response,
        settings=CheckSettings(1),
        history=ChangeHistory(0, 0.0, date.fromisoformat(case.window)),
    )


def conclusions() -> Iterator[Conclusion]:
    """Yield what the readers' checks conclude."""
    for case in cases():
        evidence, row = case.evidence, case.question
        named = candidates(row, evidence, most=1)
        read = named[0].text if named and not row.false_premise else row.primary
        answers = (case.answers_now[0], row.primary, read)
        for reader, answer in zip(READERS, answers, strict=True):
            rejected = case.premise_now if reader == "knows" else row.false_premise
            checked = check(case, answer, evidence, rejected)
            kept = checked.outcome in (Outcome.unchanged, Outcome.alternative)
            if not kept and checked.outcome is not Outcome.changed:
                continue
            right = not case.changed if kept else _is_now(checked.proposed[0], case)
            sure = checked.proposal.confidence if checked.proposal else 1.0 - checked.risk
            yield Conclusion(case.lineage, case.window, kept, checked.risk, sure, right)


def _is_now(answer: str, case: Case) -> bool:
    fits = (Relation.same, Relation.variant)
    return any(relation(answer, now) in fits for now in case.answers_now)


def fit(rows: Sequence[Conclusion]) -> None:
    """Fit the weights on development rows and write them."""
    kept = [row for row in rows if row.kept]
    proposed = [row for row in rows if not row.kept]
    of_kept = fit_logistic(
        np.array([[1.0, log_odds(row.risk)] for row in kept]),
        np.array([float(row.right) for row in kept]),
    )
    features = np.array([[1.0, log_odds(row.risk), log_odds(row.confidence)] for row in proposed])
    right = np.array([float(row.right) for row in proposed])
    of_proposed = fit_logistic(features, right)
    if of_proposed[2] < 0:  # more sources never make an answer less probable
        of_proposed = np.append(fit_logistic(features[:, :2], right), 0.0)
    record = {
        "origin": (
            f"benchmarks/calibration.py --write: {len(kept)} kept and {len(proposed)} proposed "
            "answers of three made-up readers on the development half of three windows to "
            "2024-03-11 with Google results of 2024-03-13"
        ),
        "kept": dict(zip(("bias", "risk"), of_kept.round(4).tolist(), strict=True)),
        "proposed": dict(
            zip(("bias", "risk", "confidence"), of_proposed.round(4).tolist(), strict=True)
        ),
    }
    WEIGHTS.write_text(json.dumps(record, indent=2) + "\n", encoding="utf-8")


def line(name: str, rows: Sequence[Conclusion]) -> str:
    right = [row.right for row in rows]
    raw = expected_calibration_error([row.raw for row in rows], right)
    said = expected_calibration_error([row.said for row in rows], right)
    share = sum(right) / len(rows) if rows else 0.0
    return f"| {name} | {len(rows)} | {share:.3f} | {raw:.3f} | {said:.3f} |"


def main() -> None:
    rows = list(conclusions())
    if "--write" in sys.argv:
        fit([row for row in rows if row.development])
        print(f"wrote {WEIGHTS.name}; run again to measure it")
        return
    print(
        "| rows | conclusions | right | ECE of `confidence` | ECE calibrated |\n|---|---|---|---|---|"
    )
    tested = [row for row in rows if not row.development]
    print(line("development", [row for row in rows if row.development]))
    print(line("test", tested))
    for start in WINDOWS:
        print(line(f"test, {start}", [row for row in tested if row.window == start]))
    print(line("test, kept", [row for row in tested if row.kept]))
    print(line("test, proposed", [row for row in tested if not row.kept]))


if __name__ == "__main__":
    main()
