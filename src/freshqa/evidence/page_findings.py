"""Choose the pages of a search to read, and add them to its findings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta

from freshqa.dates.page_date import parse_date
from freshqa.evidence.cleaning import clean_text, clean_url, site_of
from freshqa.evidence.evidence import Evidence
from freshqa.evidence.injection import FLAGS, suspicious
from freshqa.evidence.leaks import BENCHMARK_COPY, without_copies
from freshqa.evidence.likeness import content_words
from freshqa.evidence.passages import GAP, passages
from freshqa.evidence.results_page import LIMITS
from freshqa.evidence.web_page import WebPage

DATE_DIFFERS = "page-date-differs"
MOVED, FEWEST_WORDS = 0.8, 5
"""Share of a result's words that a page of another site must hold to be the page that the engine
read, and how many there must be."""
TOLERATED = timedelta(days=2)
"""Days by which the dates of engine and page may differ, because of time zones and crawling."""


def pages_to_read(findings: Sequence[Evidence], question: str, *, most: int) -> tuple[str, ...]:
    """Return the addresses of the first findings whose pages should be read.

    Args:
        findings: As `parse` gives them. Copies of the benchmark and findings with suspicious
            text are passed over.
        question: What is to be answered.
        most: Maximum number of pages.
    """
    usable = (f.url for f in without_copies(findings, question) if f.url and not f.flags)
    return tuple(dict.fromkeys(usable))[:most]


def with_pages(
    findings: Sequence[Evidence], pages: Sequence[WebPage], *, question: str, as_of: datetime
) -> tuple[Evidence, ...]:
    """Return the findings, each with the passages and the date of its page.

    Text of pages is treated as that of snippets: cleaned, cut, and flagged where it tries to steer
    its reader. A finding whose page copies the benchmark gets a note, and counts as a copy itself.

    Args:
        findings: As the search gave them.
        pages: What was read; pages with a problem add nothing. Where a redirect led to another
            site that says what the result says, the finding is that site's: it moved. Where it says
            something else (a parked domain, a form to consent), the page adds nothing.
        question: What is to be answered: passages are chosen for it.
        as_of: When the search was answered (aware).
    """
    wanted = {page.url: page for page in pages if page.text}
    findings = list(findings)
    of: dict[int, WebPage] = {}
    for place, finding in enumerate(findings):
        page = wanted.get(finding.url)
        if page is None:
            continue
        final = _of_final_site(finding, page) if _led_elsewhere(page) else finding
        if final is None:
            continue
        if _copies(final, page, question):
            findings[place] = replace(final, notes=(*final.notes, BENCHMARK_COPY))
            continue
        del wanted[finding.url]  # the page belongs to its first finding
        of[place], findings[place] = page, final
    texts = [page.text for page in of.values()]
    chosen = dict(zip(of, passages(question, texts, as_of=as_of.date()), strict=True))
    return tuple(
        _merged(finding, of[place], chosen[place], as_of) if place in of else finding
        for place, finding in enumerate(findings)
    )


def _led_elsewhere(page: WebPage) -> bool:
    if not page.final_url:
        return False
    asked, came = site_of("", page.url), site_of("", page.final_url)
    return not f".{asked}".endswith(f".{came}") and not f".{came}".endswith(f".{asked}")


def _of_final_site(finding: Evidence, page: WebPage) -> Evidence | None:
    """Return the finding under the site that a redirect led to; None if its text differs.

    One finding stays one: the snippet, which the engine read there too, never counts as a second
    source beside the page.
    """
    address = clean_url(page.final_url)
    said = content_words(f"{finding.title} {finding.snippet}")
    held = content_words(f"{page.title} {page.text}")
    if not address or len(said) < FEWEST_WORDS or len(said & held) < MOVED * len(said):
        return None
    return replace(finding, url=address, source=site_of("", address))


def _copies(finding: Evidence, page: WebPage, question: str) -> bool:
    whole = replace(finding, snippet=page.text, title=page.title, flags=())
    return not without_copies([whole], question)


def _merged(finding: Evidence, page: WebPage, chosen: str, as_of: datetime) -> Evidence:
    flags = suspicious(chosen, as_of=as_of.date())
    day, note = page_day(finding, page, as_of)
    return replace(
        finding,
        snippet=clean_text(
            GAP.join(part for part in (finding.snippet, chosen) if part), limit=LIMITS["snippet"]
        ),
        date=day,
        date_raw=finding.date_raw if day == finding.date else (page.modified or page.published),
        flags=tuple(flag for flag in FLAGS if flag in flags or flag in finding.flags),
        page=page.sha256,
        notes=(*finding.notes, note) if note else finding.notes,
    )


def page_day(finding: Evidence, page: WebPage, as_of: datetime) -> tuple[date | None, str]:
    """Return the date of a finding whose page was read, and a note where the two disagree.

    The page's own date beats the engine's: when it was last changed, else published. A date after
    the search, which is not a date of a page, is ignored.

    Args:
        finding: With the date that the engine gave.
        page: With the dates that it gives of itself.
        as_of: When the search was answered (aware).
    """
    written = (page.modified, page.published)
    days = [day for raw in written if (day := parse_date(_day(raw), relative_to=as_of))]
    if not days:
        return finding.date, ""
    if finding.date is None:
        return days[0], ""
    agree = min(days) - TOLERATED <= finding.date <= max(days) + TOLERATED
    return days[0], "" if agree else DATE_DIFFERS


def _day(raw: str) -> str:
    """The day of an ISO time (`2025-03-01T10:00:00Z`); other forms as they are."""
    return raw[:10] if raw[4:5] == "-" and raw[7:8] == "-" else raw
