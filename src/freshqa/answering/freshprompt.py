"""FreshPrompt: search once, put what was found into a few-shot prompt, ask the model once."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date

from freshqa.answering.default_prompt import findings_chat, reply_schema
from freshqa.answering.extraction import extract, goes_on
from freshqa.answering.failures import refuse_cut
from freshqa.answering.language_model import Completion, LanguageModel, Message
from freshqa.answering.paper_prompt import chat, prompt_text, revision
from freshqa.answering.reply_json import cited_numbers
from freshqa.answering.response import Response
from freshqa.answering.settings import AnswerSettings
from freshqa.errors import ContextOverflow
from freshqa.evidence.consolidate import consolidate
from freshqa.evidence.evidence import Evidence
from freshqa.evidence.parsing import parse
from freshqa.evidence.search_engine import SearchEngine, SearchResult

KEPT_BY_FOLLOW_UP = 5
"""Findings kept beyond the profile's for each follow-up question searched."""


@dataclass(frozen=True)
class Research:
    """Searches made before the model is asked, and what they found.

    Args:
        searches: The searches, in order.
        evidence: Everything parsed from them, not yet consolidated.
        completions: Completions made on the way (follow-up questions).
        intermediate: Follow-up questions with their answers.
    """

    searches: tuple[SearchResult, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    completions: tuple[Completion, ...] = ()
    intermediate: tuple[tuple[str, str], ...] = ()

    def asked_with(self, question: str) -> str:
        """Return the question and every follow-up: what a finding may be relevant to."""
        return " ".join((question, *(follow_up for follow_up, _ in self.intermediate)))


def answer_by_freshprompt(
    question: str,
    *,
    as_of: date,
    search: SearchEngine,
    model: LanguageModel,
    settings: AnswerSettings,
    research: Research = Research(),
) -> Response:
    """Search for the question, add the `research` done before, and ask.

    A prompt that is too long is asked again with less evidence, then with fewer demonstrations.
    """
    result = search.search(question, as_of=as_of)
    # What was found for the question itself comes first: consolidation puts it nearest to it.
    everything = (*parse(result), *research.evidence)
    kept = settings.profile.kept + KEPT_BY_FOLLOW_UP * len(research.searches)
    wider = replace(settings, profile=replace(settings.profile, kept=kept))
    completion, evidence = ask_within_context(
        question,
        everything,
        as_of=as_of,
        model=model,
        settings=wider,
        relevant_to=research.asked_with(question),
    )
    extracted = extract(completion.text, question=question)
    return Response(
        question=question,
        method="freshprompt",
        text=extracted.text,
        answer=extracted.answer,
        evidence=evidence,
        searches=(*research.searches, result),
        completions=(*research.completions, completion),
        intermediate=research.intermediate,
        premise_rejected=extracted.premise_rejected,
        premise_doubtful=extracted.premise_doubtful,
        reports_errors=extracted.reports_errors,
        cited=cited(completion.text, evidence),
    )


def revise_freshprompt(
    prior: Response, feedback: str, *, as_of: date, model: LanguageModel, settings: AnswerSettings
) -> Response:
    """Ask again with the earlier response and what is wrong with it; nothing is searched.

    Searches and completions of the earlier response stay in the new one, which so tells the cost
    of the whole answer.
    """
    shown = replace(settings.profile, kept=max(1, len(prior.evidence)))
    research = Research(intermediate=prior.intermediate)
    completion, evidence = ask_within_context(
        prior.question,
        # Consolidation takes the page's order, best first, and reverses it into reading order.
        tuple(reversed(prior.evidence)),
        as_of=as_of,
        model=model,
        settings=replace(settings, profile=shown),
        relevant_to=research.asked_with(prior.question),
        again=(prior.answer or prior.text, feedback),
    )
    extracted = extract(completion.text, question=prior.question, told=feedback)
    return replace(
        prior,
        text=extracted.text,
        answer=extracted.answer,
        evidence=evidence,
        completions=(*prior.completions, completion),
        premise_rejected=extracted.premise_rejected,
        premise_doubtful=extracted.premise_doubtful,
        reports_errors=extracted.reports_errors,
        cited=cited(completion.text, evidence),
    )


def ask_within_context(
    question: str,
    evidence: Sequence[Evidence],
    *,
    as_of: date,
    model: LanguageModel,
    settings: AnswerSettings,
    relevant_to: str = "",
    again: tuple[str, str] | None = None,
) -> tuple[Completion, tuple[Evidence, ...]]:
    """Return the model's reply and the evidence it was shown.

    Args:
        relevant_to: What evidence has to share words with; default: the question.
        again: Rejected answer and feedback, when it is asked to revise.

    Raises:
        ContextOverflow: The bare question with one evidence is too long for the model.
        ReplyCutShort: The reply ends where its token limit was reached.
    """
    for fitting in shorter_and_shorter(settings):
        kept = consolidate(evidence, question=relevant_to or question, profile=fitting.profile)
        messages = freshprompt(question, kept, as_of=as_of, settings=fitting)
        if again:
            messages = revision(messages, prior_text=again[0], feedback=again[1])
        try:
            completion = model.complete(
                messages,
                question=question,
                max_tokens=fitting.max_tokens,
                temperature=0.0,
                schema=reply_schema(fitting.reply_fields) if fitting.fields else None,
            )
        except ContextOverflow as overflow:
            too_long = overflow
        else:
            refuse_cut(completion, finished=goes_on(completion.text))
            return completion, kept
    raise too_long


def freshprompt(
    question: str, evidence: Sequence[Evidence], *, as_of: date, settings: AnswerSettings
) -> tuple[Message, ...]:
    """Return the whole chat for a question and its consolidated evidence."""
    shown = settings.shown_to(question)
    if settings.fields:
        return findings_chat(
            question, evidence, as_of=as_of, demonstrations=shown, settings=settings
        )
    prompt = prompt_text(question, evidence, as_of=as_of, demonstrations=shown, settings=settings)
    return chat(prompt, as_of=as_of, settings=settings)


def cited(reply: str, evidence: Sequence[Evidence]) -> tuple[str, ...]:
    """Return the ids of the findings that a reply cites by number; unknown numbers are ignored."""
    return tuple(evidence[n - 1].id for n in cited_numbers(reply) if n <= len(evidence))


def shorter_and_shorter(settings: AnswerSettings) -> Iterator[AnswerSettings]:
    """The settings, then with half the evidence each time, then with half the demonstrations."""
    yield settings
    while settings.profile.kept > 1:
        settings = replace(
            settings, profile=replace(settings.profile, kept=settings.profile.kept // 2)
        )
        yield settings
    while settings.demonstrations > 0:
        settings = replace(settings, demonstrations=settings.demonstrations // 2)
        yield settings
