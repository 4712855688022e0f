"""FreshPrompt's evidence as the authors' notebook makes it, with pandas, without its faults.

The steps, columns, order and printed form are those of `freshprompt.ipynb` (freshllms/freshqa).
Mended: it raises on lists, numbers and nulls where it expects text; "3 weeks ago" becomes the third
of this month; dates count from the clock; equal dates are shuffled; its input is changed in place;
pandas 3 prints `nan` for what is missing.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

import pandas as pd
from dateutil import parser
from dateutil.relativedelta import relativedelta

COLUMNS = ("source", "date", "title", "snippet", "highlight")
AGO = re.compile(r"(\d+) (second|minute|hour|day|week|month|year)s? ago")
Row = dict[str, str | None]


def evidence_rows(
    body: Mapping[str, Any],
    *,
    now: datetime,
    organic: int = 15,
    related: int = 3,
    questions_and_answers: int = 3,
    kept: int = 15,
) -> list[Row]:
    """Return the rows the notebook prints, oldest first, undated before them."""
    frame = pd.DataFrame(columns=list(COLUMNS))
    for rows in (
        [_result(r, now) for r in _records(body, "organic_results")[:organic]],
        [_result(r, now, title="question") for r in _records(body, "related_questions")[:related]],
        [_qa(r) for r in _records(body, "questions_and_answers")[:questions_and_answers]],
        [_graph(r) for r in _records(body, "knowledge_graph")[:1]],
        [_result(r, now, highlight="answer") for r in _records(body, "answer_box")[:1]],
    ):
        for row in reversed(rows):
            frame = pd.concat([frame, pd.DataFrame([row])], ignore_index=True)
    frame = frame.dropna(how="all")
    moment = pd.to_datetime(frame["date"], errors="coerce", format="%b %d, %Y")
    frame = frame.assign(moment=moment).sort_values("moment", kind="stable", na_position="first")
    frame = frame.astype(object).where(frame.notna(), None)
    return [{name: row[name] for name in COLUMNS} for _, row in frame.iterrows()][-kept:]


def prompt_part(question: str, rows: Sequence[Row], ending: str = "\nanswer: ") -> str:
    """Return the printed evidence between the query and the question."""
    blocks = ["\n".join(f"{name}: {row[name]}" for name in COLUMNS) for row in rows]
    return "\n\n".join([f"query: {question}", *blocks, f"question: {question}{ending}"])


def _records(body: Mapping[str, Any], name: str) -> list[Mapping[str, Any]]:
    value = body.get(name)
    listed = value if isinstance(value, list) else [value]
    return [record for record in listed if isinstance(record, Mapping)]


def _text(value: Any) -> str | None:
    return str(value) if isinstance(value, (str, int, float)) else None


def _host(link: Any) -> str | None:
    text = _text(link)
    if not text:
        return None
    return text.strip().split("://")[-1].removeprefix("www.").split("/")[0]


def _result(
    record: Mapping[str, Any], now: datetime, title: str = "title", highlight: str = ""
) -> Row:
    marked = record.get("snippet_highlighted_words")
    shown = _text(record.get("displayed_link"))
    snippet = _text(record.get("snippet")) or ""
    rich = record.get("rich_snippet")
    for place in ("top", "bottom"):
        part = rich.get(place) if isinstance(rich, Mapping) else None
        if isinstance(part, Mapping) and isinstance(part.get("extensions"), list):
            snippet = "\n\t".join([snippet, *map(str, part["extensions"])])
    if isinstance(record.get("list"), list):
        snippet = "\n\t".join([snippet, *map(str, record["list"])])
    contents = record.get("contents")
    if isinstance(contents, Mapping) and isinstance(contents.get("table"), list):
        snippet += "".join("\n" + ",".join(map(str, row)) for row in contents["table"])
    joined = " | ".join(map(str, marked)) if isinstance(marked, list) else None
    return {
        "source": _host(shown.split(" › ")[0]) if shown else None,
        "date": _date(_text(record.get("date")), now),
        "title": _text(record.get(title)),
        "snippet": (snippet.strip() and snippet) or None,
        "highlight": _text(record.get(highlight)) if highlight else joined,
    }


def _qa(record: Mapping[str, Any]) -> Row:
    return {
        "source": _host(record.get("link")),
        "date": None,
        "title": _text(record.get("question")),
        "snippet": _text(record.get("answer")),
        "highlight": None,
    }


def _graph(record: Mapping[str, Any]) -> Row:
    origin = record.get("source")
    title = _text(record.get("title"))
    if title and _text(record.get("type")):
        title += f"\n\t{record['type']}"
    said = [
        f"{name}: {value}"
        for name, value in record.items()
        if isinstance(value, str)
        and name not in ("title", "type", "kgmid")
        and "_link" not in name
        and "_stick" not in name
        and not value.startswith("http")
    ]
    return {
        "source": _host(origin.get("link")) if isinstance(origin, Mapping) else None,
        "date": None,
        "title": title,
        "snippet": "\n\t".join(said) or None,
        "highlight": None,
    }


def _date(text: str | None, now: datetime) -> str | None:
    if not text:
        return None
    if match := AGO.search(text):
        moment = now - relativedelta(**{f"{match[2]}s": int(match[1])})
    else:
        try:
            moment = parser.parse(text, default=now)
        except (ValueError, OverflowError):
            return None
    return moment.strftime("%b %d, %Y")
