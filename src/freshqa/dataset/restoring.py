"""Restore damaged cells from the same, undamaged cell of the version before."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from freshqa.dataset.damage import Damage
from freshqa.dataset.question import Question
from freshqa.dates.forms import ABBREVIATED
from freshqa.dates.spreadsheet import as_shown

MONTH_YEAR = re.compile(r"(?:(?P<name>[A-Z][a-z]{2,8}) |(?P<number>\d\d?)/)(?:20|19)(?P<year>\d\d)")
MONTH_DAY = re.compile(r"(?P<name>[A-Z][a-z]{2,8})\.? (?P<day>\d\d?)")


def with_originals(
    findings: Sequence[Damage], questions: Mapping[int, Question], base: Sequence[Question]
) -> tuple[Damage, ...]:
    """Return the findings, with the earlier text as repair where the damaged cell results from it.

    A cell that could have been damaged into this text, in the version before, most likely was this
    cell; but the fact may have changed to one that looks the same when damaged. It stays a guess.

    Args:
        questions: Row number → question of the damaged release, with its key.
        base: The version before, with keys.
    """
    before = {question.key: question for question in base}
    return tuple(_with_original(damage, questions, before) for damage in findings)


def _with_original(
    damage: Damage, questions: Mapping[int, Question], before: Mapping[str, Question]
) -> Damage:
    question = questions.get(damage.row)
    old = before.get(question.key) if question else None
    if old is None or damage.certain:
        return damage
    earlier = old.fields[damage.column]
    if earlier != damage.text and damaged_into(earlier, damage.text, damage.kind):
        return replace(damage, repaired=earlier)
    return damage


def damaged_into(original: str, text: str, kind: str) -> bool:
    """Return whether damage of this kind may have made `text` of `original`."""
    if kind == "mojibake":
        return _garbled(original, text)
    if kind == "excel-number":
        return original == text.strip()
    if kind == "excel-time":
        short = text.casefold().lstrip("0")
        return bool(short) and original.casefold().lstrip("0").startswith(short)
    if kind == "null-marker":
        return (
            True  # the official sheet leaves no such cell empty, so the earlier text still applies
        )
    return text in set(_as_dates(original))


def _garbled(original: str, text: str) -> bool:
    """Each character beyond ASCII may have cost one ASCII character beside it, and no more."""
    strange = sum(not character.isascii() for character in original)
    kept, whole = _ascii(text), iter(_ascii(original))
    in_order = all(character in whole for character in kept)
    return bool(strange) and in_order and 0 <= len(_ascii(original)) - len(kept) <= strange


def _ascii(text: str) -> str:
    return "".join(character for character in text if character.isascii())


def _as_dates(original: str) -> Iterator[str]:
    """Yield what spreadsheets show for a text that they read as a date."""
    month_year, month_day = MONTH_YEAR.fullmatch(original), MONTH_DAY.fullmatch(original)
    if month_year:
        name, number, year = month_year["name"], month_year["number"], month_year["year"]
        month = name[:3] if name else ABBREVIATED[int(number) - 1] if 0 < int(number) < 13 else ""
        yield from (f"{year}-{month}", f"{month}-{year}")
    elif month_day:
        yield f"{int(month_day['day'])}-{month_day['name'][:3]}"
    elif len(re.findall(r"\d+", original)) == 2 + (not re.search("[A-Z]", original)):
        yield from as_shown(original)
