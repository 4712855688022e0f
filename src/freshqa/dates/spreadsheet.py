"""Dates as spreadsheets show them, and the text that a cell probably had before."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from datetime import date

from freshqa.dates.forms import ABBREVIATED, NAMES, STANDARD
from freshqa.dates.page_date import calendar_date

_MONTHS = "|".join(ABBREVIATED)
EXCEL_DATE = re.compile(rf"\d{{1,2}}-(?:{_MONTHS})(?:-\d\d)?|(?:{_MONTHS})-\d\d")
SLASH_DATE = re.compile(r"\d{1,2}/\d{1,2}/\d{4}")
PADDED = re.compile(r"\d\d/\d\d/\d{4}")
NUMBERS_ALONE = re.compile(r"(\d{1,2})([/-])(\d{1,2})\2(\d{2}|\d{4})")
SHOWN = re.compile(r"\d{1,2}[-. ]{1,2}[A-Za-z]{3,4}\.?(?:[- ]\d\d)?|[A-Za-z]{3,4}\.?[- ]\d\d")
"""How spreadsheets of any language show a date of a cell."""
NO_DAY = re.compile(r"[A-Za-z]+\.?[ /,-]*(?:\d{4}|\d\d)|\d{1,2}[-/.]\d{4}|\d{4}(?:[-/.]\d{1,2})?")


def guesses(fields: Mapping[str, str], dates: Mapping[str, str]) -> dict[str, str]:
    """Column → probable original, for cells of one row that a spreadsheet rewrote.

    The official sheet writes a date answer in ten forms, always in the same order; where all cells
    of a row look like what a spreadsheet makes of these forms, they can be written again.

    Args:
        fields: Column → text of the row's `next_review` and answers, in order.
        dates: Column → ISO date, for cells that a workbook holds as dates.
    """
    review = _review(fields["next_review"])
    original = {"next_review": review} if review else {}
    answers = {c: text for c, text in fields.items() if c.startswith("answer_") and text}
    day = _day(answers, dates)
    if day is not None:
        original |= _template(answers, day)
    month_cells = [c for c, text in answers.items() if c not in original and _short(text)]
    for place, column in enumerate(month_cells):
        ways = _month_or_day(answers[column], dates.get(column, ""), day)
        ways = [way for way in ways if way not in answers.values()]
        if place < len(ways):
            original[column] = ways[place]
    return {c: text for c, text in original.items() if text != fields[c]}


def _review(text: str) -> str | None:
    if SLASH_DATE.fullmatch(text) and not PADDED.fullmatch(text):
        month, day, year = map(int, text.split("/"))
        return f"{month:02d}/{day:02d}/{year}"
    short = _short(text)
    return f"{short[1]:02d}/20{short[0]:02d}" if short else None


def _short(text: str) -> tuple[int, int] | None:
    """Return the number and month of `21-Nov` or `Nov-21`."""
    if not EXCEL_DATE.fullmatch(text) or text.count("-") != 1:
        return None
    number, name = sorted(text.split("-"))
    return int(number), ABBREVIATED.index(name) + 1


def _day(answers: Mapping[str, str], dates: Mapping[str, str]) -> date | None:
    """Return the day that most cells of the row name."""
    days: Counter[date] = Counter()
    for text in answers.values():
        if EXCEL_DATE.fullmatch(text) and text.count("-") == 2:
            number, name, year = text.split("-")
            century = 2000 if int(year) < 30 else 1900  # the rule of spreadsheets
            days[date(century + int(year), ABBREVIATED.index(name) + 1, int(number))] += 1
    if not days:
        days.update(date.fromisoformat(iso) for c, iso in dates.items() if c in answers)
    best = days.most_common(2)
    return best[0][0] if best and (len(best) == 1 or best[0][1] > best[1][1]) else None


def _template(answers: Mapping[str, str], day: date) -> dict[str, str]:
    """Originals when the cells, from some slot on, are the ten forms as a spreadsheet shows them."""
    columns = list(answers)
    written = [form(day) for form in STANDARD]
    for offset in range(3):
        pairs = list(zip(columns[offset:], written, strict=False))
        if len(pairs) >= 4 and all(answers[c] in (f, *as_shown(f)) for c, f in pairs):
            return {c: f for c, f in pairs if _unique(f, day)}
    return {}


def _unique(form: str, day: date) -> bool:
    """Whether the sheet writes a form in one way only: days below 10 occur with and without 0."""
    return day.day >= 10 or bool(re.search("[A-Z]", form))


def as_shown(form: str) -> tuple[str, ...]:
    """Return the forms in which spreadsheets show a day, with and without zeros."""
    numbers = [int(n) for n in re.findall(r"\d+", form)]
    word = re.search("[A-Z][a-z]{2}", form)
    years = [n for n in numbers if n > 31]
    if len(years) != 1:
        return ()
    rest = [n for n in numbers if n != years[0]]
    if word:
        return (f"{rest[0]}-{word.group()}-{years[0] % 100:02d}",) if len(rest) == 1 else ()
    if len(rest) != 2 or rest[0] > 12:
        return ()
    return f"{rest[0]}/{rest[1]}/{years[0]}", form.replace("-", "/")


def _month_or_day(text: str, iso: str, day: date | None) -> list[str]:
    """Return what `21-Nov` may have been, in the order of the official sheet."""
    short = _short(text)
    if short is None:
        return []
    number, month = short
    if (day and (day.day, day.month) == (number, month)) or (iso and not iso.endswith("-01")):
        return [f"{NAMES[month - 1]} {number}"]
    year = iso[:4] or f"20{number:02d}"
    return [f"{NAMES[month - 1]} {year}", f"{ABBREVIATED[month - 1]} {year}", f"{month:02d}/{year}"]


def shows_no_day(text: str) -> bool:
    """Return True for a date shown as month and year, or as a year: `Nov-25`, `11/2025`, `2025`."""
    return NO_DAY.fullmatch(text.strip()) is not None


def month_or_day_first(cell: str) -> bool:
    """Return whether a date in numbers can be read month or day first, or has no century."""
    if not (match := NUMBERS_ALONE.fullmatch(cell)):
        return False
    first, second = int(match[1]), int(match[3])
    return len(match[4]) == 2 or (first != second and max(first, second) <= 12)


def days_of(text: str) -> frozenset[date]:
    """Return every day that a cell can name, month or day first."""
    plain = re.sub(r"[-.](?=[A-Za-z])|(?<=[A-Za-z])-", " ", text.casefold())
    readings = (
        calendar_date(form, order=order)
        for form in (text.casefold(), plain)
        for order in ("MDY", "DMY")
    )
    return frozenset(day for day in readings if day)
