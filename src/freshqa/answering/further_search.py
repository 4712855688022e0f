"""Search again in other words while an answer is uncertain, and answer again.

The whole question was searched before. A one-hop question is then searched for recent pages, for a
sub-question where the model wants one, and as a statement; of a multi-hop question the sub-questions
come first. Every search counts, also one that finds nothing new.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import date

from freshqa.answering.freshprompt import Research, answer_by_freshprompt
from freshqa.answering.language_model import LanguageModel
from freshqa.answering.queries import dated, declarative
from freshqa.answering.response import Response
from freshqa.answering.self_ask import follow_up
from freshqa.answering.settings import MAX_SEARCHES, AnswerSettings
from freshqa.dataset.question import FactType, Question
from freshqa.errors import NotFound
from freshqa.evidence.parsing import parse
from freshqa.evidence.search_engine import Recency, SearchEngine, SearchResult, limited_to


@dataclass
class FurtherSearch:
    """The further searches of one check, one step after the other.

    Args:
        question: The stored row.
        as_of: Day of the check.
        search: Answers the question itself as before, without a new search.
        model: Answers, and asks sub-questions.
        settings: The way of asking.
        left: Searches that may still be made.
    """

    question: Question
    as_of: date
    search: SearchEngine
    model: LanguageModel
    settings: AnswerSettings
    left: int = MAX_SEARCHES
    research: Research = field(default_factory=Research)

    def __post_init__(self) -> None:
        first, second = self.recent, self.sub_questions
        if self.question.multi_hop:
            first, second = second, first
        self.steps: list[Callable[[], Research]] = [first, second, self.statement]

    def __call__(self, prior: Response) -> Response | None:
        """Take steps until one finds something new, and answer with it.

        Args:
            prior: The response that needs more evidence; its calls are in the new response too.

        Returns:
            `prior` with the searches that found nothing new; None when none is left to be made.
        """
        known = {finding.id for result in prior.searches for finding in parse(result)}
        gathered: Research = Research()
        while self.steps and self.left > 0:
            more = self.steps.pop(0)()
            self.left -= len(more.searches)
            gathered, self.research = joined(gathered, more), joined(self.research, more)
            if any(finding.id not in known for finding in more.evidence):
                return self.answer(prior, gathered)
        if not gathered.searches and not gathered.completions:
            return None
        return replace(
            prior,
            searches=(*gathered.searches, *prior.searches),
            completions=(*gathered.completions, *prior.completions),  # the last one is the response
        )

    def answer(self, prior: Response, gathered: Research) -> Response:
        """Answer with everything found so far."""
        response = answer_by_freshprompt(
            self.question.text,
            as_of=self.as_of,
            search=self.search,
            model=self.model,
            settings=self.settings,
            research=replace(self.research, completions=gathered.completions),
        )
        return replace(response, completions=(*prior.completions, *response.completions))

    def recent(self) -> Research:
        """Search for recent pages: with the engine's filter, else with the period in words."""
        if self.question.fact_type == FactType.never_changing.value:
            return Research()
        fast = self.question.fact_type == FactType.fast_changing.value
        recency = Recency.month if fast else Recency.year
        limited = limited_to(self.search, recency, as_of=self.as_of)
        if limited is not None:
            with suppress(NotFound):  # a replay of a run whose engine knew no filter
                return _research(limited.search(self.question.text, as_of=self.as_of))
        return self.searched(dated(self.question.text, recency, as_of=self.as_of))

    def statement(self) -> Research:
        """Search for the question as a statement."""
        return self.searched(declarative(self.question.text))

    def sub_questions(self) -> Research:
        """Let the model ask sub-questions, as many as may be searched (one for a one-hop row)."""
        most = self.left if self.question.multi_hop else 1
        return follow_up(
            self.question.text,
            as_of=self.as_of,
            search=self.search,
            model=self.model,
            settings=replace(self.settings, follow_ups=most),
        )

    def searched(self, query: str) -> Research:
        """Search for a query; nothing for "" or for one that a recording does not hold."""
        if not query:
            return Research()
        with suppress(NotFound):
            return _research(self.search.search(query, as_of=self.as_of))
        return Research()


def joined(first: Research, other: Research) -> Research:
    """Return the findings of two rounds of searches, in order."""
    return Research(
        (*first.searches, *other.searches),
        (*first.evidence, *other.evidence),
        (*first.completions, *other.completions),
        (*first.intermediate, *other.intermediate),
    )


def _research(result: SearchResult) -> Research:
    return Research((result,), parse(result))
