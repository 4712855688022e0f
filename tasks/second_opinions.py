"""Second opinions: another model on the same evidence, or evidence of another engine."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date

from freshqa.answering.language_model import LanguageModel
from freshqa.answering.methods import answer
from freshqa.answering.response import Response
from freshqa.answering.settings import AnswerSettings
from freshqa.dataset.question import Question
from freshqa.errors import NotFound, UsageError
from freshqa.evidence.search_engine import SearchEngine
from prefect_freshqa.blocks.resolve import load_model, load_search_engine
from prefect_freshqa.tasks.cached_providers import CachedProviders
from prefect_freshqa.tasks.given_results import GivenResults
from prefect_freshqa.tasks.refresh_settings import RefreshSettings


@dataclass(frozen=True)
class SecondProviders:
    """Another engine, another model, or both.

    Args:
        search: The other engine; None to read what the first one found.
        model: The other model; None for the same one.
    """

    search: SearchEngine | None = None
    model: LanguageModel | None = None

    def answer(
        self,
        question: Question,
        first: Response,
        *,
        as_of: date,
        model: LanguageModel | None,
        method: str,
        way: AnswerSettings,
    ) -> Response:
        """Answer the question again.

        Args:
            first: The response that is in doubt.
            model: The model that gave it; None for `search-only`.
        """
        if self.search is None and not first.searches:
            raise NotFound("The first answer was found without a search.", "Add --second-search.")
        # another prompt than the first one's: a replay finds a reply by its prompt
        fewer = (len(way.shown_to(question.text)) or 2) - 1
        return answer(
            question.text,
            method=method,
            as_of=as_of,
            search=self.search or GivenResults(first.searches),
            model=self.model or model,
            settings=replace(way, demonstrations=fewer) if self.model else way,
        )


def second_providers(
    providers: CachedProviders, settings: RefreshSettings
) -> SecondProviders | None:
    """The second engine and model of the settings, behind ledger and budget; None if there is neither."""
    if not settings.second_search and not settings.second_model:
        return None
    return SecondProviders(
        providers.search(settings.second_search) if settings.second_search else None,
        providers.model(settings.second_model) if settings.second_model else None,
    )


def check_second(settings: RefreshSettings) -> None:
    """Fail before anything is written if the second model or engine cannot be used.

    Raises:
        UsageError: The method uses no model, so a second model has no effect.
        NotFound, CredentialsError, BadData: As `blocks.resolve` says.
    """
    if settings.second_model and settings.method == "search-only":
        raise UsageError(
            "--second-model has no effect with --method search-only.",
            "Use --second-search instead, or another method.",
        )
    if settings.second_model:
        load_model(settings.second_model, budget_usd=settings.budget_usd)
    if settings.second_search:
        load_search_engine(settings.second_search)
