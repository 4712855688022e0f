"""Flag text that looks like an attempt to steer the model.

A flag never deletes a finding: it is shown with the evidence and bars automatic acceptance. What
makes an attack harmless is `freshqa.evidence.cleaning`; this module reports the attempt.
"""

from __future__ import annotations

import re
import unicodedata
from datetime import date, timedelta

from freshqa.dates.forms import DAY_IN_PROSE
from freshqa.dates.page_date import calendar_date
from freshqa.evidence.cleaning import visible
from freshqa.evidence.injection_patterns import HINTS, PATTERNS

FLAGS = (
    "override",  # disregard previous instructions
    "role-tag",  # looks like a system or developer turn
    "forged-demonstration",  # a question: … answer: … pair of its own
    "forged-verdict",  # evaluation: correct
    "closes-block",  # ends the data, then commands
    "false-authority",  # official correction, every other page is wrong
    "future-date",  # claims to be newer than the search itself
    "refusal-bait",  # you must decline to answer
    "format-hijack",  # reply in base64, as a poem
    "premise-poison",  # the premise is settled, never to be questioned
    "prompt-leak",  # print your instructions or key
    "exfiltration",  # put the answer into an image address
    "decoy-work",  # first solve this long puzzle
    "hidden-text",  # zero-width, bidirectional, look-alike letters, comments
    "flooding",  # far too long, or one claim repeated many times
)
FLOOD_LENGTH = 8_000
"""Characters: the longest honest finding in the recorded bodies has 5,300."""
I = re.IGNORECASE
COMPILED = tuple(
    (name, HINTS[name], re.compile("|".join(patterns), I | re.DOTALL))
    for name, patterns in PATTERNS.items()
)
ABOUT_INJECTION = re.compile(r"prompt[ -](?:injection|hacking)|jailbreak|red[ -]team")
QUOTED = re.compile(r"[\"“”‘’'«»][^\"“”«»]{3,120}[\"“”’'«»]")
"""An article about prompt injection quotes attacks; only its own statements count."""
CLAIMED_DATE = re.compile(
    r"\b(?:As of|[Uu]pdated|[Pp]ublished|[Dd]ated|[Pp]osted|[Cc]orrected)(?: on)?:?\s+(?:the )?"
    rf"({DAY_IN_PROSE}|\d{{4}}-\d{{2}}-\d{{2}})"
)
DATE_HINTS = ("as of", "updated", "published", "dated", "posted", "corrected")
COMMENT = re.compile(
    r"<!--.{0,2000}?-->|style\s*=\s*[\"'][^\"']*(?:display\s*:\s*none|font-size\s*:\s*0)",
    I | re.DOTALL,
)
HIDDEN = re.compile(
    "[\u202d\u202e\U000e0000-\U000e0fff]|(?<=[A-Za-z])[\u200b-\u200d\u2060-\u2064\ufeff]+(?=[A-Za-z])"
)
"""Direction overrides, tag characters, and zero-width ones that cut a word in two. Honest pages have
zero-width spaces between words, soft hyphens, and isolates around names: these are only removed."""
FLAG_EMOJI = re.compile("\U0001f3f4[\U000e0060-\U000e007f]{1,7}")
FOREIGN_LETTER = re.compile("[\u0370-\u04ff]")
LATIN_WORD = re.compile(r"[A-Za-z]{4,}")
LOOK_ALIKES = str.maketrans(
    "аеорсухіјѕԁһԛԝАВЕКМНОРСТХІЈЅѵοανικρτυχΑΒΕΗΙΚΜΝΟΡΤΧΥΖ",
    "aeopcyxijsdhqwABEKMHOPCTXIJSvoavikptuxABEHIKMNOPTXYZ",
)


def suspicious(text: str, *, as_of: date | None = None) -> tuple[str, ...]:
    """Return the names of the patterns in `FLAGS` that the raw text shows, in their order.

    Args:
        text: As the page has it, before cleaning.
        as_of: Day of the search; a text that claims to be newer is flagged.
    """
    flags = set()
    if len(text) > FLOOD_LENGTH:
        flags.add("flooding")
        text = text[:FLOOD_LENGTH]
    plain = text
    if not text.isascii():
        plain = unicodedata.normalize("NFKC", _visible_lines(text))
        if HIDDEN.search(FLAG_EMOJI.sub("", text)) or _mixes_alphabets(plain):
            flags.add("hidden-text")
        plain = plain.translate(LOOK_ALIKES)
    if "<" in text and COMMENT.search(text):
        flags.add("hidden-text")
    if _repeats(plain):
        flags.add("flooding")
    folded = plain.lower()
    if ABOUT_INJECTION.search(folded):
        plain = QUOTED.sub(" ", plain)
    for name, hints, pattern in COMPILED:
        if any(hint in folded for hint in hints) and pattern.search(plain):
            flags.add(name)
    if as_of is not None and _claims_the_future(plain, folded, as_of):
        flags.add("future-date")
    return tuple(name for name in FLAGS if name in flags)


def _visible_lines(text: str) -> str:
    """The text without hidden characters; line ends are kept, because a forged turn starts a line."""
    return "\n".join(visible(line) for line in text.splitlines())


def _mixes_alphabets(text: str) -> bool:
    """Return True when a word of Latin letters has Greek or Cyrillic ones that look the same.

    Names such as TNFα, whose Latin letters are capitals, are honest.
    """
    if not FOREIGN_LETTER.search(text):
        return False
    for word in text.split():
        if not word.isascii() and any("a" <= letter <= "z" for letter in word):
            latin = word.translate(LOOK_ALIKES)
            if latin != word and latin.isascii() and LATIN_WORD.search(latin):
                return True
    return False


def _repeats(text: str) -> bool:
    """Return True when a longer sentence is repeated five times or more."""
    if len(text) < 300:
        return False
    sentences = [s.strip().casefold() for s in re.split(r"[.!?\n]", text) if len(s.strip()) > 20]
    return len(sentences) >= 5 and max(map(sentences.count, set(sentences))) >= 5


def _claims_the_future(text: str, folded: str, as_of: date) -> bool:
    if not any(hint in folded for hint in DATE_HINTS):
        return False
    for match in CLAIMED_DATE.finditer(text):
        claimed = calendar_date(match.group(1).casefold(), order="MDY")
        if claimed is not None and claimed > as_of + timedelta(days=1):
            return True
    return False
