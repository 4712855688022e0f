"""Classify a reader's reply: an answer, a refusal, or a report of errors in the documents."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum

from freshqa.answering.documents_prompt import WORDINGS
from freshqa.answering.reasoning import without_thinking

_STATUS = re.compile(r"^[\W_]*status[\W_]*[:：][\W_]*(\w+)[^\w\n]*$", re.IGNORECASE | re.MULTILINE)
_ANSWER = re.compile(
    r"^[\W_]*answer[\W_]*[:：][\s*_`]*(.*)\Z", re.IGNORECASE | re.MULTILINE | re.DOTALL
)


class Status(str, Enum):
    """The status that a reader gives its own reply."""

    answered = "answered"
    insufficient = "insufficient"
    conflict = "conflict"
    false_premise = "false_premise"


@dataclass(frozen=True)
class Reply:
    """A reply, read.

    Args:
        answer: The answer line, or all of the text where there is no such line.
        status: The status line; None when there is none that can be read.
    """

    text: str
    answer: str
    status: Status | None = None

    def declines(self, language: str) -> bool:
        """RGB's Rej: the fixed sentence is in the reply."""
        return WORDINGS[language].declines in self._searched(language)

    def detects(self, language: str) -> bool:
        """RGB's ED: the fixed sentence is in the reply."""
        return WORDINGS[language].detects in self._searched(language)

    def _searched(self, language: str) -> str:
        # Chinese replies are searched without spaces, as the authors' code does.
        return self.text.replace(" ", "") if language == "zh" else self.text


def read_reply(text: str) -> Reply:
    """Read a reply; every text is a reply, a status only where one is named."""
    text = without_thinking(text)
    named = {word.lower() for word in _STATUS.findall(text)}
    known = named & {status.value for status in Status}
    status = Status(known.pop()) if len(named) == 1 and known else None
    answer = _ANSWER.search(text)
    return Reply(text, answer.group(1).strip() if answer else text.strip(), status)
