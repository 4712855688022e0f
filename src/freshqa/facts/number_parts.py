"""Numbers of several tokens made one: `3 million`, `twenty-two`, `-5`, `at least 3+`."""

from __future__ import annotations

from decimal import Decimal

from freshqa.facts.token import Token, canonical
from freshqa.facts.units import CURRENCIES, SYMBOLS
from freshqa.number_words import MONEY_SCALES, ORDINAL_SUFFIXES, SCALES, WORD_VALUES, read_words


def merge_numbers(raw: list[Token], text: str) -> list[Token]:
    """Number parts joined, and what is written with a number (sign, bound) made part of it."""
    merged: list[Token] = []
    position = 0
    held: list[Token] = []
    while position < len(raw):
        token, position = _next_token(raw, position, text)
        if token.bound == "more":
            if merged and merged[-1].value is not None:
                merged[-1] = _bounded(merged[-1], "≥", merged[-1].start, token.end)
            continue
        if token.bound:
            held.append(token)
            continue
        if token.value is not None and token.value >= 0:
            token, held = _signed(token, held, merged)
        elif held and token.form not in CURRENCIES and token.form not in SYMBOLS.values():
            merged += [sign._replace(bound="") for sign in held]
            held = []
        merged.append(token)
    return merged + [sign._replace(bound="") for sign in held]


MINUS = frozenset({"minu", "minus", "negative"})


def _signed(token: Token, held: list[Token], merged: list[Token]) -> tuple[Token, list[Token]]:
    """Return a number with the sign and the bound before it."""
    start = token.start
    for sign in held:
        start = min(start, sign.start)
        if sign.form == "-":
            value = -(token.value or Decimal(0))
            token = token._replace(value=value, form=canonical(value))
    if (
        merged
        and not held
        and merged[-1].form in MINUS
        and not (len(merged) > 1 and merged[-2].value is not None)
    ):
        start = merged.pop().start
        value = -(token.value or Decimal(0))
        token = token._replace(value=value, form=canonical(value))
    signs = "".join(sign.form for sign in held if sign.form != "-")
    if any(previous.start > start for previous in merged):  # "-$5": the sign is the number's
        start = token.start
    if signs:
        return _bounded(token, signs, start, token.end), []
    return (token if token.start == start else token._replace(start=start)), []


def _bounded(token: Token, bound: str, start: int, end: int) -> Token:
    return token._replace(form=f"{bound}{token.form}", bound=bound, start=start, end=end)


def _next_token(raw: list[Token], position: int, text: str) -> tuple[Token, int]:
    """The token that starts at `position`, number parts joined, and where the next one starts."""
    first = raw[position]
    if first.value is None and first.form in WORD_VALUES:
        return _words(raw, position, text)
    if first.value is None or position + 1 >= len(raw):
        return first, position + 1
    following = raw[position + 1]
    gap = text[first.end : following.start]
    if following.form in ORDINAL_SUFFIXES and not gap:
        token = Token(first.form, first.start, following.end, first.value, ordinal=True)
        return token, position + 2
    scale = SCALES.get(following.form)
    if scale is None and not gap and position and raw[position - 1].form in CURRENCIES:
        scale = MONEY_SCALES.get(following.form)
    if scale is not None and gap in ("", " ", "-", "\u00a0"):
        value = first.value * scale
        unit = scale * first.precision
        token = Token(canonical(value), first.start, following.end, value, precision=unit)
        return token, position + 2
    return first, position + 1


def _words(raw: list[Token], position: int, text: str) -> tuple[Token, int]:
    """Return a number in words: the longest run that reads as one number."""
    forms = []
    for index in range(position, min(position + 8, len(raw))):
        if index > position and text[raw[index - 1].end : raw[index].start].strip(" -\u00a0"):
            break
        forms.append(raw[index].form)
    value, ordinal, used = read_words(forms)
    last = raw[position + used - 1]
    token = Token(
        canonical(value), raw[position].start, last.end, value, ordinal=ordinal, word=True
    )
    return token, position + used
