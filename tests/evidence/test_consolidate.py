"""Which findings each profile shows to the model, and in which order."""

from __future__ import annotations

import importlib.util
import json
import random
from dataclasses import replace
from datetime import date, datetime, timezone
from pathlib import Path

import pytest

from freshqa.errors import UsageError
from freshqa.evidence.cleaning import clean_text
from freshqa.evidence.consolidate import consolidate
from freshqa.evidence.evidence import Evidence, EvidenceKind
from freshqa.evidence.parsing import parse
from freshqa.evidence.profile import ABLATIONS, PROFILES, Profile
from freshqa.evidence.search_engine import SearchResult

ORACLE = Path(__file__).parents[2] / "benchmarks" / "notebook_procedure.py"
FETCHED = datetime(2024, 3, 13, tzinfo=timezone.utc)
QUESTION = "Who won the Lake Cup?"
LETTERS = {
    "AB": EvidenceKind.answer_box,
    "AI": EvidenceKind.ai_overview,
    "KG": EvidenceKind.knowledge_graph,
    "SP": EvidenceKind.sports,
    "TS": EvidenceKind.top_story,
    "QA": EvidenceKind.question_and_answer,
    "RQ": EvidenceKind.related_question,
    "OR": EvidenceKind.organic,
}
DATES = {
    "TS1": date(2026, 11, 26),
    "QA2": date(2026, 11, 25),
    "RQ1": date(2026, 11, 24),
    "RQ3": date(2020, 6, 1),
    "OR2": date(2026, 11, 25),
    "OR5": date(2019, 1, 1),
    "OR9": date(2026, 11, 20),
}
COUNTS = {"AB": 1, "AI": 1, "KG": 1, "SP": 1, "TS": 3, "QA": 4, "RQ": 4, "OR": 10}
PAGE = [f"{kind}{rank}" for kind, count in COUNTS.items() for rank in range(1, count + 1)]


def finding(label: str, **fields: object) -> Evidence:
    """A finding about the cup in words of its own, so that no two are alike."""
    words = random.Random(label).sample("abcdefghijklmnopqrstuvwxyz", 12)
    return Evidence(
        LETTERS[label[:2]],
        **{
            "url": f"https://{label.lower()}.example/",
            "title": label,
            "snippet": f"Lake Cup {' '.join(letter * 3 for letter in words)}",
            "date": DATES.get(label),
            "rank": int(label[2:]),
            **fields,
        },
    )


EVIDENCE = [finding(label) for label in PAGE]


def shown(profile: Profile, evidence: list[Evidence] | None = None) -> str:
    findings = EVIDENCE if evidence is None else evidence
    return " ".join(f.title for f in consolidate(findings, question=QUESTION, profile=profile))


GOLDEN = {
    # (10, 2, 2, 5): the answer box stays although five findings are dated.
    "paper-gpt3.5": "AB1 OR9 RQ1 OR2 QA2",
    # (10, 3, 3, 10): undated first, in the order of the notebook, then oldest to newest.
    "paper-gpt4": "QA3 QA1 KG1 AB1 OR5 RQ3 OR9 RQ1 OR2 QA2",
    # (15, 3, 3, 15), nothing merged or dropped.
    "notebook": "OR6 OR4 OR3 OR1 RQ2 QA3 QA1 KG1 AB1 OR5 RQ3 OR9 RQ1 OR2 QA2",
    # and what the paper does not know: overview, sports, two stories.
    "best": "OR1 RQ2 QA3 QA1 TS2 SP1 KG1 AI1 AB1 OR5 RQ3 OR9 RQ1 OR2 QA2 TS1",
}


@pytest.mark.parametrize("name", PROFILES)
def test_each_profile_shows_the_expected_findings_in_order(name: str) -> None:
    assert shown(PROFILES[name]) == " ".join(GOLDEN[name].split()[-PROFILES[name].kept :])


