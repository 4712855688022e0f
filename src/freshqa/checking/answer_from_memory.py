"""Answer from memory, and decide whether evidence is needed, for policies of LLM-Augmenter."""

from __future__ import annotations

import re
from datetime import date

from freshqa.answering.language_model import Completion, LanguageModel, Message
from freshqa.answering.reasoning import without_thinking
from freshqa.answering.response import Response

CLOSED_BOOK = "closed-book"
_MAX_TOKENS = 256
_MARKS = re.compile(r"""[*_`"“”]+""")
_NO = re.compile(r"(?:(?:final )?answer: ?)?no(?:[.!,;:]|\s?[–—-]\s|$)")
_NO_NEED = re.compile(
    r"\b(?:(?:do not|don't|does not|doesn't|would not|wouldn't|did not) need(?: to)?"
    r"(?: look| search| check)?|no need(?: to)?(?: look| search| check)?"
    r"|not (?:necessary|needed|required)|without (?:looking|searching|checking))\b"
)
_DOUBT = re.compile(
    r"\b(?:yes|but|however|although|though|unless|except|sure|unsure|uncertain|idea|know|maybe"
    r"|perhaps|possibly|probably|might|may|could|should|would|better|need|needs|required|look"
    r"|looking|search|check|verify|confirm|up-to-date|recent|changed?|cutoff)\b|\?"
)


class Memory:
    """A model asked about one question without evidence; each request is made once.

    Args:
        as_of: Day of the check, told to the model.
    """

    def __init__(self, model: LanguageModel, *, question: str, as_of: date) -> None:
        self._model, self._question, self._as_of = model, question, as_of
        self._asked: tuple[Completion, ...] = ()

    def needs_evidence(self) -> bool:
        """Ask the model whether it needs evidence; anything but a clear no counts as yes."""
        if not self._asked:
            prompt = (
                f"Today is {self._as_of.isoformat()}. Question: {self._question}\n"
                "Do you need to look something up to answer this correctly as of today? Answer yes"
                " or no."
            )
            self._asked = (self._complete(prompt),)
        return not is_clear_no(without_thinking(self._asked[0].text))

    def recall(self, feedback: str, prior: Response | None) -> Response:
        """Answer from memory, given feedback on an earlier answer."""
        prompt = (
            f"Today is {self._as_of.isoformat()}. Answer as concisely as possible. Question:"
            f" {self._question}\n{feedback}"
        )
        reply = self._complete(prompt.strip())
        text = without_thinking(reply.text)
        before = prior.completions if prior else self._asked
        return Response(self._question, CLOSED_BOOK, text, text, completions=(*before, reply))

    def _complete(self, prompt: str) -> Completion:
        message = Message("user", prompt)
        return self._model.complete([message], question=self._question, max_tokens=_MAX_TOKENS)


def is_clear_no(reply: str) -> bool:
    """Return True when a reply clearly says no; after any other reply, evidence is searched for.

    "No.", "No, I do not need to look it up." and "No. It is Paris." are clear; "Not sure", "No
    idea", "No, but check it" and "Yes and no" are not.
    """
    text = " ".join(_MARKS.sub(" ", reply).casefold().replace("’", "'").split())
    match = _NO.match(text)
    return match is not None and not _DOUBT.search(_NO_NEED.sub(" ", text[match.end() :]))
