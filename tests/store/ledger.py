"""A run over the small sheet, with one checked question."""

from __future__ import annotations

from datetime import datetime
from decimal import Decimal

from store.sheet import DAY, NOW, sheet

from freshqa.dataset.question import Question
from freshqa.evidence.evidence import Evidence, EvidenceKind
from freshqa.maintaining.proposal import CheckedQuestion, FieldChange, Outcome, Proposal
from freshqa.store.database import Store
from freshqa.store.ledger_schema import TABLES
from freshqa.store.runs import Run, start_run

FOUND = Evidence(
    EvidenceKind.organic,
    source="almanac.example",
    url="https://almanac.example/moons",
    title="A ninth moon",
    snippet="Astronomers confirmed it.\0",
    date=DAY,
)


def start(store: Store, key: str = "week-11", *, now: datetime = NOW) -> Run:
    """Start (or resume) a run on version 1."""
    run, _ = start_run(
        store, key=key, flow="refresh", as_of=DAY, base_version=1, settings={"n": 20}, now=now
    )
    return run


def checked(
    question: Question, outcome: Outcome = Outcome.changed, answer: str = "9", risk: float = 0.75
) -> CheckedQuestion:
    """A check of a question; all outcomes but `unchanged` and `failed` make a proposal."""
    if outcome in (Outcome.unchanged, Outcome.failed):
        return CheckedQuestion(
            question.key, question.text, outcome, 0.0, question.answers, error="provider: no answer"
        )
    proposal = Proposal(
        key=question.key,
        question=question.text,
        base_revision=question.revision_hash,
        outcome=outcome,
        changes={"answer_0": FieldChange(question.primary, answer)},
        evidence=(FOUND,),
        quotes={FOUND.id: "A ninth moon"},
        risk=risk,
        confidence=0.5,
        flags=("single-source",),
        reasons=("The almanac says so.",),
        suggestions={"fact_type": "fast-changing"},
        method="freshprompt",
        model="scripted",
        prompt_hash="ab" * 32,
        raw_response="There are nine \ud83d.",
        cost_usd=Decimal("0.0125"),
    )
    return CheckedQuestion(
        key=question.key,
        question=question.text,
        outcome=outcome,
        risk=risk,
        stored=question.answers,
        proposed=(answer,),
        response="There are nine.",
        evidence=(FOUND,),
        rounds=({"answer": answer, "utility": 0.5},),
        proposal=proposal,
        searches=1,
        completions=2,
        tokens=300,
        cost_usd=Decimal("0.0125"),
        seconds=1.5,
    )


COLUMNS = {name: [column.name for column in table.columns] for name, table in TABLES.items()}
"""Table → its columns, as the code declares them."""
CHECKED = checked(sheet()[1])
