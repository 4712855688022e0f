"""Rules on sources: they exist and can be opened."""

from __future__ import annotations

from urllib.parse import urlsplit

from prefect_freshqa.expectations.declare import About, values


def are_urls(text: str) -> bool:
    """Return True when every line is one http or https address with a host, none of them twice."""
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    if lines == ["N/A"]:
        return True
    return len(lines) == len(set(lines)) and all(map(_is_url, lines))


def _is_url(line: str) -> bool:
    try:
        parts = urlsplit(line)
    except ValueError:
        return False
    host = parts.hostname or ""
    return parts.scheme in ("http", "https") and "." in host and not any(map(str.isspace, line))


ExpectSourcesToBeUrls = values(
    "ExpectSourcesToBeUrls",
    are_urls,
    About(
        "Expect each line of a source cell to be a web address; the whole cell may be N/A.",
        "Several sources are one per line, each once.",
        "Each line of $column must be a web address.",
        {
            "source": ["https://example.org/a\nhttps://example.org/b", "N/A"],
            "wrong": ["example.org/a", "https://example.org https://example.com"],
        },
        [({}, []), ({"column": "wrong"}, [0, 1])],
        column="The column with the sources.",
    ),
    column="source",
)
