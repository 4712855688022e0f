"""A typed spreadsheet cell as text, the way its number format shows it."""

from __future__ import annotations

import re
from datetime import date, time, timedelta
from decimal import ROUND_HALF_UP, Decimal

Number = int | float
Typed = bool | int | float | str | date | time | timedelta | None
BUILT_IN = {"mm-dd-yy": "m/d/yyyy", "mmss.0": "mm:ss.0"}
"""Formats that a US spreadsheet shows otherwise than openpyxl spells them."""
TOKEN = re.compile(
    r'"(?P<quoted>[^"]*)"|\\(?P<escaped>.)|\[[^\]]*\]|_.|\*.'
    r"|(?P<ampm>AM/PM|A/P)|(?P<date>y+|m+|d+|h+|s+(?:\.0+)?)|(?P<plain>.)",
    re.IGNORECASE | re.DOTALL,
)


def shown(value: Typed, number_format: str) -> str:
    """The text of a cell; padding that only aligns (`_)`) is left out.

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
        return _duration(value)
    if isinstance(value, (date, time)):
        return _moment(value, number_format)
    return _number(value, number_format)


def _duration(value: timedelta) -> str:
    minutes, seconds = divmod(round(value.total_seconds()), 60)
    return f"{minutes // 60}:{minutes % 60:02d}:{seconds:02d}"


def _moment(value: date | time, number_format: str) -> str:
    code = number_format.split(";")[0]
    code = BUILT_IN.get(code.casefold(), code)
    tokens = list(TOKEN.finditer(code))
    parts = [t.group("date") or "" for t in tokens]
    if not any(parts):  # a date under a number format
        return value.isoformat() if isinstance(value, time) else f"{value:%m/%d/%Y}"
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
    sections = number_format.split(";")
    if number_format in ("General", "@", "") or not re.search(r"[0#?]", sections[0]):
        return _general(value)
    negative = value < 0 and len(sections) > 1
    code = sections[1] if negative else sections[0]
    if re.search(r"[eE][+-]|/", code):  # scientific, fractions
        return _general(value)
    digits = re.search(r"[0#?][0#?,]*(?:\.[0#?]+)?", code)
    if digits is None:
        return _general(value)
    prefix = "".join(map(_literal, TOKEN.finditer(code[: digits.start()])))
    suffix = "".join(map(_literal, TOKEN.finditer(code[digits.end() :])))
    return prefix + _decimal(value, digits.group(), abs_=negative, percent="%" in suffix) + suffix


def _decimal(value: Number, digits: str, *, abs_: bool, percent: bool) -> str:
    whole, _, decimals = digits.partition(".")
    number = Decimal(repr(value)) * (100 if percent else 1)
    number = number.quantize(Decimal(1).scaleb(-len(decimals)), rounding=ROUND_HALF_UP)
    text = f"{abs(number) if abs_ else number:{',' if ',' in whole else ''}f}"
    optional = len(decimals) - len(decimals.rstrip("#"))
    while optional and text.endswith("0"):
        text, optional = text[:-1], optional - 1
    return text.rstrip(".") if decimals else text


def _general(value: Number) -> str:
    if isinstance(value, int):
        return str(value)
    return f"{value:.0f}" if value.is_integer() and abs(value) < 1e15 else f"{value:.10g}"
