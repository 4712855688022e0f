"""English number words, cardinal and ordinal: `forty-nine`, `one hundred and five`, `ninth`."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal

UNITS = (
    "zero one two three four five six seven eight nine ten eleven twelve thirteen "
    "fourteen fifteen sixteen seventeen eighteen nineteen"
).split()
TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
_IRREGULAR = {"one": "first", "two": "second", "three": "third", "five": "fifth"} | {
    "eight": "eighth",
    "nine": "ninth",
    "twelve": "twelfth",
}
MAX_IN_WORDS = 100
_CARDINALS = {word: value for value, word in enumerate(UNITS)} | {
    word: 10 * (index + 2) for index, word in enumerate(TENS)
}
_ORDINALS = {
    _IRREGULAR.get(word, f"{word.removesuffix('y')}{'ie' if word[-1] == 'y' else ''}th"): value
    for word, value in _CARDINALS.items()
    if value
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
MONEY_SCALES = {"m": Decimal(10) ** 6, "b": Decimal(10) ** 9, "t": Decimal(10) ** 12}
"""Letters that multiply an amount of money: `$1.5B`."""
ORDINAL_SUFFIXES = frozenset({"st", "nd", "rd", "th"})
WORD_VALUES = {**_CARDINALS, **_ORDINALS}
"""Every word that can start a number written in words."""


def in_words(value: int) -> str:
    """Return a whole number from 0 to `MAX_IN_WORDS` in words: `forty-nine`."""
    if value == MAX_IN_WORDS:
        return "one hundred"
    if value < len(UNITS):
        return UNITS[value]
    tens, unit = divmod(value, 10)
    return TENS[tens - 2] + (f"-{UNITS[unit]}" if unit else "")


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
