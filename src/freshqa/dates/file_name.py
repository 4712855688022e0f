"""Read the date in a file name, in the forms that releases and people use."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import date

from freshqa.dates.forms import ANY_DAY, CJK_DAY, MONTH, day_of, month_of

YEARS = range(2020, 2050)
"""FreshQA begins in 2023; a number that gives another year is not a date."""
_MONTH = rf"{MONTH}\.?"
_GAP = r"[\s_.,-]{0,2}"
_VERSION = re.compile(r"v[\s_.-]?(\d{6}|\d{8})(?!\d)", re.IGNORECASE)
_DIGITS = re.compile(r"(?<!\d)(?:(20\d{6})(?:[01]\d|2[0-3])(?:[0-5]\d){2}|(\d{8}|\d{6}))(?!\d)")
_PARTED = re.compile(r"(?<!\d)(\d{1,4})([-_./ ])(\d{1,2})\2(\d{4}|\d{2})(?!\d)")
_YEAR = r"['’]?(?P<year>\d{4}|(?<=['’])[2-4]\d)(?!\d)"
_WORDS = (
    re.compile(rf"(?<![a-z]){_MONTH}{_GAP}{ANY_DAY}{_GAP}{_YEAR}"),
    re.compile(rf"(?<!\d){ANY_DAY}{_GAP}{_MONTH}{_GAP}{_YEAR}"),
    re.compile(rf"(?<!\d)(?P<day>\d{{2}})[-_ ]?{_MONTH}[-_ ]?(?P<year>[2-4]\d)(?!\d)"),
    re.compile(rf"(?<!\d)(?P<year>\d{{4}}){_GAP}{_MONTH}{_GAP}(?P<day>\d{{1,2}})(?!\d)"),
    re.compile(rf"(?<!\d){CJK_DAY}[日일]"),
)  # fmt: skip


def date_in_name(name: str) -> date | None:
    """Return the date in a file name: `FreshQA_v03042024.csv`, `…_v112425`, `…_2025-11-24`, `…24 Nov 2025`.

    A version's date (after `v`) counts before others. Digits alone are read month first, as
    releases are named, where that gives a day; else as the one other order that does. None where
    the name holds no date, or two that differ.
    """
    stem = name.rsplit("/", 1)[-1].casefold()
    versions = list(filter(None, map(_of_digits, _VERSION.findall(stem))))
    if versions:
        return versions[0]
    dates = set(_dates(stem))
    return dates.pop() if len(dates) == 1 else None


def _dates(stem: str) -> Iterator[date]:
    for first, _, second, third in _PARTED.findall(stem):
        numbers = (first, second, third)
        orders = (_ymd,) if len(first) == 4 else (_mdy, _dmy, _ymd) if len(first) <= 2 else ()
        if len(third) == 2 and len(first + second) < 4:  # 1.2.24 is a version
            continue
        yield from _first_of(orders, *numbers)
    for stamp, digits in _DIGITS.findall(_PARTED.sub(" ", stem)):
        day = _of_digits(stamp or digits)
        if day:
            yield day
    for pattern in _WORDS:
        for match in pattern.finditer(stem):
            month = str(month_of(match["month"]))
            yield from _first_of((_ymd,), match["year"], month, match["day"])


def _of_digits(digits: str) -> date | None:
    head = len(digits) - 4
    tail_year = (digits[:2], digits[2:4], digits[4:])
    head_year = (digits[:head], digits[head : head + 2], digits[head + 2 :])
    in_official_order = _mdy(*tail_year)
    others = {day for day in (_ymd(*head_year), _dmy(*tail_year)) if day}
    if in_official_order or len(others) != 1:
        return in_official_order
    return others.pop()


def _mdy(month: str, day: str, year: str) -> date | None:
    return _ymd(year, month, day)


def _dmy(day: str, month: str, year: str) -> date | None:
    return _ymd(year, month, day)


def _ymd(year: str, month: str, day: str) -> date | None:
    number = int(year) + (2000 if len(year) <= 2 else 0)
    return day_of(number, int(month), int(day)) if number in YEARS else None


def _first_of(
    orders: tuple[Callable[[str, str, str], date | None], ...], *numbers: str
) -> Iterator[date]:
    days = (order(*numbers) for order in orders)
    day = next((day for day in days if day), None)
    if day:
        yield day
