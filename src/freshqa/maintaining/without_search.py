"""Checks without a search: the answer follows from the date or from one named page."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta

from freshqa.checking.change_rate import ChangeHistory
from freshqa.checking.risk import Reading, after_reading, prior_risk
from freshqa.choices import Computing
from freshqa.dataset.question import FactType, Question
from freshqa.errors import BadData
from freshqa.evidence.cleaning import site_of
from freshqa.evidence.evidence import Evidence, EvidenceKind
from freshqa.evidence.injection import suspicious
from freshqa.evidence.leaks import MIRRORS, copies_in
from freshqa.evidence.page_select import Selected
from freshqa.evidence.source_recipe import COLUMN, SourceRecipe, answer_of, parse_recipe
from freshqa.evidence.web_page import WebPage, WebReader
from freshqa.facts.same_fact import Relation, relation
from freshqa.maintaining.check_record import checked_question, proposal_for
from freshqa.maintaining.deterministic.calendar_answers import calendar_answer
from freshqa.maintaining.deterministic.computed import Computed
from freshqa.maintaining.deterministic.recompute import NOTHING, recompute
from freshqa.maintaining.flags import Flag
from freshqa.maintaining.new_row import new_fact
from freshqa.maintaining.proposal import CheckedQuestion, Outcome
from freshqa.maintaining.verdict import Verdict, unchanged

GAVE_WITHIN = 800
"""Days back to which a stored answer may be the calendar's; an older one is searched for."""
CALENDAR, RECIPE = "calendar", "source-recipe"


@dataclass(frozen=True)
class Known:
    """An answer that needs no search.

    Args:
        value: The answer.
        agrees: Whether the stored answer says so.
        why: How it follows, or which page states it, as a sentence.
        method: `calendar` or `source-recipe`.
        evidence: The page that states it.
    """

    value: str
    agrees: bool
    why: str
    method: str
    evidence: tuple[Evidence, ...] = ()


@dataclass(frozen=True)
class Sources:
    """Sources of answers other than a search.

    Args:
        events: Days that other questions ask for, from `dates_by_event`.
        reader: Reads the pages of recipes; None where no page may be read.
        mirrors: Parts of addresses whose pages copy the benchmark, beside the known ones.
    """

    events: Mapping[str, date] = field(default_factory=lambda: NOTHING)
    reader: WebReader | None = None
    mirrors: tuple[str, ...] = ()


def check_without_search(
    question: Question,
    *,
    as_of: date,
    what: Computing = "all",
    sources: Sources = Sources(),
    history: ChangeHistory | None = None,
) -> CheckedQuestion | None:
    """Return the check of a question that needs no search; None for one that does.

    A recipe comes first, then the calendar. What is not certain (a page that could not be read, a
    layout that changed, a premise that is false) is searched for like any other question.

    Args:
        question: The stored row.
        as_of: Day of the check.
        what: `calendar` for holidays, months and days until: what nothing but the day can change.
            `recipes` for source recipes too. `all` for ages too: whoever is asked about may have
            died, or be another now.
        sources: What is known beside it.
        history: What is known of its past.
    """
    if what == "nothing" or question.false_premise or not question.primary.strip():
        return None
    known = None if what == "calendar" else _by_recipe(question, as_of, sources)
    if known is None and what == "all":
        known = _known(recompute(question, as_of=as_of, events=sources.events))
    elif known is None:
        known = _known(_by_calendar(question, as_of))
    if known is None:
        return None
    before = prior_risk(question, as_of=as_of, history=history)
    if known.agrees:
        verdict = unchanged(question, as_of, known.why, Reading.agrees)
    else:
        verdict = _changed(question, known, as_of)
    risk = after_reading(before, verdict.reading)
    proposal = None
    if verdict.changes:
        proposal = replace(
            proposal_for(question, verdict, risk, as_of=as_of),
            evidence=known.evidence,
            quotes={
                finding.id: known.value
                for finding in known.evidence
                if known.value in finding.snippet
            },
            method=known.method,
            raw_response=known.value,
        )
    checked = checked_question(question, verdict.outcome, risk, proposal)
    return replace(checked, response=known.value, evidence=known.evidence)


def _by_calendar(question: Question, as_of: date) -> Computed | None:
    """Return what the calendar gives, if the stored answer is one that it gave before.

    A stored answer that the rule never gave is of something else: Thanksgiving in another country.
    """
    days = (as_of - timedelta(days=back) for back in range(GAVE_WITHIN))
    gave = (calendar_answer(question.text, question.primary, day) for day in days)
    now = next(gave)
    if now is None or now.agrees or any(earlier.agrees for earlier in gave if earlier is not None):
        return now
    return None


def _known(computed: Computed | None) -> Known | None:
    if computed is None:
        return None
    why = f"The calendar gives {computed.value} ({computed.why})."
    return Known(computed.value, computed.agrees, why, CALENDAR)


def _by_recipe(question: Question, as_of: date, sources: Sources) -> Known | None:
    if sources.reader is None:
        return None
    try:
        written = question.extra.get(COLUMN, "")
        text = written if isinstance(written, str) else json.dumps(written)
        recipe = parse_recipe(text, question=question.text)
    except BadData:  # validation names it; a refresh searches
        return None
    if recipe is None:
        return None
    page = sources.reader.read(recipe.url, as_of=as_of, select=recipe.select, path=recipe.path)
    elements = _selected(page)
    value = answer_of(recipe, elements, as_of=as_of, stored=question.primary)
    if value is None:
        return None
    finding = _finding(recipe, page, elements, as_of)
    mirrors = (*MIRRORS, *sources.mirrors)
    if finding.flags or copies_in((finding,), question.text, mirrors=mirrors):
        return None  # an attack, or the benchmark's own answer
    same = relation(value, question.primary) is Relation.same
    why = f"{finding.source} says {value} where its recipe looks."
    return Known(value, same, why, RECIPE, (finding,))


def _selected(page: WebPage) -> list[Selected]:
    if page.problem or not page.text:
        return []
    try:
        return [Selected.from_json(record) for record in json.loads(page.text)]
    except (ValueError, TypeError):
        return []


def _finding(
    recipe: SourceRecipe, page: WebPage, elements: Sequence[Selected], as_of: date
) -> Evidence:
    """The element as evidence of where redirects led; text that gives orders is flagged."""
    address = page.final_url or recipe.url
    shown = " ".join(dict.fromkeys(element.context or element.text for element in elements))[:600]
    return Evidence(
        EvidenceKind.organic,
        source=site_of("", address),
        url=address,
        snippet=" ".join(shown.split()),
        date=page.fetched_at.date(),
        flags=suspicious(shown, as_of=as_of),
        page=page.sha256,
    )


def _changed(question: Question, known: Known, as_of: date) -> Verdict:
    changes = new_fact(question, known.value, as_of=as_of, supports=(), evidence=known.evidence)
    flags: tuple[str, ...] = (Flag.single_source,) if known.method == RECIPE else ()
    if question.fact_type == FactType.never_changing.value:
        flags = (Flag.never_changing, *flags)
    sure = 0.9 if known.method == CALENDAR else 0.4
    return Verdict(Outcome.changed, Reading.quoted, changes, (known.why,), flags, sure)
