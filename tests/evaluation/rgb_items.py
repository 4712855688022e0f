"""Small testbeds, and readers with known behaviour."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from freshqa.evaluation.rgb.reply import Reply, read_reply
from freshqa.evaluation.rgb.testbed import Item, Kind, Testbed

TOWNS = ("Rome", "Oslo", "Lima", "Bern", "Cairo", "Delhi")


def base_item(number: int) -> Item:
    town = TOWNS[number]
    return Item(
        id=str(number),
        query=f"Where was fair {number} held?",
        parts=((town,),),
        positive=(tuple(f"Fair {number} was held in {town} (page {page})." for page in range(5)),),
        negative=tuple(f"Fair {number} had many guests (page {page})." for page in range(5)),
        answer=town,
    )


def fact_item(number: int) -> Item:
    base = base_item(number)
    fake = TOWNS[number - 1]
    wrong = tuple(d.replace(TOWNS[number], fake) for d in base.positive[0])
    return Item(
        base.id, base.query, base.parts, base.positive, base.negative, (fake,), wrong, base.answer
    )


def pair_item(number: int) -> Item:
    first, two = base_item(number), base_item((number + 1) % len(TOWNS))
    return Item(
        id=f"{first.id}+{two.id}",
        query=f"{first.query} And: {two.query}",
        parts=(*first.parts, *two.parts),
        positive=(*first.positive, *two.positive),
        negative=(*first.negative, *two.negative),
        answer=[first.answer, two.answer],
    )


def testbed(kind: Kind, *, size: int = 6) -> Testbed:
    make = {
        Kind.base: base_item,
        Kind.integration: pair_item,
        Kind.counterfactual: fact_item,
    }[kind]
    items = tuple(make(number) for number in range(size))
    return Testbed(kind.value, kind, "en", items, sha256=f"hash of {kind.value}")


testbed.__test__ = False  # type: ignore[attr-defined]  # a helper


class ScriptedReader:
    """Replies as told; `careful` reads well and says when it cannot."""

    name = "reader"

    def __init__(self, reply: Callable[[str, Sequence[str]], str]) -> None:
        self._reply = reply

    def read(self, query: str, documents: Sequence[str], *, language: str) -> Reply:
        return read_reply(self._reply(query, documents))


def careful(query: str, documents: Sequence[str]) -> str:
    """Gives every town that the documents name; declines without one, objects to two for one."""
    towns = sorted({town for town in TOWNS for document in documents if town in document})
    if not towns:
        return "status: insufficient\nanswer: insufficient information"
    asked = query.count("Where")
    return f"status: {'conflict' if len(towns) > asked else 'answered'}\nanswer: {', '.join(towns)}"
