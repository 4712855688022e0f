"""What a check can acquire: a search, pages, an answer from memory, further searches."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from freshqa.answering.batch import ENDS_ALL
from freshqa.answering.further_search import FurtherSearch
from freshqa.answering.language_model import LanguageModel
from freshqa.answering.response import Response
from freshqa.answering.settings import AnswerSettings, settings_for
from freshqa.checking.answer_from_memory import Memory
from freshqa.checking.loop import Ask, Tools
from freshqa.dataset.question import Question
from freshqa.errors import FreshQAError
from freshqa.evidence.consolidate import consolidate
from freshqa.evidence.parsing import parse
from freshqa.evidence.search_engine import SearchEngine
from freshqa.evidence.web_page import WebReader
from prefect_freshqa.tasks.given_results import RememberedSearch
from prefect_freshqa.tasks.page_search import PageReadingSearch
from prefect_freshqa.tasks.refresh_settings import RefreshSettings


def way_of_asking(settings: RefreshSettings) -> AnswerSettings:
    """Return the profile, with the premise check of the settings."""
    way = settings_for(settings.profile, settings.premise_check)
    return replace(way, profile=replace(way.profile, mirrors=settings.known_mirrors))


def search_of_check(
    engine: SearchEngine, reader: WebReader | None, most: int
) -> RememberedSearch | PageReadingSearch:
    """Return an engine for one check: it pays for a query once, and reads pages when that is enabled.

    Args:
        reader: Reads the pages behind results; None where none are read.
        most: Maximum number of pages of one search.
    """
    remembered = RememberedSearch(engine)
    return remembered if reader is None else PageReadingSearch(remembered, reader, most)


def tools_of_check(
    question: Question,
    search: RememberedSearch | PageReadingSearch,
    model: LanguageModel | None,
    ask: Ask,
    *,
    as_of: date,
    settings: RefreshSettings,
) -> Tools | None:
    """Return the tools that a policy may use besides an answer from evidence.

    Args:
        search: The engine of this check, from `search_of_check`.
        model: None for a method without one: it may only read pages.
        ask: Answers from evidence.

    Returns:
        None where there is nothing else to acquire.
    """
    way = way_of_asking(settings)

    def look_up() -> Response:
        if settings.method == "self-ask":  # it searches for its own follow-up questions
            return Response(question.text, "none", "", "")
        result = search.search(question.text, as_of=as_of)
        evidence = consolidate(parse(result), question=question.text, profile=way.profile)
        return Response(question.text, "none", "", "", evidence, searches=(result,))

    def read() -> Response:
        start_reading(search)
        return look_up()

    reads = read if isinstance(search, PageReadingSearch) else None
    if model is None:
        return Tools(look_up, ask, lambda: True, read=reads) if reads else None
    memory = Memory(model, question=question.text, as_of=as_of)
    further = FurtherSearch(question, as_of, search, model, way, left=settings.extra_searches)

    def again(prior: Response) -> Response | None:
        # a further search means that the answer is uncertain and the risk not low
        start_reading(search)
        try:
            return further(prior)
        except FreshQAError as failure:
            if failure.kind in ENDS_ALL:
                raise
            return None  # earlier answers are kept

    follows = way.decompose and settings.method == "freshprompt" and further.left > 0
    return Tools(
        look_up, memory.recall, memory.needs_evidence, again if follows else None, read=reads
    )


def start_reading(search: RememberedSearch | PageReadingSearch) -> None:
    """Let the engine read pages from now on, if it can."""
    if isinstance(search, PageReadingSearch):
        search.reading = True
