"""Find cells that a spreadsheet rewrote: their text is not a decision of a person.

A sheet that was opened and saved again shows dates, numbers and booleans in the spreadsheet's own
way, and letters that its encoding lacks are lost. None of this becomes an edit automatically.
"""

from __future__ import annotations

import re
import unicodedata
from decimal import Decimal, InvalidOperation

from freshqa.dataset.excel_damage import SURE_SIGNS
from freshqa.dataset.restoring import damaged_into
from freshqa.dates.spreadsheet import NUMBERS_ALONE, SHOWN, days_of, month_or_day_first

CUT = 255
"""Some programs cut longer cells (one less where a space ends them)."""
CLOCK = re.compile(r"\d{1,2}(:\d\d){1,2}( ?[AaPp][Mm])?")
CURRENCY = "[$€£¥]"
BOOLEANS = frozenset({"true", "false"})
QUOTES = str.maketrans("‘’‚“”„«»–—−\u2011", '\'\'\'"""""----')


def respelled(text: str, cell: str) -> str | None:
    """Return what a spreadsheet seems to have done to a cell, or None.

    Args:
        text: The text that was exported, or "".
        cell: The text that came back, different from it.
    """
    text, cell = text.strip(), cell.strip()
    for kind, pattern in SURE_SIGNS:
        if pattern.fullmatch(cell):
            return f"looks like the form of a spreadsheet ({kind.removeprefix('excel-')})"
    if SHOWN.fullmatch(cell):
        return "looks like a date in the form of a spreadsheet"
    if month_or_day_first(cell):
        return "may be month or day first"
    if text and (_same_but_for_form(text, cell) or any(_as_damaged(text, cell))):
        return "is the exported text in another form"
    return None


def unchanged(text: str, cell: str) -> bool:
    """Return whether a cell came back as it was; `3/5/2026` is `03/05/2026` without its zeros."""
    text, cell = text.strip(), cell.strip()
    if NUMBERS_ALONE.fullmatch(text) and NUMBERS_ALONE.fullmatch(cell):
        text, cell = (re.sub(r"\b0(?=\d\b)", "", date) for date in (text, cell))
    return text == cell


def same_text(text: str, cell: str) -> bool:
    """Return whether two texts differ at most in spaces, quotation marks and invisible characters."""
    return _plain(text) == _plain(cell)


def _same_but_for_form(text: str, cell: str) -> bool:
    if same_text(text, cell):
        return True
    if text.casefold() in BOOLEANS and text.casefold() == cell.casefold():
        return True
    if CLOCK.fullmatch(text) and CLOCK.fullmatch(cell):
        return _clock(text) == _clock(cell)
    money = set(re.findall(CURRENCY, text)), set(re.findall(CURRENCY, cell))
    if money[1] <= money[0] and _number(text) is not None and _number(text) == _number(cell):
        return True
    return bool(days_of(text) & days_of(cell))


def _as_damaged(text: str, cell: str) -> tuple[bool, ...]:
    letters = (".{0,4}" if not c.isascii() and c not in CURRENCY else re.escape(c) for c in text)
    lost = "".join(letters)
    return (
        not text.isascii() and re.fullmatch(lost, cell, re.DOTALL) is not None,
        damaged_into(text, cell, "excel-date"),
        len(cell) >= CUT - 1 and text.startswith(cell),
    )


def _clock(text: str) -> str:
    return re.sub(r"(?<=:\d\d):00|\s", "", text).lstrip("0").casefold()


def _plain(text: str) -> str:
    folded = unicodedata.normalize("NFKC", text).translate(QUOTES)
    shown = "".join(c if c.isprintable() else " " for c in folded)
    return " ".join(shown.split())


def _number(text: str) -> Decimal | None:
    """The value of a text that is one number, whatever its separators, sign and unit."""
    plain = re.sub(r"[\s$€£¥'+]", "", unicodedata.normalize("NFKC", text).translate(QUOTES))
    percent = plain.endswith("%")
    plain = plain.removesuffix("%")
    if re.fullmatch(r"-?\d{1,3}(,\d{3})+(\.\d+)?", plain):
        plain = plain.replace(",", "")
    elif re.fullmatch(r"-?\d{1,3}(\.\d{3}){2,}|-?\d{1,3}(\.\d{3})*,\d+", plain):
        plain = plain.replace(".", "").replace(",", ".")
    try:
        value = Decimal(plain)
    except InvalidOperation:
        return None
    return value / 100 if percent else value
