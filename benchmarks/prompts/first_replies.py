"""First replies of a profile: how many answer, how many are right, what they cost."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from benchmarks.checking_data import SEARCHED_ON
from benchmarks.prompts.questions import RecordedQuestion
from freshqa.answering.language_model import LanguageModel
from freshqa.answering.methods import answer
from freshqa.answering.response import Response
from freshqa.answering.settings import AnswerSettings
from freshqa.errors import FreshQAError, NotFound
from freshqa.evaluation.judgement import Mode, Verdict
from freshqa.evaluation.lexical import lexical_verdict
from freshqa.evidence.search_engine import SearchResult


@dataclass(frozen=True)
class OnePage:
    """A search engine that knows one page, whatever is asked."""

    page: SearchResult
    name: str = "recorded"

    def search(self, query: str, *, as_of: object) -> SearchResult:
        """Return the page."""
        return self.page


@dataclass(frozen=True)
class FirstReply:
    """A question, its first response, and the lexical judge's verdicts.

    Args:
        verdict: On the answer that stands alone.
        verdict_of_text: On the whole response, as FreshEval reads it.
        failure: Kind of the failure where there is no response.
    """

    asked: RecordedQuestion
    response: Response | None
    verdict: Verdict = Verdict.unrated
    verdict_of_text: Verdict = Verdict.unrated
    failure: str = ""

    @property
    def right(self) -> bool:
        """True when the answer that stands alone is a gold answer."""
        return self.verdict is Verdict.correct


def first_replies(
    questions: Sequence[RecordedQuestion], settings: AnswerSettings, model: LanguageModel
) -> Iterator[FirstReply]:
    """Ask every question once; a question that is not stored and cannot be asked is left out."""
    for asked in questions:
        try:
            response = ask_once(asked, settings, model)
        except NotFound:
            continue
        except FreshQAError as failure:
            yield FirstReply(asked, None, failure=failure.kind.value)
            continue
        yield FirstReply(
            asked,
            response,
            lexical_verdict(asked.gold, response.answer, mode=Mode.relaxed)[0],
            lexical_verdict(asked.gold, response.text, mode=Mode.relaxed)[0],
        )


def ask_once(asked: RecordedQuestion, settings: AnswerSettings, model: LanguageModel) -> Response:
    """FreshPrompt with the recorded page; multi-hop questions are not taken apart."""
    return answer(
        asked.text,
        method="freshprompt",
        as_of=SEARCHED_ON,
        search=OnePage(asked.case.search),
        model=model,
        settings=settings,
    )
