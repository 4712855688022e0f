"""Extract the answer from a model's reply, and whether it rejects the premise."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from rapidfuzz import fuzz

from freshqa.answering.abstention import abstains
from freshqa.answering.error_report import answer_instead, reports_errors, without_report
from freshqa.answering.find_json import without_fence
from freshqa.answering.premise import rejects_premise
from freshqa.answering.reasoning import without_thinking
from freshqa.answering.reply_json import as_labels
from freshqa.dates.forms import DAY_IN_PROSE, MONTH_IN_PROSE

LONGEST_ALONE = 300
"""Characters; a longer text is an account, not an answer."""
DATE = rf"(?:{DAY_IN_PROSE}|{MONTH_IN_PROSE}|\d{{4}}(?:-\d\d-\d\d)?)"
AS_OF = re.compile(
    rf"\A\W*as of (?:(?:today|now|my (?:last|latest) [a-z ]+?|the (?:most recent|latest|current)"
    rf"[a-z ]*?)(?:,? (?:on |in )?{DATE})?|{DATE})\s*,\s*"
    r"(?:the most up-to-date and relevant information (?:regarding this query )?is as follows\W+)?",
    re.IGNORECASE,
)
THINKS_ALOUD = re.compile(
    r"\A\W*(?:(?:ok(?:ay)?|al?right|hmm+|so|well|right|first|now|wait)\b\W*)*(?:let me\b|let['’]s\b"
    r"|we (?:need to|have to|are asked)\b|i (?:need|have) to\b"
    r"|i['’]ll (?:think|look|check|start|go)\b|the user (?:asks?|wants?|is|has)\b"
    r"|the question (?:asks|wants|is asking)\b)|\A\W*(?:好的?|嗯)?[，,]?\s*(?:让我|首先[，,]|我需要|用户)",
    re.IGNORECASE,
)
"""How reasoning opens that a server left in the reply without any mark."""
LONGEST_NAME = 3
"""Words; what is longer is taken for a sentence."""
ABBREVIATED = re.compile(r"\b(?:[A-Z]|Inc|Ltd|Co|Corp|Jr|Sr|etc|St|Ph\.D)\.\Z")
GROUNDS = re.compile(
    r"\A\W*(?:based on|according to|given|from|judging by|in|per)\s+(?:\w+ ){0,4}(?:evidence"
    r"|(?:search )?results?|sources?|documents?|passages?|information|context|findings?)\b"
    r"[^,.;:]{0,40}[,:]\s*(?=\S)"
    r"|\A\W*(?:the|my|this) (?:(?:most|latest|recent|current|available|search|provided) ){0,3}"
    r"(?:evidence|information|results?|sources?|documents?|reports?)(?: available| provided)?"
    r" (?:is|are|says?|shows?|indicates?|suggests?|states?|confirms?) that\s+(?=\S)",
    re.IGNORECASE,
)
"""`Based on the evidence,`: says where the answer is from, not what it is."""
ABOUT_PREMISE = re.compile(
    r"(?:\A|(?<=[.!?;,:])\s*)[\s*_-]*(?:(?:yes|ok|okay|sure|first|and|so|since|as)\b,?\s*)?(?:"
    r"premise(?: check)?\W{0,4}(?:is )?(?:valid|true|correct)"
    r"|(?:that )?(?:the|this|your|its) (?:question|query)(?:['’]s premise)? (?:(?!not\b|no\b|never\b)\w+ ){0,3}?"
    r"(?:a |the )?(?:valid|true|correct|sound|reasonable)(?: premise| assumption)?"
    r"|(?:that )?(?:the|this|your|its) (?:question|query) (?:\w+ )?(?:is|seems|appears)(?: to be)? "
    r"(?:valid|clear|answerable|well[- ]formed)"
    r"|(?:that )?(?:the|this|your|its) (?:question|query) (?:does not|doesn['’]t|has no|contains no)"
    r" (?:\w+ ){0,3}(?:false|invalid|incorrect) (?:premise|assumption)s?"
    r"|(?:the|this|its|your) (?:question['’]s )?premise(?: of (?:the|this|your) (?:question|query))?"
    r" (?:is|seems|appears|looks|holds)(?: to be)? ?(?:valid|true|correct|sound|up)"
    r"|(?:it|this|there) (?:is|has|contains) a valid premise"
    r"|valid premise)"
    r"\W*(?=\Z|[.!?;,:]|and\b|so\b)[.!?;,:]*\s*(?:and\s+|so\s+)?",
    re.IGNORECASE,
)
"""`The question contains a valid premise.`: says something of the question, and answers nothing."""
DENIES_ALONE = re.compile(r"\A\W*(?:none|nobody|no one|nothing|never|nowhere)\b", re.IGNORECASE)
WORD = re.compile(r"\w+")
SHORT_WORD = 3
LONGEST_SHORT = 6
"""Words; an answer of more is a sentence, which may be a rebuttal."""
SHORTEST_ECHO = 4
"""Words; fewer may be an answer that the feedback names."""
ECHO = 90.0
"""Similarity from which a sentence is one of the feedback."""
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
    r"(?<=[。！？])\s*(?=\S)|(?<=[.!?])(?<!\b[A-Z]\.)(?<!\b(?:Dr|Mr|Ms|St|No|vs|Jr|Sr)\.)(?<!\bMrs\.)"
    r"[\"'”’)\]]*\s+(?=[\"'“‘(\[]?[A-Z0-9\u4e00-\u9fff])"
)


@dataclass(frozen=True)
class Extracted:
    """The content of a reply.

    Args:
        text: The reply as a reader sees it: no reasoning, no fence, no labelled lines.
        answer: The answer standing alone, or "" where none is given.
        premise_rejected: True when it says that the premise is false.
        premise_doubtful: True when a label says that the premise is false, and the reply answers
            the question nevertheless.
        reports_errors: True when it says that the evidence is wrong or contradicts itself.
    """

    text: str
    answer: str
    premise_rejected: bool
    premise_doubtful: bool = False
    reports_errors: bool = False


def extract(reply: str, *, question: str = "", told: str = "") -> Extracted:
    """Read a reply, labelled or not.

    A reply that declines to answer has no answer and rejects no premise, whatever its labels say.

    Args:
        reply: What the model wrote.
        told: Feedback that the model was given; a reply that repeats it answers nothing.
    """
    visible = as_labels(without_fence(without_thinking(reply)))
    visible = NEXT_EXAMPLE.split(visible, maxsplit=1)[0].strip()
    labels = {name.lower(): value.strip() for name, value in LABELLED.findall(visible)}
    text = ANSWER_LABEL.sub("", LABELLED.sub("", visible)).strip()
    short = labels.get("short answer") or labels.get("final answer") or ""
    if ABOUT_PREMISE.fullmatch(short) or _echoes(short, told):
        short = ""
    stated = _after_thinking_aloud(text)
    said = [s for s in sentences(without_preamble(stated)) if not _echoes(s, told)]
    reports = any(map(reports_errors, said))
    said = [rest for sentence in said if (rest := own_statement(sentence))]
    body = " ".join(said)
    answer = without_full_stop(answer_instead(short or standing_alone(said)))
    denied = rejects_premise(body, question=question) or DENIES_ALONE.match(short) is not None
    denied = denied or rejects_premise(short, question=question)
    if not answer or abstains(answer) or (not (short or denied) and any(map(abstains, said))):
        return Extracted(text or short, "", False, reports_errors=reports)
    rejected = denied
    if "premise" in labels:
        says_false = labels["premise"].lower().startswith(("false", "invalid", "not valid"))
        rejected = says_false and (denied or not _answers(answer, question))
        doubtful = says_false and not rejected
        return Extracted(text or short, answer, rejected, doubtful, reports)
    return Extracted(text or short, answer, rejected, reports_errors=reports)


def _after_thinking_aloud(text: str) -> str:
    """Return the last paragraph of a reply that opens with `Okay, let me think`, or its conclusion.

    What it considers on the way is no answer, and without either of them nor is the rest.
    """
    if not THINKS_ALOUD.match(text):
        return text
    *before, last = re.split(r"\n\s*\n", text.strip())
    if before and not THINKS_ALOUD.match(last):
        return last
    return text if any(CONCLUSION.match(s) for s in sentences(text)[1:]) else ""


def own_statement(sentence: str) -> str:
    """Return the statement of a sentence without remarks on the premise or the documents."""
    return GROUNDS.sub("", ABOUT_PREMISE.sub("", without_report(sentence))).strip()


def _echoes(sentence: str, told: str) -> bool:
    """Return True when a sentence repeats one of the feedback, give or take a word."""
    if not told or len(sentence.split()) < SHORTEST_ECHO:
        return False
    return any(fuzz.ratio(sentence.casefold(), s.casefold()) >= ECHO for s in sentences(told))


def _answers(answer: str, question: str) -> bool:
    """True for an ordinary answer: a name or a number, or a sentence that restates the question."""
    if len(answer.split()) <= LONGEST_SHORT:
        return True
    asked = {word for word in WORD.findall(question.casefold()) if len(word) > SHORT_WORD}
    return 2 * len(asked & set(WORD.findall(answer.casefold()))) >= len(asked) > 0


def goes_on(reply: str) -> bool:
    """True when a reply runs on into an invented next question: its own answer is finished."""
    return bool(NEXT_EXAMPLE.search(without_thinking(reply)))


def without_preamble(text: str) -> str:
    """Return the text without the `As of today …` or `Based on the evidence, …` that opens it."""
    body = GROUNDS.sub("", AS_OF.sub("", text, count=1), count=1)
    return body[:1].upper() + body[1:] if body != text else text


def without_full_stop(answer: str) -> str:
    """Return a name or number without the full stop of its line; sentences keep theirs."""
    is_name = len(answer.split()) <= LONGEST_NAME and not ABBREVIATED.search(answer)
    return answer.rstrip(".。").rstrip() if is_name else answer


def sentences(text: str) -> list[str]:
    """Return the sentences of a text, English or Chinese, without emphasis marks."""
    plain = re.sub(r"[*_`]{1,3}(\S(?:.*?\S)?)[*_`]{1,3}", r"\1", text)
    return [s.strip() for s in SENTENCE_END.split(" ".join(plain.split())) if s.strip()]


def standing_alone(said: Sequence[str]) -> str:
    """The one statement that answers: the conclusion where one is drawn, else the first sentence.

    What follows a first sentence elaborates; the demonstrations write it in this order.
    """
    if not said:
        return ""
    concluding = [s for s in said[1:] if CONCLUSION.match(s)]
    answer = CONCLUSION.sub("", concluding[-1]) if concluding else said[0]
    if PRONOUN.match(answer) and concluding:
        answer = f"{said[0]} {concluding[-1]}"
    answer = answer[:1].upper() + answer[1:]
    return answer if len(answer) <= LONGEST_ALONE else ""
