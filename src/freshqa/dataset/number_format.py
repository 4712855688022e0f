"""A typed spreadsheet cell as text, the way its number format shows it."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from datetime import date, time, timedelta

from freshqa.dataset.number_section import Number, shown_number
from freshqa.dates.forms import official_date

Typed = bool | int | float | str | date | time | timedelta | None
BUILT_IN = {"mm-dd-yy": "m/d/yyyy", "mmss.0": "mm:ss.0"}
"""Formats that a US spreadsheet shows differently from their code in openpyxl."""
TOKEN = re.compile(
    r'"(?P<quoted>[^"]*)"|\\(?P<escaped>.)|\[[^\]]*\]|_.|\*.'
    r"|(?P<ampm>AM/PM|A/P)|(?P<date>y+|m+|d+|h+|s+(?:\.0+)?)|(?P<plain>.)",
    re.IGNORECASE | re.DOTALL,
)


def shown(value: Typed, number_format: str) -> str:
    """Return the text of a cell; padding that only aligns (`_)`) is left out.

    Args:
        value: As openpyxl gives it.
        number_format: Its format code, such as `mm/dd/yyyy`, `#,##0` or `0%`.
    """
    if value is None:
        return ""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, str):
        return value
    if isinstance(value, timedelta):
        return _duration(value, number_format)
    if isinstance(value, (date, time)):
        return _moment(value, number_format)
    return _number(value, number_format)


def _duration(value: timedelta, number_format: str) -> str:
    """A time span in the units of its format, such as `[h]:mm`; hours to seconds without one."""
    code = number_format.split(";")[0]
    elapsed = re.search(r"\[(h+|m+|s+)\]", code, re.IGNORECASE)
    if elapsed is None:
        code, elapsed = "[h]:mm:ss", re.match(r"\[(h)\]", "[h]:mm:ss")
    assert elapsed is not None, "the pattern is in the text"
    seconds = round(abs(value.total_seconds()))
    size = {"h": 3600, "m": 60, "s": 1}[elapsed[1][0].lower()]
    first = str(seconds // size).zfill(len(elapsed[1]))
    rest = {"h": seconds // 3600, "m": seconds % 3600 // 60, "s": seconds % 60}
    text = code[: elapsed.start()] + first + _units(code[elapsed.end() :], rest)
    return ("-" if value.total_seconds() < 0 else "") + text


def _units(code: str, amounts: Mapping[str, int]) -> str:
    return "".join(
        str(amounts[token["date"][0].lower()]).zfill(len(token["date"].partition(".")[0]))
        if token["date"] and token["date"][0].lower() in amounts
        else _literal(token)
        for token in TOKEN.finditer(code)
    )


def _moment(value: date | time, number_format: str) -> str:
    code = number_format.split(";")[0]
    code = BUILT_IN.get(code.casefold(), code)
    tokens = list(TOKEN.finditer(code))
    parts = [t.group("date") or "" for t in tokens]
    if not any(parts):  # a date under a number format
        return value.isoformat() if isinstance(value, time) else official_date(value)
    half_day = any(t.group("ampm") for t in tokens)
    text = ""
    for index, token in enumerate(tokens):
        part = token.group("date")
        if part:
            minute = part[0] in "mM" and _is_minute(parts, index)
            text += _date_part(value, "minute" if minute else part.lower(), len(part), half_day)
        elif token.group("ampm"):
            text += "PM" if getattr(value, "hour", 0) >= 12 else "AM"
        else:
            text += _literal(token)
    return text


def _is_minute(parts: list[str], index: int) -> bool:
    before = next((p for p in reversed(parts[:index]) if p), "")
    after = next((p for p in parts[index + 1 :] if p), "")
    return before[:1].lower() == "h" or after[:1].lower() == "s"


def _date_part(value: date | time, part: str, width: int, half_day: bool) -> str:
    if part == "minute":
        return str(getattr(value, "minute", 0)).zfill(width)
    kind = part[0]
    if kind in "hs":
        return _clock(value, part, width, half_day)
    if isinstance(value, time):
        return ""
    if kind == "y":
        return f"{value.year:04d}" if width > 2 else f"{value.year % 100:02d}"
    number, name = (value.month, f"{value:%B}") if kind == "m" else (value.day, f"{value:%A}")
    if width <= 2:
        return str(number).zfill(width)
    return name[:1] if width == 5 else name[:3] if width == 3 else name


def _clock(value: date | time, part: str, width: int, half_day: bool) -> str:
    hour, second = getattr(value, "hour", 0), getattr(value, "second", 0)
    if part[0] == "h":
        return str((hour - 1) % 12 + 1 if half_day else hour).zfill(width)
    whole, _, decimals = part.partition(".")
    fraction = f"{getattr(value, 'microsecond', 0):06d}"[: len(decimals)]
    return str(second).zfill(len(whole)) + (f".{fraction}" if decimals else "")


def _literal(token: re.Match[str]) -> str:
    return token.group("quoted") or token.group("escaped") or token.group("plain") or ""


def _number(value: Number, number_format: str) -> str:
    if number_format in ("General", "@", "") or not math.isfinite(value):
        return _general(value)
    # A format that shows nothing must not make an answer disappear.
    text = None if "general" in number_format.casefold() else shown_number(value, number_format)
    return text or _general(value)


def _general(value: Number) -> str:
    if isinstance(value, int):
        return str(value)
    return f"{value:.0f}" if value.is_integer() and abs(value) < 1e15 else f"{value:.10g}"
