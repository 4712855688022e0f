"""Reading a verdict out of a judge's reply: tolerant of form, closed when in doubt."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from freshqa.answering.reasoning import without_thinking
from freshqa.evaluation.judgement import Verdict

_EVALUATION = re.compile(
    r"^[^\w|]*(?:final\s+)?(?:evaluation|verdict|rating)\b[^\w\n]*[:：=][^\w|]*(\w+)[^\w\n]*$",
    re.IGNORECASE | re.MULTILINE,
)
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

    Read are lines `evaluation: correct` in any case, with markdown, quotes or a full stop; without
    one, the sentence "Thus, the response is (not) credited." Lines that quote the response (`| …`)
    and further cases that the judge made up are not read. Two verdicts that differ, or a comment
    that contradicts the evaluation, are no verdict: the notebook of FreshEval took the last line
    and did not notice.
    """
    own = _own_words(without_thinking(text))
    found = {word.lower() for word in _EVALUATION.findall(own)}
    unknown = found - {"correct", "incorrect"}
    if unknown:
        return Reply(Verdict.unrated, f"no such verdict: {', '.join(sorted(unknown))[:80]}")
    credits = {"incorrect" if negation else "correct" for negation in _CREDITED.findall(own)}
    if len(found) > 1 or len(credits) > 1 or (found and credits and found != credits):
        return Reply(Verdict.unrated, "the reply contradicts itself")
    verdicts = found or credits
    if not verdicts:
        return Reply(Verdict.unrated, "the reply holds no verdict")
    return Reply(Verdict(verdicts.pop()), _comment(own))


def _own_words(text: str) -> str:
    folded = unicodedata.normalize("NFKC", text).replace("*", "").replace("_", "").replace("`", "")
    lines = [line for line in folded.splitlines() if not line.lstrip().startswith("|")]
    return _NEXT_CASE.split("\n".join(lines), maxsplit=1)[0] if lines else ""


def _comment(own: str) -> str:
    words = _EVALUATION.sub("", own).strip()
    return re.sub(r"^\W*comment\s*:\s*", "", words, flags=re.IGNORECASE).strip()