def test_the_profiles_have_the_settings_of_the_paper() -> None:
    numbers = {
        name: (p.organic, p.related, p.questions_and_answers, p.kept)
        for name, p in PROFILES.items()
    }
    assert numbers == {
        "paper-gpt3.5": (10, 2, 2, 5),
        "paper-gpt4": (10, 3, 3, 10),
        "notebook": (15, 3, 3, 15),
        "best": (15, 3, 3, 15),
    }


ABLATED = {
    "search-order": "OR2 OR1 RQ3 RQ2 RQ1 QA3 QA2 QA1 KG1 AB1",
    "random-order": None,
    "no-answer-box": "QA3 QA1 KG1 OR5 RQ3 OR9 RQ1 OR2 QA2",
    "no-related": "OR4 OR3 OR1 OR5 OR9 OR2",
    "chains": "OR1 RQ2 QA3 QA1 KG1 AB1 RQ3 RQ1 OR2 QA2",
    "paper-cut": "QA3 QA1 KG1 AB1 OR5 RQ3 OR9 RQ1 OR2 QA2",
    "1-evidence": "QA2",
    "5-evidences": "AB1 OR9 RQ1 OR2 QA2",
    "10-evidences": "QA3 QA1 KG1 AB1 OR5 RQ3 OR9 RQ1 OR2 QA2",
    "15-evidences": "OR6 OR4 OR3 OR1 RQ2 QA3 QA1 KG1 AB1 OR5 RQ3 OR9 RQ1 OR2 QA2",
}


@pytest.mark.parametrize("name", ABLATIONS)
def test_each_ablation_of_table_1_changes_the_findings_as_expected(name: str) -> None:
    profile = PROFILES["paper-gpt4"].ablated(name)
    assert profile.name == f"paper-gpt4/{name}"
    expected = ABLATED[name]
    if expected is not None:
        assert shown(profile).endswith(expected)
        assert len(shown(profile).split()) == min(profile.kept, 18 - 1 * (name == "no-answer-box"))
    else:
        once, twice = shown(profile), shown(profile)
        assert once == twice, "the same question must give the same prompt"
        assert "AB1" in once
        other = consolidate(EVIDENCE, question="Another question?", profile=profile)
        assert once != " ".join(f.title for f in other)


def test_dated_results_displace_the_answer_box_in_the_notebook_profile() -> None:
    dated = [finding(f"OR{n}", date=date(2026, 1, n)) for n in range(1, 16)]
    box = finding("AB1")
    assert "AB1" not in shown(PROFILES["notebook"], [box, *dated])
    assert shown(replace(PROFILES["notebook"], keep_answer_box=True), [box, *dated]).startswith(
        "AB1 OR2 "
    )


def test_equal_dates_keep_their_order_with_the_best_hit_last() -> None:
    same = [finding(f"OR{n}", date=date(2026, 1, 1)) for n in range(1, 11)]
    assert shown(PROFILES["paper-gpt4"], same).split() == [f"OR{n}" for n in range(10, 0, -1)]


def test_the_first_of_too_many_answer_boxes_are_kept() -> None:
    boxes = [finding(f"AB{n}") for n in range(1, 4)]
    profile = replace(PROFILES["best"], kept=2)
    assert shown(profile, [*boxes, finding("OR1")]) == "AB2 AB1"


def test_near_copies_are_merged_and_the_copy_keeps_their_date() -> None:
    text = "The Otters beat the Herons three to one in the final of the Lake Cup at Elm Park."
    box = finding("AB1", snippet=text, url="https://lakecup.example/")
    hit = finding(
        "OR1",
        snippet=f"{text} ...",
        url="https://lakecup.example/",
        date=date(2026, 11, 24),
        date_raw="Nov 24",
    )
    other_page = finding("OR2", snippet=text.upper(), date=date(2026, 11, 26))
    (kept,) = consolidate([box, hit, other_page], question=QUESTION, profile=PROFILES["best"])
    assert kept == replace(box, date=date(2026, 11, 24), date_raw="Nov 24")
    faithful = consolidate([box, hit, other_page], question=QUESTION, profile=PROFILES["notebook"])
    assert len(faithful) == 3


