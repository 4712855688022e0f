"""Copies of the benchmark are left out of the evidence; other pages are kept."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import pytest

from freshqa.evidence import leaks
from freshqa.evidence.consolidate import consolidate
from freshqa.evidence.evidence import Evidence, EvidenceKind
from freshqa.evidence.leaks import without_copies
from freshqa.evidence.parsing import parse
from freshqa.evidence.profile import PROFILES
from freshqa.evidence.search_engine import SearchResult

QUESTION = "Who is the president of Orlune?"
CASES = json.loads((Path(__file__).parent / "leak_cases.json").read_text(encoding="utf-8"))


def is_copy(finding: Evidence, question: str) -> bool:
    """Whether a finding alone is left out."""
    return without_copies([finding], question) == []


def page(text: str, url: str = "https://www.example.org/page", title: str = "") -> Evidence:
    return Evidence(EvidenceKind.organic, url=url, title=title, snippet=text)


@pytest.mark.parametrize("case", CASES, ids=[case["shape"] for case in CASES])
def test_a_mirror_in_any_shape_is_left_out(case: dict[str, str]) -> None:
    copy = page(case["text"], case.get("url", "https://www.example.org/page"))
    report = page("Ada Berg took office as president of Orlune on Monday.")
    assert is_copy(copy, QUESTION)
    kept = consolidate([copy, report], question=QUESTION, profile=PROFILES["paper-gpt4"])
    assert kept == (report,)


@pytest.mark.parametrize(
    ("title", "text"),
    [
        ("Who is the president of Orlune?", "Ada Berg has been president since 2025."),
        ("Orlune - Encyclopedia", "President: Ada Berg. Capital: Falkstad. Population: 12,000"),
        ("Who is the president of Orlune? - Questions", "Answered by Eva: it is Ada Berg."),
        ("FAQ", "How is the president of Orlune elected? By the council."),
        ("List of presidents", "| 4 | Ada Berg | 2025 | president of Orlune |"),
        ("News", "Asked who is the president of Orlune, the minister named Ada Berg."),
    ],
)
def test_pages_about_the_subject_stay(title: str, text: str) -> None:
    assert not is_copy(page(text, title=title), QUESTION)


def test_short_wordings_are_phrases_and_not_questions_of_a_dataset() -> None:
    assert not is_copy(page("prompt: Who rules Orlune? answer: Ada Berg"), "Who rules Orlune?")


def test_configured_mirrors_are_left_out_too() -> None:
    finding = page("Ada Berg", "https://mirror.example/data")
    assert without_copies([finding], QUESTION) == [finding]
    assert without_copies([finding], QUESTION, mirrors=["mirror.example"]) == []


def recorded(shared_data: Path) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every recorded search that is not an error: question and body."""
    recording = shared_data / "serp" / "google_2024-03-13_dev.jsonl"
    for line in recording.read_text(encoding="utf-8").splitlines():
        record: dict[str, Any] = json.loads(line)
        yield record["question"], record["response"]
    for path in sorted((shared_data / "serpapi").glob("*.json")):
        if not path.name.startswith("error_"):
            recorded = json.loads(path.read_text("utf-8"))
            body = recorded.get("body", recorded)
            yield body.get("search_parameters", {}).get("q", ""), body


@pytest.mark.real_data
def test_no_recorded_finding_is_left_out(shared_data: Path) -> None:
    findings: list[tuple[str, Evidence]] = []
    fetched = datetime(2024, 3, 13, tzinfo=timezone.utc)
    for question, body in recorded(shared_data):
        result = SearchResult("serpapi", question, body, fetched)
        findings += [(question, finding) for finding in parse(result)]
    assert len(findings) == 2_461
    assert [finding for question, finding in findings if is_copy(finding, question)] == []


def test_the_quick_search_folds_case_as_the_patterns_do() -> None:
    special = {letter: re.compile(letter, re.IGNORECASE) for letter in "isk"}
    for code in range(0x110000):
        letter = chr(code)
        if not re.fullmatch(r"\w", letter):
            continue
        same = {other for other, pattern in special.items() if pattern.fullmatch(letter)}
        for other in {letter.lower(), letter.upper(), letter.casefold()} - {letter}:
            if len(other) == 1 and re.fullmatch(letter, other, re.IGNORECASE):
                same.add(other)
        for other in same:
            assert leaks._plain([letter]) == leaks._plain([other]), (letter, other)


@pytest.mark.parametrize(
    "said", ["WHO LEADS THE GU\u0131LD", "who leadſ the guild", "Who-leads, the  guild"]
)
def test_a_copy_is_found_in_any_letter_case(said: str) -> None:
    assert is_copy(page(f"question: {said}?, answer: Mira Vale"), "Who leads the guild?")


BESIDE = """question:|"query":|||1,|2; name,|test,|train\t|#### Instruction|[INST]|<|user|>|<|im_start|>user|User:|Q1:
human >|, answer|"; "outputs|? Answer: x|A: 5|assistant:|gpt-4.1:|label|, 3,|fact_type|see|??|.|"|'|x|9|a:"""
WORDINGS = (
    "What is the answer?",
    "Who is the user input?",
    'How many moons does "Mars" have',
    "What is what is what is what",
    "Is it a test or a question",
    "Wie heißt der Präsident?",
    "İstanbul is in which land?",
    "what did the model answer 3",
)


def test_a_placeholder_for_the_wording_gives_the_same_matches() -> None:
    dice = random.Random(7)
    beside = [*BESIDE.split("|"), "|", ""]
    copies = 0
    for _ in range(3_000):
        question = dice.choice(WORDINGS)
        words = leaks._words(question)
        wording = dice.choice([question, question.upper(), "  ".join(words), ", ".join(words)])
        around = [dice.choices(beside, k=dice.randint(0, 4)) for _ in range(3)]
        again = [wording] if dice.random() < 0.2 else []
        text = dice.choice(["", " "]).join([*around[0], wording, *around[1], *again, *around[2]])
        text = " ".join(text.split())
        match = leaks._patterns(tuple(words)).search(text)
        whole = bool(match and (match.lastgroup != "wording" or leaks.COLUMNS.search(text)))
        assert leaks._copied(text, tuple(words)) == whole, text
        copies += whole
    assert 300 < copies < 2_700


def test_a_wording_is_where_its_pattern_finds_it() -> None:
    dice = random.Random(11)
    parts = [
        "what",
        "WHAT",
        "is",
        "iſ",
        "the",
        "THE",
        "answer",
        "answers",
        "xwhat",
        "k",
        "\u212a",
        "ß",
    ]
    parts += ["ss", "-", ", ", "_", "3", "İ", "i"]
    places = 0
    for _ in range(20_000):
        words = tuple(dice.choices(["what", "is", "the", "k", "ss", "i"], k=dice.randint(2, 4)))
        text = "".join(dice.choice([" ", " ", ""]) + dice.choice(parts) for _ in range(12))
        pattern = leaks._wording(words)
        first = pattern.search(text)
        second = pattern.search(text, first.start() + 1) if first else None
        spans = [match.span() for match in (first, second) if match]
        assert leaks._places(text, words) == spans, (text, words)
        places += len(spans)
    assert places > 500
