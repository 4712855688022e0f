"""FreshEval: a language model judges a response against the answers of a version."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from decimal import Decimal

from freshqa.answering.failures import ReplyCutShort
from freshqa.answering.language_model import Completion, LanguageModel, Message, prompt_hash
from freshqa.answering.reasoning import without_thinking
from freshqa.answering.response import Response
from freshqa.checking.equivalence import Equivalence, EquivalenceJudge
from freshqa.dataset.question import Question
from freshqa.errors import ErrorKind, FreshQAError
from freshqa.evaluation.fresheval_prompt import Words, messages
from freshqa.evaluation.fresheval_reply import Reply, parse_reply
from freshqa.evaluation.judgement import Judgement, Mode, Verdict

RETRIES = 2
MAX_TOKENS = 256
ROOM = 4096
"""Tokens of a reply that 256 cut before its verdict: reasoning counts."""
REMINDER = (
    "Your reply could not be read: {problem}. Reply with one line only, `evaluation: correct` or "
    "`evaluation: incorrect`."
)


def judge_response(
    question: Question,
    response: str,
    *,
    mode: Mode | str,
    judge: LanguageModel,
    retries: int = RETRIES,
    words: Words = messages,
) -> Judgement:
    """Judge one response as FreshEval does, at temperature 0 with 256 tokens.

    Args:
        question: The question with its gold answers.
        response: What is judged; untrusted text, fenced in the prompt.
        mode: `relaxed` or `strict`.
        judge: The model that judges.
        retries: How often to ask again when the reply holds no verdict; then `unrated`.
        words: The prompt; our wording of FreshEval's criteria unless another is given.

    Returns:
        A judgement without gold version and date of the response: the caller knows those.

    Raises:
        ProviderError, ProviderRejected, QuotaExhausted, CredentialsError, BudgetExhausted: as the
            model does. A recording without this question is `unrated`.
    """
    mode = Mode(mode)
    base = Judgement(
        question=question.text,
        verdict=Verdict.unrated,
        mode=mode,
        judge=judge.name,
        response=response,
        key=question.key,
        gold=question.revision_hash,
    )
    problem = _unjudgeable(question, response)
    if problem:
        return replace(base, comment=problem)
    chat = words(question.text, question.answers, response, mode)
    base = replace(base, prompt_hash=prompt_hash(chat))
    try:
        return _ask(base, chat, question, judge, retries)
    except FreshQAError as error:
        if error.kind is not ErrorKind.not_found:
            raise
        return replace(base, comment=f"the judge has no reply: {error.message}")


def _ask(
    base: Judgement, chat: list[Message], question: Question, judge: LanguageModel, retries: int
) -> Judgement:
    completions: list[Completion] = []
    reply = Reply(Verdict.unrated, "the judge was not asked")
    for attempt in range(1, retries + 2):
        completions += _with_room(judge, chat, question.text, reminded=attempt > 1)
        completion = completions[-1]
        reply = parse_reply(completion.text)
        base = replace(
            base,
            judge=completion.model or judge.name,
            judged_at=completion.completed_at,
            attempts=attempt,
            tokens=sum(c.usage.total for c in completions),
            cost_usd=sum((c.cost_usd for c in completions), Decimal(0)),
            completions=tuple(completions),
        )
        if reply.verdict is not Verdict.unrated:
            return replace(base, verdict=reply.verdict, comment=reply.comment)
        # At temperature 0 the same prompt gives the same reply, so the chat is continued instead.
        reminder = Message("user", REMINDER.format(problem=reply.comment))
        chat = [*chat, Message("assistant", completion.text), reminder]
    return replace(base, comment=f"no verdict in {base.attempts} replies: {reply.comment}")


def _with_room(
    judge: LanguageModel, chat: list[Message], question: str, *, reminded: bool
) -> list[Completion]:
    """Return a reply, asked for again with `ROOM` when the limit cut it before its verdict.

    A reasoning model uses up 256 tokens before it writes a word. One that has written others than
    the verdict is reminded first: small models continue without end.
    """
    cut: list[Completion] = []
    with suppress(ReplyCutShort):
        reply = judge.complete(chat, question=question, max_tokens=MAX_TOKENS, temperature=0.0)
        rated = parse_reply(reply.text).verdict is not Verdict.unrated
        wordy = without_thinking(reply.text).strip() and not reminded
        if reply.finish_reason != "length" or rated or wordy:
            return [reply]
        cut.append(reply)
    return [*cut, judge.complete(chat, question=question, max_tokens=ROOM, temperature=0.0)]


def _unjudgeable(question: Question, response: str) -> str:
    if not response.strip():
        return "the response is empty"
    if not question.answers:
        return "the version holds no answer to this question"
    return ""


class ModelJudge:
    """FreshEval with one model, as a `Judge`.

    Args:
        model: The model that judges.
        retries: How often to ask again when a reply holds no verdict.
        words: The prompt; see `judge_response`.
    """

    def __init__(
        self, model: LanguageModel, *, retries: int = RETRIES, words: Words = messages
    ) -> None:
        self.name = model.name
        self._model, self._retries, self._words = model, retries, words

    def judge(self, question: Question, response: str, *, mode: Mode) -> Judgement:
        """See `judge_response`."""
        return judge_response(
            question,
            response,
            mode=mode,
            judge=self._model,
            retries=self._retries,
            words=self._words,
        )


def equivalence_judge(model: LanguageModel, *, retries: int = RETRIES) -> EquivalenceJudge:
    """FreshEval relaxed as the judge that `freshqa.checking.compare` asks: does it still agree?"""

    def judge(question: Question, response: Response) -> Equivalence:
        judged = judge_response(
            question, response.text, mode=Mode.relaxed, judge=model, retries=retries
        )
        agrees = judged.correct if judged.rated else None
        return Equivalence(agrees, judged.comment, judged.completions)

    return judge
