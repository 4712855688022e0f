"""Proposals of an invented dataset, as a refresh leaves them for review."""

from __future__ import annotations

from datetime import date
from decimal import Decimal
from itertools import count

from store.sheet import DAY, NOW, asked

from freshqa.checking.candidate import Candidate
from freshqa.dataset.question import Question
from freshqa.evidence.evidence import Evidence, EvidenceKind
from freshqa.maintaining.proposal import CheckedQuestion, FieldChange, Outcome, Proposal
from freshqa.store import publishing
from freshqa.store.checks import record_check
from freshqa.store.database import Store
from freshqa.store.runs import finish_run, start_run

RUN = "2026-W11-freshprompt"
_RANKS = count(1)


def finding(title: str, snippet: str, day: date | None, site: str, url: str = "") -> Evidence:
    """A finding on an invented site."""
    address = url or f"https://{site}/{next(_RANKS)}"
    return Evidence(EvidenceKind.organic, site, address, title, snippet, date=day, date_raw="")


KEEPER = asked(
    "Who is the keeper of the lighthouse at Cape Orlune?",
    "Tamsin Vey",
    "Vey",
    key="q-keeper",
    next_review="03/09/2026",
    source="https://harbour.orlune.example/keepers",
)
MOONS = asked(
    "How many moons of the planet Brask are known?",
    "14",
    "fourteen",
    key="q-moons",
    fact_type="fast-changing",
)
BRIDGE = asked(
    "When did the bridge over the Sound of Fenn collapse?",
    "The bridge over the Sound of Fenn has not collapsed.",
    key="q-bridge",
    false_premise="TRUE",
    fact_type="never-changing",
)
MINISTER = asked("Who is the finance minister of Orlune?", "Odo Lark", key="q-minister")
CUP = asked("Which boat won the most recent Gull Race?", "Grey Petrel", key="q-cup")
FERRY = asked("What does a ferry ticket to Fenn cost?", "6 orl", key="q-ferry")
WORLD = (KEEPER, MOONS, BRIDGE, MINISTER, CUP, FERRY)


def proposals() -> list[CheckedQuestion]:
    """Six checks of `WORLD`, one for each kind of work that a reviewer has."""
    return [
        _changed(
            KEEPER,
            "Idris Quane",
            0.93,
            finding(
                "New keeper at Cape Orlune",
                "Idris Quane took over the lighthouse at Cape Orlune on 2 March, after nine years of Tamsin Vey.",
                date(2026, 3, 2),
                "gazette.orlune.example",
            ),
            finding(
                "Keepers of Cape Orlune",
                "2017 to 2026 Tamsin Vey; since 2026 Idris Quane.",
                date(2026, 3, 5),
                "harbour.orlune.example",
            ),
            finding(
                "Lighthouses of the north",
                "The keeper at Cape Orlune is Tamsin Vey.",
                date(2021, 6, 1),
                "travel.example",
            ),
            finding(
                "Cape Orlune in winter",
                "Storms closed the coast road twice.",
                None,
                "weather.example",
            ),
            more={
                "effective_year": ("2017", "2026"),
                "answer_1": ("Vey", "Quane"),
                "next_review": ("03/09/2026", "occasionally"),
            },
        ),
        _changed(
            MOONS,
            "15",
            0.71,
            finding(
                "A fifteenth moon",
                "Astronomers confirmed 15 moons of Brask this week.",
                date(2026, 3, 8),
                "almanac.example",
            ),
            finding("Brask", "Brask has 14 known moons.", date(2025, 1, 3), "atlas.example"),
            flags=("single-source",),
        ),
        _flip(),
        _open(Outcome.conflicting, MINISTER, 0.44, ("Pell Arrow", "Odo Lark", "Sanna Tull")),
        _open(Outcome.insufficient, CUP, 0.3, ()),
        _changed(
            FERRY,
            "6 orl",
            0.04,
            finding(
                "Fares",
                "A ticket to Fenn costs 6 orl (six orl).",
                date(2026, 3, 1),
                "ferry.example",
            ),
            outcome=Outcome.alternative,
            more={"answer_1": ("", "six orl")},
        ),
    ]


