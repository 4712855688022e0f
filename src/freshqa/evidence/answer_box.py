"""Read the answer box of a results page, whose fields depend on its type.

`organic_result` (a featured snippet) is read like a page; the others are listed here with the
field that holds the answer. A type not listed still yields whatever words it has.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from freshqa.evidence.loose_json import describe, first_text, join, mapping, records, text

Box = Mapping[str, Any]
Words = Callable[[Box], str]


def _first(*names: str) -> Words:
    return lambda box: first_text(box, *names)


def _title(box: Box) -> str:
    return first_text(box, "title")


def _nothing(box: Box) -> str:
    return ""


def _weather(box: Box) -> str:
    degrees = join(box.get("temperature"), box.get("unit"), separator=" ")
    return join(degrees, box.get("weather"), separator=", ")


def _price(box: Box) -> str:
    return join(box.get("price"), box.get("currency"), separator=" ")


def _unit(box: Box) -> str:
    to = mapping(box.get("to"))
    return join(to.get("value"), to.get("unit"), separator=" ")


def _conversion(box: Box) -> str:
    start = mapping(box.get("from"))
    asked = join(start.get("value"), start.get("unit"), separator=" ")
    return join(f"{asked} = {_unit(box)}" if asked else "", text(box.get("formula")))


def _currency(box: Box) -> str:
    legs = mapping(box.get("currency_converter")) or box
    pair = [
        join(leg.get("price"), leg.get("amount"), leg.get("currency"), separator=" ")
        for leg in (mapping(legs.get("from")), mapping(legs.get("to")))
    ]
    return join(" = ".join(pair) if all(pair) else "", text(box.get("result")))


def _definition(box: Box) -> str:
    definitions = box.get("definitions")
    return text(definitions[0]) if isinstance(definitions, list) and definitions else ""


def _translation(box: Box) -> str:
    return first_text(mapping(mapping(box.get("translation")).get("target")), "text")


def _population(box: Box) -> str:
    return join(join(box.get("place"), separator=" "), "Population", separator=" / ")


def _route(box: Box) -> str:
    return first_text(mapping(box.get("routes")), "duration", "summary", "via")


@dataclass(frozen=True)
class BoxType:
    """How the fields of one type of answer box are read.

    Args:
        answer: Gives the answer itself.
        title: Gives what it answers.
        lead: Returns the start of the snippet, before the other fields.
        live: True when the answer is true at the moment of the search.
        spoken_for: Fields that `lead` has said already.
    """

    answer: Words
    title: Words = _title
    lead: Words = _nothing
    live: bool = False
    spoken_for: tuple[str, ...] = ()


BOX_TYPES: dict[str, BoxType] = {
    "calculator_result": BoxType(_first("result", "answer")),
    "weather_result": BoxType(_weather, _first("location"), live=True),
    "finance_results": BoxType(_price, _first("title", "stock"), live=True),
    "population_result": BoxType(_first("population"), _first("place"), _population),
    "currency_converter": BoxType(
        _first("result", "answer"),
        lead=_currency,
        live=True,
        spoken_for=("currency_converter", "from", "to", "result", "chart"),
    ),
    "unit_converter": BoxType(
        _unit, _first("unit_type"), _conversion, spoken_for=("from", "to", "formula", "unit_type")
    ),
    "dictionary_results": BoxType(_definition, _first("syllables", "word")),
    "translation_result": BoxType(_translation),
    "local_time": BoxType(_first("result"), live=True),
    "time": BoxType(_first("result"), live=True),
    "hours": BoxType(_first("result", "hours"), live=True),
    "air_quality": BoxType(_first("result", "air_quality", "description"), live=True),
    "formula": BoxType(_first("answer", "result")),
    "directions": BoxType(_route),
    "hotels": BoxType(_first("result")),
    "google_flights": BoxType(_first("result")),
    "flight_duration": BoxType(_first("duration", "result")),
    "transport_options": BoxType(_first("result")),
}
ANYTHING = BoxType(_first("answer", "result"))
PAGE_LIKE = ("organic_result", "")
NEVER_SAID = (
    "type",
    "title",
    "people_also_search_for",
    "chart",
    "date",
    "displayed_link",
    "sources",
)


def read_box(box: Box) -> dict[str, Any]:
    """Return the words of an answer box that is not a page: arguments of `Page.add`."""
    kind = BOX_TYPES.get(text(box.get("type")), ANYTHING)
    rest = describe(box, skip=(*NEVER_SAID, *kind.spoken_for))
    source = next(records(box.get("sources")), {})
    return {
        "title": kind.title(box),
        "snippet": join(kind.lead(box), rest),
        "highlight": kind.answer(box),
        "url": first_text(source, "link") or first_text(box, "link", "website"),
        "source": first_text(box, "displayed_link"),
        "dates": (box.get("date"), box.get("year")),
        "live": kind.live,
    }
