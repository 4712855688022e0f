"""English number words, cardinal and ordinal: `forty-nine`, `one hundred and five`, `ninth`."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

UNITS = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
]
TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
_ORDINALS = {
    "first": 1,
    "second": 2,
    "third": 3,
    "fourth": 4,
    "fifth": 5,
    "sixth": 6,
    "seventh": 7,
    "eighth": 8,
    "ninth": 9,
    "tenth": 10,
    "eleventh": 11,
    "twelfth": 12,
    "thirteenth": 13,
    "fourteenth": 14,
    "fifteenth": 15,
    "sixteenth": 16,
    "seventeenth": 17,
    "eighteenth": 18,
    "nineteenth": 19,
    "twentieth": 20,
    "thirtieth": 30,
    "fortieth": 40,
    "fiftieth": 50,
    "sixtieth": 60,
    "seventieth": 70,
    "eightieth": 80,
    "ninetieth": 90,
}
_CARDINALS = {word: value for value, word in enumerate(UNITS)} | {
    word: 10 * (index + 2) for index, word in enumerate(TENS)
}
SCALES = {
    "hundred": Decimal(100),
    "thousand": Decimal(1000),
    "k": Decimal(1000),
    "million": Decimal(10) ** 6,
    "mn": Decimal(10) ** 6,
    "billion": Decimal(10) ** 9,
    "bn": Decimal(10) ** 9,
    "trillion": Decimal(10) ** 12,
    "crore": Decimal(10) ** 7,
    "lakh": Decimal(10) ** 5,
}
"""Words that multiply the number before them."""
ORDINAL_SUFFIXES = frozenset({"st", "nd", "rd", "th"})
WORD_VALUES = {**_CARDINALS, **_ORDINALS}
"""Every word that can start a number written in words."""


def read_words(words: Sequence[str]) -> tuple[Decimal, bool, int]:
    """Read the longest number at the start of `words`; the first word must be in `WORD_VALUES`.

    Returns:
        The value, whether it is an ordinal, and how many words it took.
    """
    total, current, used = Decimal(0), Decimal(WORD_VALUES[words[0]]), 1
    ordinal = words[0] in _ORDINALS
    while used < len(words) and not ordinal:
        word = words[used]
        if word in SCALES:
            if word == "hundred":
                current *= 100
            else:
                total, current = total + current * SCALES[word], Decimal(0)
        elif word in WORD_VALUES and _continues(current, WORD_VALUES[word]):
            current += WORD_VALUES[word]
            ordinal = word in _ORDINALS
        elif word == "and" and _joins(words, used):
            pass
        else:
            break
        used += 1
    return total + current, ordinal, used


def _continues(current: Decimal, value: int) -> bool:
    """`twenty` + `two`, `hundred` + `five`; but `two three` are two numbers."""
    if current == 0:
        return True
    if value < 10:
        return current % 10 == 0 and current >= 20
    return current % 100 == 0


def _joins(words: Sequence[str], used: int) -> bool:
    """`and` belongs to a number only after `hundred` or a larger scale, before another number."""
    return words[used - 1] in SCALES and used + 1 < len(words) and words[used + 1] in WORD_VALUES
