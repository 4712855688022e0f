"""Search again with a follow-up question, and answer with what is found."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

from freshqa.answering.freshprompt import answer_by_freshprompt
from freshqa.answering.language_model import LanguageModel
from freshqa.answering.response import Response
from freshqa.answering.self_ask import follow_up
from freshqa.answering.settings import AnswerSettings
from freshqa.evidence.search_engine import SearchEngine


def answer_with_follow_up(
    prior: Response,
    *,
    as_of: date,
    search: SearchEngine,
    model: LanguageModel,
    settings: AnswerSettings,
) -> Response | None:
    """Let the model ask one follow-up question, search for it and answer anew.

    Args:
        prior: The response that needs more evidence; its searches and completions are in the new
            response too.
        search: Answers the question itself as before, without a new search.

    Returns:
        None when the model asks nothing, or only what was searched before.
    """
    one = replace(settings, follow_ups=1)
    found = follow_up(prior.question, as_of=as_of, search=search, model=model, settings=one)
    known = {result.query for result in prior.searches}
    if not any(result.query not in known for result in found.searches):
        return None
    response = answer_by_freshprompt(
        prior.question, as_of=as_of, search=search, model=model, settings=settings, found=found
    )
    return replace(response, completions=(*prior.completions, *response.completions))
