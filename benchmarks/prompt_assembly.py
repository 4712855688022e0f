"""From a recorded search to the finished prompt: our code beside the notebook's procedure.

    python benchmarks/prompt_assembly.py

Both read the 323 recorded bodies and build a whole prompt with five demonstrations, whose evidence
lies in memory. The notebook's procedure is written anew here, without the faults that make it raise:
rows appended to a pandas frame one by one, dates by dateutil, sorted and cut by pandas. It does not
clean, flag or weigh anything. One process, one thread; the median of the medians of five rounds.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from datetime import date, datetime, timezone
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any

import pandas as pd
from dateutil import parser

from freshqa.answering.demonstrations import demonstrations
from freshqa.answering.freshprompt import freshprompt
from freshqa.answering.settings import settings_for
from freshqa.evidence.consolidate import consolidate
from freshqa.evidence.parsing import parse
from freshqa.evidence.search_engine import SearchResult

DATA = Path(
    os.environ.get("FRESHQA_TEST_DATA", Path(__file__).parent.parent.parent / "shared" / "data")
)
RECORDING = DATA / "serp" / "google_2024-03-13_dev.jsonl"
DAY = date(2024, 3, 13)
NOW = datetime(2024, 3, 13, tzinfo=timezone.utc)
FIELDS = ("source", "date", "title", "snippet", "highlight")
ORGANIC, RELATED, KEPT = 15, 3, 15
Body = Mapping[str, Any]


def our_prompt(question: str, body: Body, profile: str) -> str:
    settings = settings_for(profile)
    findings = parse(SearchResult("serpapi", question, body, NOW))
    kept = consolidate(findings, question=question, profile=settings.profile)
    return freshprompt(question, kept, as_of=DAY, settings=settings)[-1].content


def notebook_prompt(question: str, body: Body) -> str:
    shown = [
        notebook_block(d.question, DEMONSTRATION_BODIES[d.question], f"\nanswer: {d.concise}")
        for d in demonstrations()[:5]
    ]
    return "".join(shown).strip() + notebook_block(question, body, "\nanswer: ")


def notebook_block(question: str, body: Body, ending: str) -> str:
    hits = list(body.get("organic_results", []))[:ORGANIC]
    asked = [
        {**hit, "title": hit.get("question")} for hit in body.get("related_questions", [])[:RELATED]
    ]
    box = body.get("answer_box")
    frame = pd.DataFrame(columns=list(FIELDS))
    for hit in [*reversed(hits), *reversed(asked), *([box] if box else [])]:
        frame = pd.concat([frame, pd.DataFrame([notebook_row(hit)])], ignore_index=True)
    frame["datetime"] = pd.to_datetime(frame["date"], errors="coerce", format="%b %d, %Y")
    frame = frame.sort_values(by="datetime", na_position="first", kind="stable")
    blocks = [
        "\n\n" + "\n".join(f"{field}: {row[field]}" for field in FIELDS)
        for _, row in frame.tail(KEPT).iterrows()
    ]
    return f"\n\n\nquery: {question}" + "".join(blocks) + f"\n\nquestion: {question}{ending}"


def notebook_row(hit: Body) -> dict[str, Any]:
    day = hit.get("date")
    try:
        said = parser.parse(day, fuzzy=True).strftime("%b %d, %Y") if day else None
    except (ValueError, OverflowError):
        said = None
    link = str(hit.get("displayed_link") or hit.get("link") or "")
    return {
        "source": link.split("://")[-1].removeprefix("www.").split("/")[0] or None,
        "date": said,
        "title": hit.get("title"),
        "snippet": hit.get("snippet"),
        "highlight": " | ".join(hit.get("snippet_highlighted_words", [])) or None,
    }


DEMONSTRATION_BODIES: dict[str, Body] = {
    d.question: {
        "organic_results": [
            {"title": e.title, "snippet": e.snippet, "date": e.date_raw, "link": e.url}
            for e in d.evidence
        ]
    }
    for d in demonstrations()
}


def microseconds(build: Callable[[str, Body], str], bodies: list[tuple[str, Body]]) -> float:
    """Median time of one prompt."""
    rounds = []
    for _ in range(5):
        times = []
        for question, body in bodies:
            started = perf_counter()
            build(question, body)
            times.append(perf_counter() - started)
        rounds.append(median(times))
    return median(rounds) * 1e6


def main() -> None:
    lines = (json.loads(line) for line in RECORDING.read_text("utf-8").splitlines())
    bodies = [(line["question"], line["response"]) for line in lines]
    print("| procedure | µs per question |")
    print("|---|---|")
    for profile in ("notebook", "paper-gpt4", "best"):
        ours = microseconds(lambda q, b, p=profile: our_prompt(q, b, p), bodies)
        print(f"| ours, `{profile}` | {ours:,.0f} |")
    print(
        f"| the notebook's, rewritten without its bugs | {microseconds(notebook_prompt, bodies[:60]):,.0f} |"
    )


if __name__ == "__main__":
    main()
