"""Self-Ask: the model asks follow-up questions, the search engine answers them.

Source: Press et al., "Measuring and narrowing the compositionality gap" (2022), with the search
engine in the model's place for intermediate answers, as in the FreshLLMs paper's baseline. Ours
differs in two ways: a question without follow-ups is itself searched, for an answer from memory is
not fresh; and what a model writes after its first follow-up question is dropped, for it would be
its own invention.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from datetime import date

from freshqa.answering.extraction import extract
from freshqa.answering.failures import ReplyCutShort, refuse_cut
from freshqa.answering.freshprompt import Research
from freshqa.answering.language_model import Completion, LanguageModel
from freshqa.answering.paper_prompt import one_line, revision
from freshqa.answering.response import Response
from freshqa.answering.self_ask_prompt import (
    FINAL_LABEL,
    ends_a_step,
    final_answer,
    intermediate_answer,
    read_step,
    self_ask_prompt,
    transcript,
)
from freshqa.answering.settings import AnswerSettings
from freshqa.dataset.wording import normalised_question
from freshqa.errors import ContextOverflow, NotFound
from freshqa.evidence.consolidate import consolidate
from freshqa.evidence.parsing import parse
from freshqa.evidence.search_engine import SearchEngine

BEST_RANKS = 2
"""Findings of each kind that are kept of a follow-up search."""
LONGEST_FOLLOW_UP = 300
"""Characters of a follow-up question that is searched."""


def answer_by_self_ask(
    question: str,
    *,
    as_of: date,
    search: SearchEngine,
    model: LanguageModel,
    settings: AnswerSettings,
) -> Response:
    """Follow-up questions, then the final answer; at least one search, at most `follow_ups`."""
    dialogue = Dialogue(question, as_of=as_of, search=search, model=model, settings=settings)
    dialogue.run()
    if not dialogue.research.searches:
        dialogue.look_up(question)
        dialogue.final = ""
    reply = dialogue.final or dialogue.conclude()
    extracted = extract(reply, question=question)
    research = dialogue.research
    return Response(
        question=question,
        method="self-ask",
        text=extracted.text,
        answer=extracted.answer,
        evidence=consolidate(
            research.evidence, question=research.asked_with(question), profile=settings.profile
        ),
        searches=research.searches,
        completions=research.completions,
        intermediate=research.intermediate,
        premise_rejected=extracted.premise_rejected,
        premise_doubtful=extracted.premise_doubtful,
        reports_errors=extracted.reports_errors,
    )


def follow_up(
    question: str,
    *,
    as_of: date,
    search: SearchEngine,
    model: LanguageModel,
    settings: AnswerSettings,
) -> Research:
    """Only the follow-up questions, searched: what FreshPrompt reads for a multi-hop question.

    A recording that does not hold a follow-up, or a reply cut by its token limit, ends the asking:
    the question itself is still searched, so nothing is taken for "no evidence".
    """
    dialogue = Dialogue(question, as_of=as_of, search=search, model=model, settings=settings)
    with suppress(NotFound, ReplyCutShort):
        dialogue.run()
    return dialogue.research


def revise_self_ask(
    prior: Response, feedback: str, *, as_of: date, model: LanguageModel, settings: AnswerSettings
) -> Response:
    """Conclude again from the same intermediate answers, told what is wrong."""
    written = transcript(prior.intermediate) + f"\n{FINAL_LABEL}"
    dialogue = Dialogue(prior.question, as_of=as_of, search=None, model=model, settings=settings)
    completion = dialogue.complete(written, key=prior.question, again=(prior.text, feedback))
    extracted = extract(final_answer(completion.text), question=prior.question, told=feedback)
    return replace(
        prior,
        text=extracted.text,
        answer=extracted.answer,
        completions=(*prior.completions, completion),
        premise_rejected=extracted.premise_rejected,
        premise_doubtful=extracted.premise_doubtful,
        reports_errors=extracted.reports_errors,
    )


class Dialogue:
    """One Self-Ask in progress: what was asked, found and written so far."""

    def __init__(
        self,
        question: str,
        *,
        as_of: date,
        search: SearchEngine | None,
        model: LanguageModel,
        settings: AnswerSettings,
    ) -> None:
        self.question, self.as_of = question, as_of
        self.search, self.model, self.settings = search, model, settings
        self.research = Research()
        self.final = ""

    def run(self) -> None:
        """Ask follow-ups until the model concludes, repeats itself or reaches the limit."""
        asked = {normalised_question(self.question)}
        key = self.question
        while len(self.research.searches) < self.settings.follow_ups:
            step = read_step(self.complete(transcript(self.research.intermediate), key=key).text)
            if not step.follow_up:
                self.final = step.final
                return
            key = one_line(step.follow_up)[:LONGEST_FOLLOW_UP]
            if normalised_question(key) in asked:
                return
            asked.add(normalised_question(key))
            self.look_up(key)

    def look_up(self, follow_up: str) -> None:
        """Search for a follow-up question and note what is read as its answer."""
        assert self.search is not None, "a revision searches nothing"
        result = self.search.search(follow_up, as_of=self.as_of)
        evidence = parse(result)
        self.research = replace(
            self.research,
            searches=(*self.research.searches, result),
            evidence=(*self.research.evidence, *(e for e in evidence if e.rank <= BEST_RANKS)),
            intermediate=(*self.research.intermediate, (follow_up, intermediate_answer(evidence))),
        )

    def conclude(self) -> str:
        """Ask the model for the final answer and return it."""
        written = f"{transcript(self.research.intermediate)}\n{FINAL_LABEL}"
        return final_answer(self.complete(written, key=self.question).text)

    def complete(
        self, written: str, *, key: str, again: tuple[str, str] | None = None
    ) -> Completion:
        """Let the model continue the transcript.

        Args:
            key: What a recording knows the step by.
            again: Earlier response and feedback, when it is asked to revise.

        A prompt that is too long is asked again without demonstrations.
        """
        try:
            completion = self._ask(written, key, again, demonstrated=True)
        except ContextOverflow:
            completion = self._ask(written, key, again, demonstrated=False)
        self.research = replace(self.research, completions=(*self.research.completions, completion))
        refuse_cut(completion, finished=ends_a_step(completion.text))
        return completion

    def _ask(
        self, written: str, key: str, again: tuple[str, str] | None, *, demonstrated: bool
    ) -> Completion:
        messages = self_ask_prompt(
            self.question,
            written,
            as_of=self.as_of,
            settings=self.settings,
            demonstrated=demonstrated,
        )
        if again is not None:
            messages = revision(messages, prior_text=again[0], feedback=again[1])
        return self.model.complete(
            messages, question=key, max_tokens=self.settings.max_tokens, temperature=0.0
        )
