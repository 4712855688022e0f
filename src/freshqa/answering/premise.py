"""Whether a response says that the question has a false premise."""

from __future__ import annotations

import re

OUTRIGHT = re.compile(
    r"\b(?:false|invalid|incorrect|mistaken|wrong|flawed) (?:premise|assumption)"
    r"|\bpremise\b[^.]{0,40}\b(?:is|seems|appears|may be)\b (?:to be )?(?:false|invalid|incorrect"
    r"|mistaken|wrong|not)\b|\bnot (?:a|based on a) valid premise"
    r"|\b(?:confusion|misunderstanding|mistake) in (?:the|this|your) question\b",
    re.IGNORECASE,
)
DENIAL = re.compile(
    r"\b(?:has|have|had|was|were|is|are|did|do|does|will|would|could|can) (?:currently |still )?"
    r"(?:not|never)\b|\b(?:has|have|had|was|were|is|are|did|does)n['’]t\b|\bnever\b"
    r"|\bthere (?:is|are|was|were|has been|have been) (?:currently )?no\b"
    r"|\b(?:is|are|was|were|has|have|had) no\b"
    r"|\bno (?:one|such|human|person|people|record|animal|country|team|player|woman|man|city)s?\b"
    r"|\bnone of\b|\bnobody\b|\balready (?:taken place|been|happened|occurred|passed|ended)\b"
    r"|\bcancel+ed\b|\bnot yet\b|\byet to\b|\bno longer\b|, not in an?\b"
    r"|\A\W*no \w+(?: [\w'’-]+){0,4} (?:has|have|had|is|are|was|were|did|does|do|exists?)\b",
    re.IGNORECASE,
)
YES_NO = re.compile(
    r"\A\W*(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should)\b",
    re.IGNORECASE,
)
IGNORANCE = re.compile(
    r"\bI (?:do not|don't|cannot|can't)\b|\bI['’]m sorry\b|\binformation\b|\bdata\b"
    r"|\b(?:publicly|currently) (?:known|available)\b|\bspecified\b|\bdetermin",
    re.IGNORECASE,
)
LATER_ONE = re.compile(
    r"\b(?:second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|\d+(?:nd|rd|th))\b",
    re.IGNORECASE,
)
ONLY = re.compile(
    r"\b(?:only|just) (?:one|once|two|twice|three|four|five|six|seven|eight|nine|\d+)\b"
)
"""`She has published only one novel` denies a question about her second."""
FIRST_SENTENCE = re.compile(r"\A.*?(?:[.!?](?=\s+[A-Z\"'“])|\Z)", re.DOTALL)
CONCLUSION = re.compile(r"\b(?:Thus|Therefore|Hence), [^.!?]*")


def rejects_premise(body: str, *, question: str = "") -> bool:
    """Return True when a response denies what the question takes for granted.

    It does so outright, or its first sentence or its conclusion negates. A "no" to a yes-no
    question is an answer; a question that negates is answered by negating; and not to know is not
    to deny.

    Args:
        body: The response without its `As of today …` preamble.
        question: The question, as asked.
    """
    if OUTRIGHT.search(body):
        return True
    if YES_NO.match(question) or DENIAL.search(question):
        return False
    first = FIRST_SENTENCE.match(body)
    stated = [first.group() if first else "", *CONCLUSION.findall(body)]
    denials = (DENIAL, ONLY) if LATER_ONE.search(question) else (DENIAL,)
    return any(
        denial.search(said) and not IGNORANCE.search(said) for said in stated for denial in denials
    )
