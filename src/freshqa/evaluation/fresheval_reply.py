"""Read a verdict from a judge's reply: tolerant of form, unrated if it is ambiguous."""

from __future__ import annotations

import json
import re
import unicodedata
from dataclasses import dataclass

from freshqa.answering.find_json import without_fence
from freshqa.answering.reasoning import without_thinking
from freshqa.evaluation.judgement import Verdict

_EVALUATION = re.compile(
    r"^[^\w|]*(?:final\s+)?(?:evaluation|verdict|rating)\b[^\w\n]*[:：=][^\w|]*(\w+)"
    r"(?:[^\w\n]*|\s*\(([^()\n]*)\)[^\w\n]*)$",
    re.IGNORECASE | re.MULTILINE,
)
"""The verdict, and what a judge adds in parentheses."""
_RESERVATION = re.compile(
    r"\b(?:but|although|though|however|except|unless|if|not|in ?part|partly|partially|mostly|half"
    r"|incorrect|wrong|false)\b|n't\b",
    re.IGNORECASE,
)
_BARE = re.compile(r"[^\w|]*(correct|incorrect|true|false)[^\w|]*", re.IGNORECASE)
_WORDS = {"true": "correct", "false": "incorrect"}
_FIELDS = ("evaluation", "verdict", "rating")
_CREDITED = re.compile(
    r"\b(?:thus|therefore|hence|so),?\s+the\s+response\s+is\s+(not\s+)?credited\b", re.IGNORECASE
)
_NEXT_CASE = re.compile(r"^\W*question\s*:", re.IGNORECASE | re.MULTILINE)


@dataclass(frozen=True)
class Reply:
    """A verdict with its comment; `unrated` with the reason when there is none.

    Args:
        verdict: correct, incorrect, or unrated when the reply cannot be read with certainty.
        comment: The judge's words, or what is wrong with them.
    """

    verdict: Verdict
    comment: str


def parse_reply(text: str) -> Reply:
    """Return the verdict in a judge's reply.

    Read are lines `evaluation: correct` in any case, with markdown, quotes, a full stop or a remark
    in parentheses that is no reservation; without one, the sentence "Thus, the response is (not) credited." Lines that quote the response (`| …`)
    and further cases that the judge made up are not read. Two verdicts that differ, or a comment
    that contradicts the evaluation, are no verdict: the notebook of FreshEval took the last line
    and did not notice.
    """
    own = _own_words(_from_json(without_thinking(text)))
    bare = _BARE.fullmatch(own)
    if bare:
        word = bare[1].lower()
        return Reply(Verdict(_WORDS.get(word, word)), "the judge gave no reason")
    stated = {word.lower() for word, _ in _EVALUATION.findall(own)}
    if any(_RESERVATION.search(added) for _, added in _EVALUATION.findall(own)):
        return Reply(Verdict.unrated, "the verdict has a reservation")
    unknown = stated - {"correct", "incorrect"}
    if unknown:
        return Reply(Verdict.unrated, f"no such verdict: {', '.join(sorted(unknown))[:80]}")
    credits = {"incorrect" if negation else "correct" for negation in _CREDITED.findall(own)}
    if len(stated) > 1 or len(credits) > 1 or (stated and credits and stated != credits):
        return Reply(Verdict.unrated, "the reply contradicts itself")
    verdicts = stated or credits
    if not verdicts:
        return Reply(Verdict.unrated, "the reply holds no verdict")
    return Reply(Verdict(verdicts.pop()), _comment(own))


def _from_json(text: str) -> str:
    """A reply that is one JSON object with a verdict, as equivalent lines."""
    try:
        values = json.loads(without_fence(text))
    except (ValueError, RecursionError):
        return text
    if not isinstance(values, dict):
        return text
    named = {str(name).strip().lower(): value for name, value in values.items()}
    verdicts = [named[name] for name in _FIELDS if isinstance(named.get(name), str | bool)]
    if not verdicts:
        return text
    comment = " ".join(str(named.get("comment") or "").split())
    words = [str(verdict).strip().lower() for verdict in verdicts]
    return "\n".join([comment, *(f"evaluation: {_WORDS.get(word, word)}" for word in words)])


def _own_words(text: str) -> str:
    folded = unicodedata.normalize("NFKC", text).replace("*", "").replace("_", "").replace("`", "")
    lines = [line for line in folded.splitlines() if not line.lstrip().startswith("|")]
    return _NEXT_CASE.split("\n".join(lines), maxsplit=1)[0] if lines else ""


def _comment(own: str) -> str:
    words = _EVALUATION.sub("", own).strip()
    return re.sub(r"^\W*comment\s*:\s*", "", words, flags=re.IGNORECASE).strip()
