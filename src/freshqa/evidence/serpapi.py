"""SerpApi's JSON, for every engine behind it: google, bing, duckduckgo, yahoo, baidu, yandex."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timezone
from typing import Any

from freshqa.errors import FreshQAError, ProviderError
from freshqa.evidence import serpapi_sections as sections
from freshqa.evidence.engine_format import NOT_SEARCHED, EngineFormat, Locale, SearchRequest
from freshqa.evidence.evidence import Evidence
from freshqa.evidence.loose_json import first_text, mapping, text
from freshqa.evidence.results_page import Page
from freshqa.evidence.search_engine import Recency, SearchResult

QUERY_PARAMETER = {"yahoo": "p", "yandex": "text", "naver": "query"}
"""Engines whose query parameter is not `q`."""
DONE = ("Success", "Cached")
"""States of a completed search; the others are in progress, failed, or unknown."""
ABOUT = frozenset({"search_metadata", "search_parameters", "serpapi_pagination", "pagination"})
"""Fields that are not results."""
BRITISH_ORDER = ("gb", "uk", "au", "nz", "ie", "in", "za", "sg", "hk", "ke", "ng")
"""Countries in which English dates are written day first."""


class SerpApi(EngineFormat):
    """SerpApi in front of one search engine."""

    name = "serpapi"
    base_url = "https://serpapi.com"
    key_parameter = "api_key"

    def __init__(self, engine: str = "google") -> None:
        self.engine = engine

    def request(self, query: str, locale: Locale) -> SearchRequest:
        """`GET /search` in the words of the engine behind it."""
        asked = {"engine": self.engine, QUERY_PARAMETER.get(self.engine, "q"): query}
        return SearchRequest("/search", asked | _where(self.engine, locale))

    def recent(self, recency: Recency) -> Mapping[str, str]:
        """Google's `tbs=qdr:m` and DuckDuckGo's `df=m`; the other engines' filters are not known."""
        letter = recency.value[0]
        if self.engine == "google":
            return {"tbs": f"qdr:{letter}"}
        return {"df": letter} if self.engine == "duckduckgo" else {}

    def retry(self, request: SearchRequest, body: Any) -> SearchRequest:
        """After a failed search ask past SerpApi's cache, which keeps the failure for an hour.

        After a lost connection the cache may hold the result, paid for already.
        """
        if _state(body) != "Error":
            return request
        return SearchRequest(request.path, {**request.parameters, "no_cache": "true"})

    def failure(self, status: int, body: Any) -> FreshQAError | None:
        """As for any engine; "hasn't returned any results" is an answer, a search under way is not."""
        record = mapping(body)
        if status == 200 and found_nothing(record):
            return None
        state = _state(body)
        if state and state not in DONE:
            said = self.error_text(body) or f"the state of the search is {state}"
            return ProviderError(f"serpapi: {said} (HTTP {status}).", "Try again later.")
        if status == 200 and record and not set(record) - ABOUT:
            return ProviderError("serpapi: the response contains no search results.", NOT_SEARCHED)
        return super().failure(status, body)

    def parse(self, result: SearchResult) -> tuple[Evidence, ...]:
        """Answer box first, then what the page shows around the hits, then the hits."""
        body = result.body
        page = Page(created_at(body, result.fetched_at), _language(body, result.request))
        engine = first_text(mapping(body.get("search_parameters")), "engine") or "google"
        sections.add_answer_boxes(page, body.get("answer_box"))
        sections.add_ai_overview(page, body, engine)
        sections.add_knowledge_graph(page, body.get("knowledge_graph"), engine)
        sections.add_sports(page, body.get("sports_results"), engine)
        sections.add_stories(page, body.get("top_stories"))
        sections.add_stories(page, body.get("news_results"))
        sections.add_questions_and_answers(page, body.get("questions_and_answers"))
        sections.add_related_questions(page, body.get("related_questions"), engine)
        sections.add_organic(page, body.get("organic_results"))
        return tuple(page.findings)


def _state(body: Any) -> str:
    """`Success`, `Error`, `Processing`, `Queued`, or "" where it is not said."""
    return text(mapping(mapping(body).get("search_metadata")).get("status"))


def found_nothing(body: Mapping[str, Any]) -> bool:
    """Return True when the engine searched and reports no results."""
    information = mapping(body.get("search_information"))
    if text(information.get("organic_results_state")) == "Fully empty":
        return True
    said = text(body.get("error")).replace("’", "'").casefold()
    return "returned any results" in said or "any results for this query" in said


def created_at(body: Mapping[str, Any], otherwise: datetime) -> datetime:
    """Return the time of the response as it states it ("2025-05-24 04:17:29 UTC")."""
    written = text(mapping(body.get("search_metadata")).get("created_at"))
    try:
        moment = datetime.fromisoformat(written.removesuffix(" UTC"))
    except ValueError:
        return otherwise if otherwise.tzinfo else otherwise.replace(tzinfo=timezone.utc)
    return moment if moment.tzinfo else moment.replace(tzinfo=timezone.utc)


def _where(engine: str, locale: Locale) -> dict[str, str]:
    language, country = locale.language, locale.country
    if engine.startswith("google"):
        return {"hl": language, "gl": country, "google_domain": "google.com"}
    if engine == "bing":
        return {"mkt": f"{language}-{country}"}
    if engine == "duckduckgo":
        return {"kl": f"{country}-{language}"}
    if engine == "yahoo":
        return {"vl": f"lang_{language}"}
    if engine == "yandex":
        return {"lang": language}
    return {}


def _language(body: Mapping[str, Any], request: Mapping[str, Any]) -> str:
    """Tag of the language the dates are written in; English with a region where that matters."""
    asked = {**request, **mapping(body.get("search_parameters"))}
    language = first_text(asked, "hl", "lang", "mkt").replace("_", "-") or "en"
    country = first_text(asked, "gl", "cc").casefold()
    return "en-gb" if language == "en" and country in BRITISH_ORDER else language
