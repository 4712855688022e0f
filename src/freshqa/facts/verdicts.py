"""Yes and no answers, and the text that follows them."""

from __future__ import annotations

import re

from freshqa.facts.tokens import STOP_WORDS, fold_word, tokenise
from freshqa.facts.word_list import words

_VERDICT = re.compile(
    r"^\W*(yes|no)(?=\W*$|\s*[,;:–—]|\s+-\s|[.!](?:\s+\D|\Z))(?P<rest>.*)",
    re.IGNORECASE | re.DOTALL,
)
_TURNED = words("former formerly previous unlike instead rather just first last")
_NOW = words("currently now today longer anymore moment presently current time")
_DENIAL_WORDS = words(
    "isnt arent wasnt werent hasnt havent hadnt doesnt dont didnt cannot cant wont"
)
_HOW_MANY = re.compile(r"\bhow (?:many|much)\b", re.IGNORECASE)
_NONE = re.compile(
    r"(?:\A\W*|\b(?:is|are|was|were|has|have|had|there(?:['’]s)?) (?:currently |still )?)no (\w+)"
    r"|(?:\bnot|n['’]t)(?: \w+){0,3}? (?:any|a single) (\w+)|\bnever (?:been )?(\w+)",
    re.IGNORECASE,
)
_NOBODY = re.compile(r"\A\W*(?:none|nobody|no one|zero)\b", re.IGNORECASE)
_ASKS_VERDICT = re.compile(
    r"\A\W*(?:is|are|was|were|do|does|did|has|have|had|can|could|will|would|should)\b(?!.* or )",
    re.IGNORECASE,
)
_DENIED = re.compile(
    r"\b(?:not|never|no|cannot|neither|nor|without|none)\b|n['’]t\b", re.IGNORECASE
)
_CLAUSE = re.compile(r"[,;:] |[.!?] ")
_SHARED = 0.5
"""Share of the question's content words that a denial must repeat; an affirmation, all of them."""
_MORE = 1
"""Content words that a sentence may have beside the question's."""
_NEXT_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=\D)|\n+")
_QUALIFIED = words(
    "but only until till except unles if unless though although however while wherea whereas despite "
    "partly partially mostly almost nearly depend depending sometime sometimes some most few limited "
    "provided probably possibly perhap perhaps maybe likely reportedly allegedly may might could yet "
    "temporarily formerly previously technically half part partial conditionally supposedly arguably "
    "apparently hopefully seemingly seem believe think guess assume suppose doubt theory exception "
    "officially unofficially entirely completely fully exactly quite necessarily hardly barely "
    "scarcely rarely seldom rumor rumour pending subject extent degree sort kind interim"
)
"""Words after yes or no that make it less than a yes or a no."""
_OPENS_A_FRAGMENT = words(
    "in on at for from with without within as of by to since before after during under over up "
    "through throughout apart aside other save back once twice one two three used so soon if "
    "when where more less about around and or not"
)
_VERB = re.compile(
    r"\b(?:am|is|are|was|were|has|have|had|do|does|did|can|could|will|would|should|must)\b|['’](?:s|re|ve|d|ll)\b"
    r"|n['’]t\b|\w{2,}ed\b"
    r"|\b(?:won|lost|held|made|became|took|came|went|got|left|sold|set|put|won|led|said|began|beat)\b",
    re.IGNORECASE,
)
_PARTICIPLE = re.compile(r"[a-z]{2,}ed\b")
_FIRST_SENTENCE = re.compile(r"[^.!?;]*")


def is_verdict(answer: str) -> bool:
    """Return True when an answer is a yes or a no, or a sentence that starts with one."""
    return bool(yes_or_no(answer))


def find_verdict(verdict: str, text: str) -> int | None:
    """Where a text, or a sentence of it, gives the same plain yes or no; None when nowhere."""
    starts = [0, *(match.end() for match in _NEXT_SENTENCE.finditer(text))]
    for start, end in zip(starts, [*starts[1:], len(text)], strict=True):
        for said in (text[start:end], text[start:] if not start else ""):
            if is_verdict(said) and same_verdict(verdict, said):
                return start + len(said) - len(said.lstrip())
    return None


def yes_or_no(answer: str) -> str:
    """`yes` or `no` where an answer is one, or a sentence that starts with one."""
    match = _VERDICT.match(answer)
    return match.group(1).casefold() if match else ""


def same_verdict(verdict: str, other: str) -> bool | None:
    """True or False for two answers that start with yes or no; None where one takes it back."""
    left, right = _after_verdict(verdict), _after_verdict(other)
    agree = yes_or_no(verdict) == yes_or_no(other)
    if verdict.rstrip().endswith("?") or other.rstrip().endswith("?"):
        return True if verdict == other else None
    if agree and left == right:
        return True
    if agree and (_limited(verdict) or _limited(other)):
        return None
    turned = {False: _QUALIFIED, True: _QUALIFIED | {"not", "never", "no"}}
    for answer, rest in ((verdict, left), (other, right)):
        if set(rest) & turned[yes_or_no(answer) == "yes"]:
            return None
    return agree


def counts_none(answer: str, question: str) -> bool:
    """Return True when `how many` is answered by none: `She has no children.`, `None.`

    What there is none of must be what the question counts, and nothing may take it back.
    """
    if not _HOW_MANY.search(question):
        return False
    tokens = tokenise(answer)
    asked = {token.form for token in tokenise(question)}
    if {token.form for token in tokens} & _QUALIFIED - asked:
        return False
    if any(token.value and token.form not in asked for token in tokens):
        return False
    denied = {fold_word(word) for groups in _NONE.findall(answer) for word in groups if word}
    return bool(denied & asked) or _NOBODY.match(answer) is not None


def stated_verdict(sentence: str, question: str) -> str:
    """`Yes` or `No` where a sentence affirms or denies what a question asks, in its own words.

    `Arsenal is not on the top of the table.` is No. Neither where the sentence says less or much
    more than the question, takes something back, or where the question negates or offers a choice.
    """
    clause = _CLAUSE.split(sentence.strip().rstrip("."), maxsplit=1)
    said = {token.form for token in tokenise(clause[0])}
    asked = {token.form for token in tokenise(question)}
    content, own = asked - STOP_WORDS, said - STOP_WORDS - _NOW
    denials = _DENIED.findall(clause[0])
    taken_back = {token.form for token in tokenise(sentence)} & (_QUALIFIED | _TURNED) - asked
    if not _ASKS_VERDICT.match(question) or _DENIED.search(question) or taken_back:
        return ""
    if len(own - content - _DENIAL_WORDS) > _MORE or len(denials) > 1:
        return ""
    if not content or len(content & said) < (_SHARED if denials else 1) * len(content):
        return ""
    return "No" if denials else "Yes"


def _limited(answer: str) -> bool:
    """Return True where no sentence follows a yes or no, but what limits it: `Yes, for now`."""
    match = _VERDICT.match(answer)
    rest = _FIRST_SENTENCE.match((match["rest"] if match else "").lstrip(" ,;:.!–—-("))
    said = rest.group() if rest else ""
    first = re.match(r"\w+", said)
    if first is None:
        return False
    if _PARTICIPLE.match(said):
        return True
    return first.group().casefold() in _OPENS_A_FRAGMENT and not _VERB.search(said)


def _after_verdict(answer: str) -> list[str]:
    match = _VERDICT.match(answer)
    return [token.form for token in tokenise(match["rest"])] if match else []
