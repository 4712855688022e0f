"""A number as a spreadsheet's format code shows it: sections, scaling, fractions, fixed digits.

After the description of number formats in ECMA-376, part 1, 18.8.31.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Mapping
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction

Number = int | float
PIECE = re.compile(
    r'"(?P<quoted>[^"]*)"|\\(?P<escaped>.)|\[\$(?P<currency>[^\]-]*)[^\]]*\]|\[[^\]]*\]|_.|\*.'
    r"|(?P<digit>[0#?])|(?P<plain>.)",
    re.DOTALL,
)
SECTION = re.compile(r'(?:"[^"]*"|\\.|\[[^\]]*\]|[^;"\\\[])*', re.DOTALL)
CONDITION = re.compile(r"\[(<=|>=|<>|<|>|=)\s*(-?[\d.]+)\]")
COMPARE: Mapping[str, Callable[[Decimal, Decimal], bool]] = {
    "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
    "=": operator.eq, "<>": operator.ne,
}  # fmt: skip
FRACTION = re.compile(r"(?:(?P<whole>[0#?]+)\s+)?(?P<top>[0#?]+)\s*/\s*(?P<under>[0#?]+|\d+)")
SCIENTIFIC = re.compile(r"[0#?.]+[eE][+-]0")
"""Shows fewer digits than the cell holds, as a spreadsheet does with long numbers."""


def shown_number(value: Number, code: str) -> str | None:
    """The text, without padding at its ends; None where the code shows no number, or rounds it away."""
    number = Decimal(repr(value))
    section, signed = _section(number, code)
    if not section.strip():
        return None
    pieces = list(PIECE.finditer(section))
    if not any(piece["digit"] for piece in pieces):
        return "".join(map(_literal, pieces)).strip() or None
    number = number if signed else abs(number)
    bare = re.sub(r'"[^"]*"|\\.|\[[^\]]*\]', lambda part: "\0" * len(part[0]), section)
    if SCIENTIFIC.search(bare):
        return None
    match = FRACTION.search(bare)
    if match:
        return (
            _text(section[: match.start()])
            + _fraction(number, match)
            + _text(section[match.end() :])
        )
    return _placed(number, section)


def _section(number: Decimal, code: str) -> tuple[str, bool]:
    """Return the section for a number, and whether it shows the sign itself."""
    parts = code_sections(code)
    conditions = [CONDITION.search(part) for part in parts[:2]]
    if any(conditions):
        for part, condition in zip(parts, conditions, strict=False):
            if condition and COMPARE[condition[1]](number, Decimal(condition[2])):
                return part, True
        rest = [part for i, part in enumerate(parts) if i >= 2 or not conditions[i]]
        return (rest[-1] if rest else parts[-1]), True
    if len(parts) > 2 and number == 0:
        return parts[2], True
    if len(parts) > 1 and number < 0:
        return parts[1], False
    return parts[0], True


def code_sections(code: str) -> list[str]:
    """Return a format code at its semicolons that are not quoted."""
    sections, position = [], 0
    while position <= len(code):
        match = SECTION.match(code, position)
        end = match.end() if match else position
        sections.append(code[position:end])
        position = end + 1
    return sections


def _literal(piece: re.Match[str]) -> str:
    return piece["quoted"] or piece["escaped"] or piece["currency"] or piece["plain"] or ""


def _text(section: str) -> str:
    return "".join(map(_literal, PIECE.finditer(section)))


def _fraction(number: Decimal, match: re.Match[str]) -> str:
    exact, sign = Fraction(abs(number)), "-" if number < 0 else ""
    if match["under"].isdigit() and match["under"].strip("0"):
        under = int(match["under"])
        top = round(exact * under)
    else:
        near = exact.limit_denominator(10 ** len(match["under"]) - 1)
        top, under = near.numerator, near.denominator
    whole, top = divmod(top, under) if match["whole"] else (0, top)
    if not top:
        return f"{sign}{whole}"
    return f"{sign}{whole} {top}/{under}" if whole else f"{sign}{top}/{under}"


def _placed(number: Decimal, section: str) -> str:
    """A number in digit places, with commas that group or scale, percent and text between."""
    pieces = list(PIECE.finditer(section))
    last = max(i for i, piece in enumerate(pieces) if piece["digit"])
    point = next((i for i, piece in enumerate(pieces) if piece["plain"] == "." and i <= last), None)
    if point is None and last + 1 < len(pieces) and pieces[last + 1]["plain"] == ".":
        point = last + 1
    end_of_whole = last if point is None else point
    whole = [i for i, p in enumerate(pieces) if p["digit"] and i <= end_of_whole]
    tail = [i for i, p in enumerate(pieces) if p["digit"] and point is not None and i > point]
    commas = [i for i, p in enumerate(pieces) if p["plain"] == ","]
    grouping = any(whole and whole[0] < i < whole[-1] for i in commas)
    scaling = _scaling(pieces, (whole[-1] if whole else -1, last))
    percents = sum(p["plain"] == "%" for p in pieces)
    scaled = number * 100**percents / Decimal(1000) ** scaling
    rounded = scaled.quantize(Decimal(1).scaleb(-len(tail)), rounding=ROUND_HALF_UP)
    digits, _, decimals = f"{abs(rounded):f}".partition(".")
    places = _whole_places(digits, [pieces[i]["digit"] for i in whole], grouping=grouping)
    places += _decimal_places(decimals, [pieces[i]["digit"] for i in tail])
    filled = dict(zip([*whole, *tail], places, strict=True))
    silent = {i for i in commas if i > (whole[0] if whole else 0) and i <= last + scaling}
    if point is not None and not "".join(filled[i] for i in tail).strip():
        silent.add(point)  # a spreadsheet shows "5."; the point has no meaning
    text = "".join(
        filled[i] if i in filled else "" if i in silent else _literal(p)
        for i, p in enumerate(pieces)
    )
    return ("-" if rounded < 0 else "") + text.strip()


def _scaling(pieces: list[re.Match[str]], after: tuple[int, int]) -> int:
    """Return how many commas follow the last digit before the point, or the last digit of all."""
    count = 0
    for start in sorted(set(after)):
        index = start + 1
        while start >= 0 and index < len(pieces) and pieces[index]["plain"] == ",":
            count, index = count + 1, index + 1
    return count


def _whole_places(digits: str, places: list[str], *, grouping: bool) -> list[str]:
    """What each place before the point shows; the first one takes all digits that are left."""
    digits = "" if digits == "0" else digits
    minimum = len(places) - next((i for i, p in enumerate(places) if p == "0"), len(places))
    digits = digits.zfill(minimum) if minimum else digits
    if not places:
        return []
    width = len(digits)
    shown = [
        char + ("," if grouping and (left := width - 1 - i) and left % 3 == 0 else "")
        for i, char in enumerate(digits)
    ]
    spare = len(shown) - len(places)
    if spare >= 0:
        return ["".join(shown[: spare + 1]), *shown[spare + 1 :]]
    blanks = [" " if place == "?" else "" for place in places[: -width or None]]
    return [*blanks[: len(places) - width], *shown]


def _decimal_places(decimals: str, places: list[str]) -> list[str]:
    shown = list(decimals.ljust(len(places), "0"))
    for index in range(len(places) - 1, -1, -1):
        if places[index] == "0" or shown[index] != "0":
            break
        shown[index] = " " if places[index] == "?" else ""
    return shown
