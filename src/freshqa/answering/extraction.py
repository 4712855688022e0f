"""The answer out of a model's reply: what is said, what stands alone, whether a premise falls."""

from __future__ import annotations

import re
from dataclasses import dataclass

from freshqa.answering.premise import rejects_premise
from freshqa.answering.reasoning import without_thinking
from freshqa.answering.structured import without_fence

LONGEST_ALONE = 300
"""Characters; a longer text is an account, not an answer."""
DATE = r"(?:[A-Z][a-z]+\.? \d{1,2}, \d{4}|[A-Z][a-z]+ \d{4}|\d{4}(?:-\d\d-\d\d)?)"
AS_OF = re.compile(
    rf"\A\W*as of (?:(?:today|now|my (?:last|latest) [a-z ]+?|the (?:most recent|latest|current)"
    rf"[a-z ]*?)(?:,? (?:on |in )?{DATE})?|{DATE})\s*,\s*"
    r"(?:the most up-to-date and relevant information (?:regarding this query )?is as follows\W+)?",
    re.IGNORECASE,
)
LONGEST_NAME = 3
"""Words; what is longer is taken for a sentence."""
ABBREVIATED = re.compile(r"\b(?:[A-Z]|Inc|Ltd|Co|Corp|Jr|Sr|etc|St|Ph\.D)\.\Z")
ANSWER_LABEL = re.compile(r"\A\W*(?:answer|response)\s*:\s*", re.IGNORECASE)
LABELLED = re.compile(
    r"^[\s*_>-]*(premise|(?:short|final) answer)[\s*_]*:[\s*_]*(.*?)[\s*_]*$",
    re.IGNORECASE | re.MULTILINE,
)
NEXT_EXAMPLE = re.compile(r"\n\s*(?:query|question)\s*:", re.IGNORECASE)
CONCLUSION = re.compile(r"\A(?:thus|therefore|hence|so|in conclusion|overall),?\s+", re.IGNORECASE)
PRONOUN = re.compile(
    r"\A(?:it|its|he|she|his|her|they|their|this|that|these|those)\b", re.IGNORECASE
)
SENTENCE_END = re.compile(
    r"(?<=[.!?])(?<!\b[A-Z]\.)(?<!\b(?:Dr|Mr|Ms|St|No|vs|Jr|Sr)\.)(?<!\bMrs\.)"
    r"[\"'”’)\]]*\s+(?=[\"'“‘(\[]?[A-Z0-9])"
)
ABSTAINS = re.compile(
    r"\bunknown\Z|\b(?:evidence|search results?|sources?|information|context)\b[^.]{0,60}\b"
    r"(?:do(?:es)? not|don't|doesn't|did not) (?:say|state|mention|provide|specify|contain|include"
    r"|indicate|reveal|answer)|\b(?:not enough|insufficient|no (?:specific|relevant|clear|further)?"
    r" ?)information\b|\bcan(?:not|'t) be (?:determined|answered)\b|\b(?:unable|not possible) to"
    r" (?:determine|answer|provide|find)\b|\bI (?:do not|don't) (?:know|have)\b|\bnot (?:clear"
    r"|specified|mentioned) in the\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Extracted:
    """What a reply comes to.

    Args:
        text: The reply as a reader sees it: no reasoning, no fence, no labelled lines.
        answer: The answer standing alone, or "" where none is given.
        premise_rejected: True when it says that the premise is false.
    """

    text: str
    answer: str
    premise_rejected: bool


def extract(reply: str, *, question: str = "") -> Extracted:
    """Read a reply, labelled or not."""
    visible = without_fence(without_thinking(reply))
    visible = NEXT_EXAMPLE.split(visible, maxsplit=1)[0].strip()
    labels = {name.lower(): value.strip() for name, value in LABELLED.findall(visible)}
    text = ANSWER_LABEL.sub("", LABELLED.sub("", visible)).strip()
    short = labels.get("short answer") or labels.get("final answer") or ""
    body = without_preamble(text)
    answer = without_full_stop(short or standing_alone(body))
    abstains = bool(ABSTAINS.search(answer))
    if "premise" in labels:
        rejected = labels["premise"].lower().startswith(("false", "invalid", "not valid"))
    else:
        rejected = not abstains and rejects_premise(body, question=question)
    if abstains or (not short and not rejected and ABSTAINS.search(body)):
        answer = ""
    return Extracted(text or short, answer, rejected)


def goes_on(reply: str) -> bool:
    """True when a reply runs on into an invented next question: its own answer is finished."""
    return bool(NEXT_EXAMPLE.search(without_thinking(reply)))


def without_preamble(text: str) -> str:
    """The text without the `As of today …` that opens it."""
    body = AS_OF.sub("", text, count=1)
    return body[:1].upper() + body[1:] if body != text else text


def without_full_stop(answer: str) -> str:
    """A name or number without the full stop of the line it stood on; sentences keep theirs."""
    is_name = len(answer.split()) <= LONGEST_NAME and not ABBREVIATED.search(answer)
    return answer.rstrip(".") if is_name else answer


def standing_alone(body: str) -> str:
    """The one statement that answers: the conclusion where one is drawn, else the first sentence.

    What follows a first sentence elaborates; the demonstrations write it in this order.
    """
    body = re.sub(r"[*_`]{1,3}(\S(?:.*?\S)?)[*_`]{1,3}", r"\1", body)
    sentences = [s.strip() for s in SENTENCE_END.split(" ".join(body.split())) if s.strip()]
    if not sentences:
        return ""
    concluding = [s for s in sentences[1:] if CONCLUSION.match(s)]
    answer = CONCLUSION.sub("", concluding[-1]) if concluding else sentences[0]
    if PRONOUN.match(answer) and concluding:
        answer = f"{sentences[0]} {concluding[-1]}"
    answer = answer[:1].upper() + answer[1:]
    return answer if len(answer) <= LONGEST_ALONE else ""
