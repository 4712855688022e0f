"""When two answers are the same answer, written in another form."""

from __future__ import annotations

import re
import unicodedata
from datetime import date

from freshqa.dataset.review_text import MONTHS

UNITS = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen"]  # fmt: skip
TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
NUMBER_WORDS = {word: number for number, word in enumerate(UNITS)} | {
    word: 10 * number for number, word in enumerate(TENS, start=2)
}
NUMBER = re.compile(rf"\b(?:({'|'.join(TENS)})[ -]?)?({'|'.join(UNITS)})\b|\b({'|'.join(TENS)})\b")
MONTH = "(" + "|".join(MONTHS) + r")[a-z]*\.?"
DATE_FORMS = (
    (rf"{MONTH} (\d{{1,2}})(?:st|nd|rd|th)?,? (\d{{4}})", "mdy"),
    (rf"(\d{{1,2}}) {MONTH},? (\d{{4}})", "dmy"),
    (r"(\d{1,2})[/-](\d{1,2})[/-](\d{4})", "mdy"),
    (r"(\d{4})[/-](\d{1,2})[/-](\d{1,2})", "ymd"),
    (rf"{MONTH},? (\d{{4}})", "my"),
    (r"(\d{1,2})/(\d{4})", "my"),
)


def canonical(answer: str) -> str:
    """Return an answer with case, articles, punctuation, number and date forms folded away."""
    text = _folded(answer)
    dated = _date(text)
    if dated:
        return dated
    text = NUMBER.sub(_digits, text)
    text = re.sub(r"(?<=\d),(?=\d{3})", "", text)
    text = re.sub(r"[^\w%$€£¥.+-]|(?<!\d)\.|\.(?!\d)|(?<=\S)-|-(?!\d)", " ", text)
    words = [word for word in text.split() if word not in ("the", "a", "an")]
    return " ".join(words) or text.strip() or answer


def answer_date(answer: str) -> date | None:
    """The day that an answer is, in any of the forms of the official sheet (months first)."""
    dated = _date(_folded(answer))
    try:
        return date.fromisoformat(dated) if dated else None
    except ValueError:  # a month without a day, or no day of the calendar
        return None


def _folded(answer: str) -> str:
    return " ".join(unicodedata.normalize("NFKC", answer).casefold().split()).strip(" .")


def _date(text: str) -> str | None:
    for pattern, order in DATE_FORMS:
        found = re.fullmatch(pattern, text)
        if found:
            parts = dict(zip(order, found.groups(), strict=True))
            month = parts["m"] if parts["m"].isdigit() else str(MONTHS.index(parts["m"][:3]) + 1)
            return "-".join(
                part.zfill(2) for part in (parts["y"], month, parts.get("d", "")) if part
            )
    return None


def _digits(found: re.Match[str]) -> str:
    tens, unit, round_ = found.groups()
    if tens and NUMBER_WORDS[unit] > 9:
        return found.group()
    return str(sum(NUMBER_WORDS[word] for word in (tens, unit, round_) if word))
