"""The shipped demonstrations: number, content, and how their answers are read."""

from __future__ import annotations

import csv
import io
import re
from datetime import date

import pytest

from freshqa.answering.demonstrations import demonstrations
from freshqa.answering.extraction import extract
from freshqa.answering.paper_prompt import demonstration_block
from freshqa.answering.settings import AnswerSettings
from freshqa.dataset.wording import normalised_question
from freshqa.dates.forms import long_date, short_date, whole_years
from freshqa.evidence.cleaning import clean_text
from freshqa.evidence.evidence import EvidenceKind
from freshqa.evidence.injection import suspicious

FIRST_RELEASE = date(2023, 4, 1)
"""FreshQA's first release: no prompt is made for an earlier day."""


def test_there_are_at_least_15_and_two_of_the_default_five_have_false_premises() -> None:
    shown = demonstrations()
    assert len(shown) >= 15
    assert len({d.question for d in shown}) == len(shown)
    assert sum(d.false_premise for d in shown[: AnswerSettings().demonstrations]) == 2


@pytest.mark.parametrize("demonstration", demonstrations(), ids=lambda d: d.question)
def test_each_demonstration_is_complete_and_its_evidence_is_clean(demonstration) -> None:
    d = demonstration
    assert d.concise and d.verbose and d.short and d.teaches and d.question.endswith("?")
    assert len(d.concise) < len(d.verbose)
    assert len(d.evidence) >= 2 and any(e.kind is EvidenceKind.organic for e in d.evidence)
    days = [e.date for e in d.evidence if e.date]
    assert days == sorted(days) and all(day < date(2022, 1, 1) for day in days)
    dated = [e.date is not None for e in d.evidence]
    assert dated == sorted(dated), "undated evidence comes first"
    for e in d.evidence:
        assert e.source.endswith(".example") and e.url.startswith(f"https://{e.source}/")
        assert clean_text(e.text, limit=9999) == " ".join(e.text.split())
        assert not suspicious(e.text)


def test_no_answer_becomes_outdated() -> None:
    """Answers with a year refer to the past, and durations are computed for the given day."""
    for d in demonstrations():
        for text in (d.concise, d.verbose, d.short):
            said = [int(year) for year in re.findall(r"\b(?:1[5-9]|20)\d\d\b", text)]
            assert all(year < 2022 for year in said)
            assert not re.search(r"\b(?:current|currently|latest|this year|last year|recent)", text)
    counted = [d for d in demonstrations() if "{years since" in d.concise]
    assert len(counted) >= 2
    titanic = counted[0]
    assert titanic.answer("concise", date(2024, 4, 14)).endswith("it sank 111 years ago.")
    assert titanic.answer("concise", date(2024, 4, 15)).endswith("it sank 112 years ago.")
    assert titanic.short_answer(date(2030, 1, 1)) == "117 years ago"


@pytest.mark.parametrize("style", ["concise", "verbose"])
def test_extract_reads_the_answer_of_every_demonstration(style: str) -> None:
    for d in demonstrations():
        settings = AnswerSettings(style=style, labelled=True)
        block = demonstration_block(d, as_of=FIRST_RELEASE, settings=settings)
        reply = extract(block.rsplit("\nanswer: ", 1)[1], question=d.question)
        short = d.short_answer(FIRST_RELEASE)
        assert reply.answer == ("" if short == "unknown" else short)
        assert reply.premise_rejected is d.false_premise
        assert reply.text.endswith(d.answer(style, FIRST_RELEASE))


def test_false_premises_are_recognised_without_labels() -> None:
    for d in demonstrations():
        reply = extract(d.answer("concise", FIRST_RELEASE), question=d.question)
        assert reply.premise_rejected is d.false_premise, d.question


@pytest.mark.real_data
def test_no_demonstration_is_a_question_of_the_benchmark(shared_data) -> None:
    asked = set()
    for path in sorted((shared_data / "freshqa").glob("FreshQA_v0*.csv")):
        text = path.read_text("utf-8-sig")
        rows = csv.DictReader(io.StringIO(text[text.index("id,split") :]))
        asked |= {normalised_question(row["question"]) for row in rows}
    assert len(asked) > 600
    assert not {normalised_question(d.question) for d in demonstrations()} & asked


def test_dates_and_whole_years_are_written_out() -> None:
    assert long_date(date(2024, 3, 5)) == "March 05, 2024"
    assert short_date(date(2024, 12, 25)) == "Dec 25, 2024"
    assert whole_years(date(2000, 2, 29), date(2023, 2, 28)) == 22
    assert whole_years(date(2000, 2, 29), date(2023, 3, 1)) == 23
