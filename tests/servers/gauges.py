"""A dataset of any size: one question per river gauge, of which every tenth has changed.

Questions, search results and replies are functions of the gauge's number, so that 60,000 of them
need no files and the right outcome of every question is known.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, datetime, timezone
from typing import Any

from servers.empty_store import new_store
from servers.openai_server import OpenAIServer
from servers.scripted_server import Reply, Request
from servers.serpapi_server import SerpApiServer, body, query_of

from freshqa.dataset.identity import match
from freshqa.dataset.official_order import official_order
from freshqa.dataset.question import Question
from freshqa.store import publishing
from freshqa.store.database import Store
from prefect_freshqa.blocks import OpenAIModel, SerpApiSearch

RELEASED, CHECKED = date(2026, 3, 2), date(2026, 3, 9)
NUMBER = re.compile(r"gauge (\d+) on")


def question_text(number: int) -> str:
    """The question about one gauge."""
    return f"What water level does gauge {number} on the Quell show?"


def level(number: int, *, stored: bool = False) -> str:
    """What a gauge shows; `stored`: what the dataset says, which is old for every tenth gauge."""
    centimetres = 100 + (number * 7919) % 400
    return f"{centimetres + 13 if stored and moved(number) else centimetres} cm"


def moved(number: int) -> bool:
    """Whether the stored answer is old."""
    return number % 10 == 0


def gauges(size: int, *, month: str = "") -> list[Question]:
    """`size` gauges, all due every week.

    Args:
        month: Stored answer of one more row, first in line, that the calendar answers; "" for none.
    """
    common = {
        "split": "TEST",
        "effective_year": "2025",
        "next_review": "frequently",
        "false_premise": "FALSE",
        "num_hops": "one-hop",
        "fact_type": "fast-changing",
    }
    questions = [
        Question(
            {
                **common,
                "question": question_text(number),
                "source": f"https://gauges.example/{number}",
                "answer_0": level(number, stored=True),
            }
        )
        for number in range(size)
    ]
    if month:
        asked = {
            "question": "What month is it now?",
            "answer_0": month,
            "next_review": "03/01/2026",
        }
        questions.append(Question({**common, "source": "https://calendar.example/", **asked}))
    return questions


def make_store(url: str, size: int, *, month: str = "") -> Store:
    """A store whose version 1 holds the `gauges`."""
    store = new_store(url)
    publishing.publish(
        store,
        match(official_order(gauges(size, month=month)), ()).questions,
        as_of=RELEASED,
        now=datetime.now(timezone.utc),
        parent=None,
        kind="import",
    )
    return store


@dataclass
class Providers:
    """A search engine and a language model on loopback that know the gauges."""

    search: SerpApiServer
    model: OpenAIServer

    @property
    def environment(self) -> Mapping[str, str]:
        """How `openai:MODEL` finds the model; the search engine is named by a block."""
        return {"OPENAI_BASE_URL": self.model.base_url, "OPENAI_API_KEY": "not-needed"}

    def save_blocks(
        self, name: str, *, search: Mapping[str, Any] = {}, model: Mapping[str, Any] = {}
    ) -> None:
        """Save both as blocks `name` on the Prefect server in use, with more of their fields."""
        asks = SerpApiSearch(**{"api_key": "k", "base_url": self.search.url, **search})
        asks.save(name, overwrite=True)
        reads = OpenAIModel(**{"model": "r", "base_url": self.model.base_url, **model})
        reads.save(name, overwrite=True)


@contextmanager
def providers(*, search_seconds: float, model_seconds: float) -> Iterator[Providers]:
    """Both servers, each taking so long for an answer."""
    search, model = _GaugeSearch(), OpenAIServer(_reply)
    search.latency, model.latency = search_seconds, model_seconds
    with search.running(), model.running():
        yield Providers(search, model)


class _GaugeSearch(SerpApiServer):
    def normal(self, request: Request) -> Reply:
        query = query_of(request)
        shown = level(number_of(query))
        page = f"https://gauges.example/{number_of(query)}"
        results_page = body(
            query,
            answer_box={"type": "organic_result", "answer": shown, "title": query, "link": page},
            organic_results=[
                {
                    "position": place,
                    "title": query,
                    "link": f"https://{site}.example/{number_of(query)}",
                    "snippet": f"Gauge {number_of(query)} on the Quell shows {shown} today.",
                    "date": "Mar 8, 2026",
                }
                for place, site in enumerate(("gauges", "courier", "observer"), start=1)
            ],
        )
        results_page["search_metadata"] = {
            "status": "Success",
            "created_at": f"{CHECKED} 06:00:00 UTC",
        }
        return Reply(body=results_page)


def _reply(request: Mapping[str, Any]) -> str:
    asked = next(
        str(message["content"])
        for message in reversed(request["messages"])
        if NUMBER.search(str(message["content"]))
    )
    return (
        "As of today March 9, 2026, the most up-to-date and relevant information regarding this "
        f"query is as follows. {level(number_of(asked))}."
    )


def number_of(text: str) -> int:
    """The gauge that a question or the end of a prompt asks about."""
    return int(NUMBER.findall(text)[-1])
