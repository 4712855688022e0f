"""A source recipe: the page that holds a row's answer, and how to read it."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Literal

from pydantic import ValidationError

from freshqa.dates.mentions import read_date
from freshqa.errors import BadData
from freshqa.evidence.cleaning import clean_text, clean_url
from freshqa.evidence.page_select import Selected
from freshqa.facts.tokens import fold
from freshqa.json_record import JsonRecord

COLUMN = "source_recipe"
"""Attribute of a row that holds its recipe as JSON."""
Transform = Literal["text", "number", "date", "years-since", "days-until", "count", "rank"]
LONGEST_ANSWER = 80
_NUMBER = re.compile(r"[^\d.,-]{0,20}(?P<number>\d{1,3}(?:,\d{3})+|\d+)(?P<part>\.\d+)?[^\d]{0,20}")
_FAR = 2.0
"""A number that differs from the stored one by more than this factor is not used."""


@dataclass(frozen=True)
class SourceRecipe(JsonRecord):
    """The page that holds an answer, and how to read it.

    Args:
        url: The page.
        select: CSS selector of the element, in HTML; `count` and `rank` take several.
        path: Keys and positions that lead to the value, in JSON: `releases.0.version`.
        label: Text that must be in the row or item of the element, so that the next row is
            not taken for it.
        transform: How the text becomes the answer.
        item: For `rank`, the one whose place is asked.
    """

    url: str
    select: str = ""
    path: str = ""
    label: str = ""
    transform: Transform = "text"
    item: str = ""


def parse_recipe(written: str, *, question: str = "") -> SourceRecipe | None:
    """Return the recipe of an attribute; None for an empty one.

    Raises:
        BadData: It is not a recipe; the message names the question and what is wrong.
    """
    if not written.strip():
        return None
    remedy = 'Write {"url": "https://…", "select": "td.total", "transform": "number"}.'
    try:
        recipe = SourceRecipe.from_json(json.loads(written))
    except (ValueError, TypeError, ValidationError):
        raise BadData(f"{COLUMN} of {question!r} is not a source recipe.", remedy) from None
    if not clean_url(recipe.url) or bool(recipe.select) == bool(recipe.path):
        raise BadData(
            f"{COLUMN} of {question!r} needs a web address, and either select or path.", remedy
        )
    return recipe


def answer_of(
    recipe: SourceRecipe, selected: Sequence[Selected], *, as_of: date, stored: str
) -> str | None:
    """Return the answer that a page gives, or None when its layout is not the one described.

    A value is given only when exactly one element is found (`count` and `rank` take several), the
    label is beside it, and its whole text has the form that the transform wants. A number far
    from the stored one is not given either: it is more likely another figure.

    Args:
        recipe: What is looked for.
        selected: What was found there.
        as_of: The day that ages and days are counted to.
        stored: The stored primary answer.
    """
    if not selected or any(fold(recipe.label) not in fold(element.context) for element in selected):
        return None
    if recipe.transform == "count":
        return _near(str(len(selected)), stored)
    if recipe.transform == "rank":
        places = [
            n
            for n, element in enumerate(selected, start=1)
            if fold(element.text) == fold(recipe.item)
        ]
        return str(places[0]) if len(places) == 1 else None
    if len(selected) != 1:
        return None
    text = clean_text(selected[0].text, limit=LONGEST_ANSWER)
    if recipe.transform == "text":
        return text if 0 < len(text) < LONGEST_ANSWER and not text.endswith("…") else None
    if recipe.transform == "number":
        number = _NUMBER.fullmatch(text)
        return _near(f"{number['number']}{number['part'] or ''}", stored) if number else None
    return _by_date(recipe.transform, text, as_of)


def _by_date(transform: str, text: str, as_of: date) -> str | None:
    mention = read_date(text)
    day = mention.as_date() if mention is not None and not mention.swapped else None
    if day is None:
        return None
    if transform == "date":
        return f"{day:%b} {day.day}, {day.year}"
    if transform == "days-until":
        return str((day - as_of).days) if day >= as_of else None
    years = as_of.year - day.year - ((as_of.month, as_of.day) < (day.month, day.day))
    return str(years) if 0 <= years <= 2_000 else None


def _near(value: str, stored: str) -> str | None:
    before = _NUMBER.fullmatch(stored.strip())
    if before is None:
        return value
    old = float(before["number"].replace(",", "") + (before["part"] or ""))
    new = float(value.replace(",", ""))
    far = new > _FAR * old + 10 or new < old / _FAR - 10 or (old >= 3 and new == 0)
    return None if far else value
