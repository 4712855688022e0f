"""Parse the response of any search engine into findings."""

from __future__ import annotations

import threading
from functools import cache
from importlib.metadata import entry_points

from freshqa.errors import NotFound
from freshqa.evidence.engine_format import EngineFormat
from freshqa.evidence.evidence import Evidence
from freshqa.evidence.page_findings import with_pages
from freshqa.evidence.search_engine import SearchResult
from freshqa.evidence.searxng import Searxng
from freshqa.evidence.serpapi import SerpApi
from freshqa.evidence.serper import Serper

BUILT_IN: dict[str, type[EngineFormat]] = {
    "serpapi": SerpApi,
    "searxng": Searxng,
    "serper": Serper,
}
GROUP = "prefect_freshqa.search_engines"
"""Entry point group of engine formats, of other packages and of this one."""


def parse(result: SearchResult) -> tuple[Evidence, ...]:
    """Every finding of a response, cleaned, flagged and dated; () when there was nothing to find.

    The order is the page's own: answer box, overview, knowledge graph, sports, stories, questions,
    hits, each kind best first. Findings whose pages were read hold passages of them.

    Raises:
        NotFound: No installed format reads this engine.
        ProviderError, ProviderRejected, QuotaExhausted, CredentialsError: The body is an error,
            which must never be taken for "no evidence".
    """
    # a check parses the same result several times; equal ones may differ (1, 1.0 and True are equal)
    if _last.result is not result:
        _last.findings = _parsed(result)
        _last.result = result
    return _last.findings


class _Last(threading.local):
    """The last result that this thread has parsed."""

    result: SearchResult | None = None
    findings: tuple[Evidence, ...] = ()


_last = _Last()


def _parsed(result: SearchResult) -> tuple[Evidence, ...]:
    form = engine_format(result.engine)
    failure = form.failure(200, result.body)
    if failure is not None:
        raise failure
    findings = form.parse(result)
    if not result.pages:
        return findings
    return with_pages(findings, result.pages, question=result.query, as_of=result.fetched_at)


@cache
def engine_format(name: str) -> EngineFormat:
    """Return the format registered under this name.

    Raises:
        NotFound: Unknown name; the message lists the known ones.
    """
    if name in BUILT_IN:
        return BUILT_IN[name]()
    registered = {point.name: point for point in entry_points(group=GROUP)}
    if name not in registered:
        known = ", ".join(sorted({*BUILT_IN, *registered}))
        raise NotFound(
            f"Unknown search engine format '{name}'. Available: {known}.",
            f"Install the package that registers it in the entry point group {GROUP}.",
        )
    form = registered[name].load()()
    if not isinstance(form, EngineFormat):
        raise NotFound(
            f"'{name}' in {GROUP} is not an EngineFormat.",
            "Derive the class from EngineFormat and reinstall the package.",
        )
    return form
