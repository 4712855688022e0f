"""FreshEval's grading without a client: the harness sends these prompts to its own model.

The same turns as `freshqa.evaluation.fresheval.judge_response`, as a generator, so that a harness
with asynchronous or synchronous models gives the same verdicts.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import dataclass

from freshqa.answering.language_model import Message
from freshqa.answering.reasoning import without_thinking
from freshqa.evaluation.fresheval import MAX_TOKENS, REMINDER, RETRIES, ROOM
from freshqa.evaluation.fresheval_prompt import messages
from freshqa.evaluation.fresheval_reply import Reply, parse_reply
from freshqa.evaluation.judgement import Mode, Verdict


@dataclass(frozen=True)
class Turn:
    """A prompt for the judge, at temperature 0."""

    chat: tuple[Message, ...]
    max_tokens: int


@dataclass(frozen=True)
class Said:
    """A reply of the judge, and whether the limit of tokens cut it."""

    text: str
    cut: bool = False


Grading = Generator[Turn, Said, Reply]


def grade(question: str, answers: Sequence[str], response: str, mode: Mode | str) -> Grading:
    """Ask for a verdict: yields turns, takes replies, and returns the verdict with its comment.

    Example:
        >>> grading = grade("Who?", ["Ada"], "Ada.", "relaxed")
        >>> turn = next(grading)  # ask the judge turn.chat, then grading.send(Said(reply))
    """
    if not response.strip():
        return Reply(Verdict.unrated, "the response is empty")
    if not any(answer.strip() for answer in answers):
        return Reply(Verdict.unrated, "the version holds no answer to this question")
    chat = messages(question, answers, response, Mode(mode))
    reply = Reply(Verdict.unrated, "the judge was not asked")
    for attempt in range(1, RETRIES + 2):
        said = yield from _with_room(chat, reminded=attempt > 1)
        reply = parse_reply(said.text)
        if reply.verdict is not Verdict.unrated:
            return reply
        reminder = Message("user", REMINDER.format(problem=reply.comment))
        chat = [*chat, Message("assistant", said.text), reminder]
    return Reply(Verdict.unrated, f"no verdict in {RETRIES + 1} replies: {reply.comment}")


def _with_room(chat: Sequence[Message], *, reminded: bool) -> Generator[Turn, Said, Said]:
    said = yield Turn(tuple(chat), MAX_TOKENS)
    rated = parse_reply(said.text).verdict is not Verdict.unrated
    wordy = bool(without_thinking(said.text).strip()) and not reminded
    if not said.cut or rated or wordy:
        return said
    return (yield Turn(tuple(chat), ROOM))
