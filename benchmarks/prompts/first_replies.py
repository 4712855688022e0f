"""First replies of a profile: how many answer, how many are right, what they cost."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from benchmarks.checking_data import SEARCHED_ON
from benchmarks.prompts.candidates import Recipe
from benchmarks.prompts.questions import RecordedQuestion
from freshqa.answering.extraction import extract
from freshqa.answering.find_json import read_json
from freshqa.answering.language_model import LanguageModel, Message
from freshqa.answering.methods import answer
from freshqa.answering.response import Response
from freshqa.errors import FreshQAError, NotFound
from freshqa.evaluation.judgement import Mode, Verdict
from freshqa.evaluation.lexical import lexical_verdict
from freshqa.evidence.search_engine import SearchResult

SHORTEN = """Question: {question}
Response: {response}

What does the response answer? Write only the name, number, date, yes or no, and nothing else."""
SHORT_TOKENS = 60


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
        format_kept: Whether it has every field that was asked for; None where it is free text.
    """

    asked: RecordedQuestion
    response: Response | None
    verdict: Verdict = Verdict.unrated
    verdict_of_text: Verdict = Verdict.unrated
    failure: str = ""
    format_kept: bool | None = None

    @property
    def right(self) -> bool:
        """True when the answer that stands alone is a gold answer."""
        return self.verdict is Verdict.correct


def first_replies(
    questions: Sequence[RecordedQuestion], recipe: Recipe, model: LanguageModel
) -> Iterator[FirstReply]:
    """Ask every question once; a question that is not stored and cannot be asked is left out."""
    for asked in questions:
        try:
            response = ask_once(asked, recipe, model)
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
            format_kept=_format_kept(response, recipe.settings.reply_fields),
        )


def _format_kept(response: Response, fields: Sequence[str]) -> bool | None:
    return set(read_json(response.completions[-1].text) or ()) == set(fields) if fields else None


def ask_once(
    asked: RecordedQuestion,
    recipe: Recipe,
    model: LanguageModel,
    feedback: str = "",
    prior: Response | None = None,
) -> Response:
    """FreshPrompt with the recorded page; multi-hop questions are not taken apart."""
    response = answer(
        asked.text,
        method="freshprompt",
        as_of=SEARCHED_ON,
        search=OnePage(asked.case.search),
        model=model,
        settings=recipe.settings,
        feedback=feedback,
        prior=prior,
    )
    return shortened(response, model) if recipe.shorten and response.answer else response


def shortened(response: Response, model: LanguageModel) -> Response:
    """Ask a second time for the short answer alone, without the evidence."""
    told = SHORTEN.format(question=response.question, response=response.text)
    completion = model.complete(
        [Message("user", told)], question=response.question, max_tokens=SHORT_TOKENS
    )
    short = extract(completion.text, question=response.question).answer
    completions = (*response.completions, completion)
    return replace(response, answer=short or response.answer, completions=completions)