def fill(
    store: Store, checks: list[CheckedQuestion] | None = None, rows: tuple[Question, ...] = WORLD
) -> list[int]:
    """Publish the rows as version 1 and record the checks; returns the numbers of the proposals."""
    publishing.publish(
        store, rows, as_of=DAY, now=NOW, parent=None, kind="import", message="Orlune"
    )
    start_run(store, key=RUN, flow="refresh", as_of=DAY, base_version=1, settings={}, now=NOW)
    recorded = [record_check(store, RUN, check, now=NOW) for check in checks or proposals()]
    summary = {"checked": len(recorded), "proposals": len(recorded), "cost_usd": "0.14"}
    finish_run(store, RUN, state="completed", summary=summary, now=NOW)
    return [id for id in recorded if id is not None]


def many(number: int) -> tuple[tuple[Question, ...], list[CheckedQuestion]]:
    """As many questions, each with a changed answer."""
    rows = tuple(
        asked(f"How many boats moor at pier {place}?", str(place), key=f"q-pier-{place}")
        for place in range(number)
    )
    checks = [
        _changed(
            row,
            str(int(row.primary) + 1000),
            0.9 - place / (2 * number),
            *(
                finding(
                    f"Pier {place}, report {n}",
                    f"The harbour counts {int(row.primary) + 1000} boats at pier {place}. " * 4,
                    date(2026, 3, 1 + n),
                    f"site{n}.example",
                )
                for n in range(6)
            ),
        )
        for place, row in enumerate(rows)
    ]
    return rows, checks


def _changed(
    row: Question,
    answer: str,
    risk: float,
    *evidence: Evidence,
    more: dict[str, tuple[str, str]] | None = None,
    flags: tuple[str, ...] = (),
    outcome: Outcome = Outcome.changed,
) -> CheckedQuestion:
    changes = {c: FieldChange(old, new) for c, (old, new) in (more or {}).items()}
    if answer != row.primary:
        changes["answer_0"] = FieldChange(row.primary, answer)
    quotes = {finding.id: answer for finding in evidence if answer in finding.snippet}
    return _checked(
        Proposal(
            key=row.key,
            question=row.text,
            base_revision=row.revision_hash,
            outcome=outcome,
            changes=changes,
            evidence=evidence,
            quotes=quotes,
            risk=risk,
            confidence=0.8,
            flags=flags,
            reasons=(f"{len(quotes)} findings give {answer}.",),
            method="freshprompt",
            model="scripted",
            cost_usd=Decimal("0.012"),
            stored=row.answers,
        )
    )


def _flip() -> CheckedQuestion:
    news = finding(
        "Bridge lost",
        "The bridge over the Sound of Fenn collapsed on 4 March 2026.",
        date(2026, 3, 4),
        "gazette.orlune.example",
    )
    changed = _changed(
        BRIDGE,
        "4 March 2026",
        0.62,
        news,
        more={"false_premise": ("TRUE", "FALSE")},
        flags=("never-changing",),
        outcome=Outcome.premise_now_true,
    )
    return changed


def _open(outcome: Outcome, row: Question, risk: float, named: tuple[str, ...]) -> CheckedQuestion:
    evidence = tuple(
        finding(
            f"Cabinet of Orlune {n}",
            f"{name} is the finance minister of Orlune.",
            date(2026, 3, 1 + n),
            f"paper{n}.example",
        )
        for n, name in enumerate(named)
    ) or (finding("Gull Race", "The race was put off by fog.", None, "regatta.example"),)
    return _checked(
        Proposal(
            key=row.key,
            question=row.text,
            base_revision=row.revision_hash,
            outcome=outcome,
            evidence=evidence,
            risk=risk,
            confidence=0.3,
            reasons=("The evidence does not decide.",),
            method="freshprompt",
            stored=row.answers,
            candidates=tuple(Candidate(name, 1) for name in named if name != row.primary),
        )
    )


def _checked(proposal: Proposal) -> CheckedQuestion:
    answer = proposal.changes.get("answer_0")
    return CheckedQuestion(
        key=proposal.key,
        question=proposal.question,
        outcome=proposal.outcome,
        risk=proposal.risk,
        stored=proposal.stored,
        proposed=(answer.new,) if answer else (),
        evidence=proposal.evidence,
        proposal=proposal,
        searches=1,
        completions=1,
        cost_usd=proposal.cost_usd,
    )
