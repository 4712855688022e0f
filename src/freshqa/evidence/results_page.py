"""Collect the findings of one response: cleaned, flagged, dated and numbered."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from datetime import date, datetime, timezone

from freshqa.dates.page_date import parse_date
from freshqa.evidence.cleaning import clean_text, clean_url, site_of
from freshqa.evidence.evidence import Evidence, EvidenceKind
from freshqa.evidence.injection import suspicious
from freshqa.evidence.loose_json import text

LIMITS = {"title": 300, "snippet": 2_000, "highlight": 600, "date_raw": 80}
"""Maximum number of characters kept of each field; the whole text stays in the recorded response."""

FIELD_END = " \x1f "
"""Between fields looked through for attacks: not a line end, where a forged turn would start."""


class Page:
    """The findings of one response, in the order they are added.

    Args:
        created_at: When the engine made the response; dates count from here.
        language: Of the page, as a tag such as "en" or "en-GB".
    """

    def __init__(self, created_at: datetime, language: str = "en") -> None:
        self.created_at = created_at.astimezone(timezone.utc)
        self.language = language
        self.findings: list[Evidence] = []
        self._ranks: Counter[EvidenceKind] = Counter()

    def add(
        self,
        kind: EvidenceKind,
        *,
        title: str = "",
        snippet: str = "",
        highlight: str = "",
        url: str = "",
        source: str = "",
        dates: Iterable[object] = (),
        live: bool = False,
    ) -> None:
        """Add one finding, unless it says nothing.

        Args:
            url: Link to the page; one that cannot be followed is left out.
            source: Name of the site as shown; "" takes the host of `url`.
            dates: Texts that may hold a date, best first; the first that reads as a day counts.
            live: True for what is true at the moment of the search (a temperature, a price).
        """
        words = {
            "title": clean_text(title, limit=LIMITS["title"]),
            "snippet": clean_text(snippet, limit=LIMITS["snippet"]),
            "highlight": clean_text(highlight, limit=LIMITS["highlight"]),
        }
        if not any(words.values()):
            return
        self._ranks[kind] += 1
        written = [shown for value in dates if (shown := text(value).strip())]
        parsed = (self._date(value) for value in written)
        stated_day = next((day for day in parsed if day is not None), None)
        address = clean_url(url) if url else ""
        raw = FIELD_END.join(part for part in (title, snippet, highlight, source) if part)
        self.findings.append(
            Evidence(
                kind=kind,
                source=site_of(source, address),
                url=address,
                date_raw=clean_text(written[0], limit=LIMITS["date_raw"]) if written else "",
                date=self.created_at.date() if live and stated_day is None else stated_day,
                rank=self._ranks[kind],
                flags=suspicious(raw, as_of=self.created_at.date()),
                title=words["title"],
                snippet=words["snippet"],
                highlight=words["highlight"],
            )
        )

    def _date(self, raw: str) -> date | None:
        return parse_date(raw, relative_to=self.created_at, language=self.language)
