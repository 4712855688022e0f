"""Guess the encoding of text that is not Unicode: English with foreign names, or another language.

Most encodings decode any bytes, so the measure is how unusual the result looks: letters of no common
alphabet in one word, rare ideographs, symbols between letters. Where two encodings look equally
likely, charset-normalizer's measure of disorder decides, and the caller is told of the other one.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

SINGLE_BYTE = (
    "cp1252",
    "cp1250",
    "mac_roman",
    "cp1251",
    "cp1253",
    "cp1254",
    "cp1257",
    "iso8859_2",
    "koi8_r",
    "iso8859_5",
    "cp874",
)
DOUBLE_BYTE = {
    "gb18030": (b"\xb0\xd7", b"\xa1\xfe"),
    "cp932": (b"\x88\x97", b"\x40\xfc"),
    "cp950": (b"\xa4\xc6", b"\x40\xfe"),
    "cp949": (b"\xb0\xc8", b"\xa1\xfe"),
    "euc_jp": (b"\xb0\xcf", b"\xa1\xfe"),
}
"""Ranges of the lead and trail byte of the characters in common use: level 1 of each standard."""
ENCODINGS = ("cp1252", "gb18030", *SINGLE_BYTE[1:], *list(DOUBLE_BYTE)[1:])
"""If nothing else distinguishes them, an earlier one is more likely."""
ALPHABETS = tuple(
    map(
        frozenset,
        (
            *("àâæçéèêëîïôœùûüÿ", "áéíñóúüªº", "áâãàçéêíóôõúüªº", "àèéìíòóùú", "äöüßé", "æøåéòó"),
            *("åäöéü", "áðéíóúýþæö", "áäčďéěíĺľňóôŕřšťúůýž", "ąćęłńóśźż", "áéíóöőúüű"),
            *("čćđšž", "ăâîșşțţ", "âçğıİîöşüû", "äõöüšž", "āčēģīķļņšūž", "ąčęėįšųūž", "ëïéöüè"),
        ),
    )
)
"""Letters beyond a–z of a language: fr, es, pt, it, de, da/no, sv, is, cs/sk, pl, hu, hr/sl, ro, tr,
et, lv, lt, nl."""
WORD = r"[^\W\d_]*[^\x00-\x7f\W\d_][^\W\d_]*"
"""A word with a letter beyond ASCII."""
UNITS = "°£¥€¢²³½¼¾×±…•™®©§µ"
RUNS = 10_000
SAMPLE = 65_536
SHOWN = 2


class OtherReading(NamedTuple):
    """An encoding that is about as likely, and a word that it reads differently.

    Args:
        encoding: Name of the codec.
        guessed: The word in the guessed encoding.
        other: The same bytes in this one.
    """

    encoding: str
    guessed: str
    other: str


@dataclass(frozen=True)
class Guess:
    """The likeliest encoding.

    Args:
        encoding: Name of the codec; it writes the same bytes again.
        disorder: charset-normalizer's measure, 0 to 1; 1 where it rejects the encoding.
        others: Encodings that are about as likely.
    """

    encoding: str
    disorder: float
    others: tuple[OtherReading, ...] = ()

    def note(self) -> str:
        """Return what a person should know about the guess, in one sentence."""
        other = "; ".join(
            f"{reading.encoding} reads {reading.other!r}, not {reading.guessed!r}"
            for reading in self.others
        )
        return (
            f"not UTF-8: read as {self.encoding}, a guess ({1 - self.disorder:.0%} confidence of "
            f"charset-normalizer{f'; {other}' if other else ''})"
        )


def guess_encoding(data: bytes) -> Guess:
    """Return the encoding in which the text looks least unusual; latin-1 if none can decode it."""
    sample = b"\n".join(line for line in data.splitlines() if not line.isascii())[:SAMPLE]
    scores = {}
    for encoding in ENCODINGS:
        if _reads(data, encoding):
            scores[encoding] = _oddness(sample.decode(encoding, "ignore"), encoding)
    if not scores:
        return Guess("latin-1", 1.0)
    disorder = _disorder(sample, list(scores))
    order = sorted(
        scores,  # a stable order: single-byte encodings that look alike stay in that of ENCODINGS
        key=lambda name: (scores[name], name in DOUBLE_BYTE and disorder.get(name, 1.0)),
    )
    best = order[0]
    close = [name for name in order[1:] if scores[name] <= scores[best] + 1]
    return Guess(best, disorder.get(best, 1.0), _differing(sample, best, close))


def _reads(data: bytes, encoding: str) -> bool:
    try:
        return data.decode(encoding).encode(encoding) == data
    except UnicodeError:
        return False


def _disorder(sample: bytes, encodings: list[str]) -> dict[str, float]:
    # Deferred: a file in UTF-8, the usual case, does not need it.
    from charset_normalizer import from_bytes

    matches = from_bytes(sample, cp_isolation=encodings, preemptive_behaviour=False)
    return {match.encoding: round(match.chaos, 2) for match in matches}


def _differing(sample: bytes, best: str, others: list[str]) -> tuple[OtherReading, ...]:
    """Return each other encoding with the first word that it reads otherwise."""
    differences, texts = [], set()
    for other in others:
        for word in re.split(rb'[,;"\s]+', sample):
            here, there = word.decode(best, "replace"), word.decode(other, "replace")
            if here != there and there not in texts:
                texts.add(there)
                differences.append(OtherReading(other, here, there))
                break
    return tuple(differences[:SHOWN])


def _oddness(text: str, encoding: str) -> int:
    """Rate how unlike English with foreign names the characters beyond ASCII look; 0 is best."""
    odd = sum(_odd_word(match[0]) for match in islice(re.finditer(WORD, text), RUNS))
    for match in islice(re.finditer(r"(.?)([^\x00-\x7f]+)(.?)", text), RUNS):
        before, run, after = match.groups()
        ends = ((before, run[0]), (after, run[-1]))
        odd += sum(3 * (ascii.isalpha() and _wide(end)) for ascii, end in ends)
        odd += sum(
            2 * (ascii.isdigit() and end.isalpha() and not _wide(end)) for ascii, end in ends
        )
        # a dash separates words; the apostrophe alone is inside one
        odd += 2 * (before.isalpha() and after.islower() and not run.isalpha() and run != "’")
        alone = len(run) == 1
        odd += sum(_odd_character(character, encoding, alone) for character in run)
    return odd


def _odd_word(word: str) -> int:
    """Rate how badly the letters of a word, at least one of them beyond ASCII, fit together."""
    letters = [letter for letter in word if not letter.isascii() and not _wide(letter)]
    if not letters:
        return 0
    scripts = {unicodedata.name(letter, "").split(" ")[0] for letter in word if not _wide(letter)}
    odd = 3 * (len(scripts) > 1) + 2 * ("ς" in word[:-1])
    if not word.isupper():  # a capital inside a word
        odd += 3 * sum(letter.isupper() and not letter.isascii() for letter in word[1:])
    if scripts == {"LATIN"}:
        beyond = {letter if letter == "İ" else letter.lower() for letter in letters}
        odd += 2 * all(beyond - alphabet for alphabet in ALPHABETS)
    return odd


@lru_cache(maxsize=8192)
def _odd_character(character: str, encoding: str, alone: bool) -> int:
    if _wide(character):
        return 3 if not _common(character, encoding) else int(alone)
    if "\uff61" <= character <= "\uff9f":
        # half-width katakana, which lead bytes of other encodings become
        return 2
    if character.isalpha() or "\uff01" <= character <= "\uff5e":
        return 0
    if character in UNITS:
        return 0 if alone else 1
    category = unicodedata.category(character)
    return 0 if category in ("Pd", "Pi", "Pf") else 3 if category in ("Cc", "Co", "Cn") else 2


def _common(character: str, encoding: str) -> bool:
    """Return whether an ideograph, a syllable or a mark is in common use, by its place in the code."""
    if "\u3000" <= character <= "\u30ff":  # marks and kana
        return True
    code = character.encode(encoding)
    ranges = DOUBLE_BYTE.get(encoding, ())
    return len(code) == len(ranges) and all(
        low <= byte <= high for byte, (low, high) in zip(code, ranges, strict=True)
    )


def _wide(character: str) -> bool:
    return "\u2e80" <= character <= "\ufaff"
