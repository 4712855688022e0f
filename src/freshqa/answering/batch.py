"""Many questions at once, each answered or failed on its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass

from freshqa.answering.response import Response
from freshqa.errors import ErrorKind, FreshQAError

ENDS_ALL = (ErrorKind.budget, ErrorKind.quota, ErrorKind.credentials, ErrorKind.usage)
"""Failures that the next question would meet too."""


@dataclass(frozen=True)
class Asked:
    """A question to answer, and whether it takes several steps."""

    question: str
    multi_hop: bool = False


@dataclass(frozen=True)
class Answered:
    """The result for one question: a response, or the failure that prevented it."""

    asked: Asked
    response: Response | None = None
    failure: FreshQAError | None = None


def answer_all(
    questions: Sequence[Asked], ask: Callable[[Asked], Response], *, concurrency: int = 8
) -> Iterator[Answered]:
    """Ask every question, a limited number at a time; results come as they are ready.

    After a failure that every further question would meet (budget, quota, key, usage) nothing new
    is asked: what is in flight still comes, what is left does not.
    """
    left = list(reversed(questions))
    flying: set[Future[Answered]] = set()
    with ThreadPoolExecutor(concurrency, thread_name_prefix="ask") as pool:
        while left or flying:
            while left and len(flying) < concurrency:
                flying.add(pool.submit(_answer, left.pop(), ask))
            done, flying = wait(flying, return_when=FIRST_COMPLETED)
            for future in done:
                answered = future.result()
                if answered.failure is not None and answered.failure.kind in ENDS_ALL:
                    left.clear()
                yield answered


def _answer(asked: Asked, ask: Callable[[Asked], Response]) -> Answered:
    try:
        return Answered(asked, response=ask(asked))
    except FreshQAError as failure:
        return Answered(asked, failure=failure)