@pytest.mark.parametrize(
    ("left", "right"),
    [
        ("The Otters won the Lake Cup in 2026.", "The Herons won the Lake Cup in 2025."),
        ("Lake Cup: yes", "Lake Cup: no"),
        (f"The Lake Cup has {'many fine clubs and ' * 9}27 winners.", "27"),
        (f"The Lake Cup has {'many fine clubs and ' * 9}winners: 27", "27"),
    ],
)
def test_a_different_statement_in_similar_words_is_not_merged(left: str, right: str) -> None:
    right = left.replace("27", "28") if right == "27" else right
    hits = [finding("OR3", snippet=left), finding("OR4", snippet=right)]
    assert shown(PROFILES["best"], hits) == "OR4 OR3"


def test_findings_without_a_word_of_the_question_are_left_out() -> None:
    page = [
        finding("AB1", title="", snippet="", highlight="Otters"),
        finding("OR1", title="x", snippet="The Otters were the best team of the year."),
        finding("OR2", title="x", snippet="Cheap shoes, big sale."),
        finding("OR3", title="x", snippet="Winners of every lake."),
    ]
    kept = consolidate(page, question="Who is winning the Lake Cup?", profile=PROFILES["best"])
    assert [(f.kind.value, f.rank) for f in kept] == [("organic", 3), ("answer-box", 1)]


def test_a_question_in_another_script_keeps_every_finding() -> None:
    page = [finding("OR1", title="湖杯", snippet="水獭队赢得了湖杯。"), finding("OR2", title="x")]
    assert len(consolidate(page, question="Кто выиграл?", profile=PROFILES["best"])) == 2
    kept = consolidate(page, question="谁赢得了湖杯？", profile=PROFILES["best"])
    assert [f.title for f in kept] == ["湖杯"]


def test_long_snippets_are_cut_at_the_profile_limit() -> None:
    long = finding("OR1", snippet="Lake Cup " + "otter " * 400)
    (kept,) = consolidate([long], question=QUESTION, profile=PROFILES["best"])
    assert len(kept.snippet) <= 1_000
    assert kept.snippet.endswith("otter…")


def test_without_results_nothing_is_shown() -> None:
    for profile in PROFILES.values():
        assert consolidate([], question=QUESTION, profile=profile) == ()


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"order": "alphabetical"}, "Choose one of: time, search, random"),
        ({"kept": 0}, "keep at least one"),
        ({"organic": -1}, "counts of 0 or more"),
    ],
)
def test_an_inconsistent_profile_is_refused(changes: dict[str, object], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        replace(PROFILES["best"], **changes)


def test_an_unknown_ablation_is_refused_with_the_known_ones() -> None:
    with pytest.raises(UsageError, match="no-answer-box"):
        PROFILES["best"].ablated("no-coffee")


@pytest.mark.real_data
def test_the_notebook_profile_shows_what_the_notebook_shows(shared_data: Path) -> None:
    """The authors' procedure in benchmarks/ gives the expected findings of recorded searches."""
    spec = importlib.util.spec_from_file_location("notebook_procedure", ORACLE)
    assert spec is not None and spec.loader is not None
    oracle = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(oracle)
    lines = (shared_data / "serp/google_2024-03-13_dev.jsonl").read_text("utf-8").splitlines()
    for line in lines[::4]:
        record = json.loads(line)
        question, body = record["question"], record["response"]
        expected = [row["title"] for row in oracle.evidence_rows(body, now=datetime(2024, 3, 13))]
        findings = parse(SearchResult("serpapi", question, body, FETCHED))
        kept = consolidate(findings, question=question, profile=PROFILES["notebook"])
        assert [finding.title for finding in kept] == [
            clean_text(title or "", limit=300) for title in expected
        ]
