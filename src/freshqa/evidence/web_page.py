"""A page behind a search result, as it was read."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from datetime import date
from typing import Protocol

from freshqa.json_record import JsonRecord, Moment


@dataclass(frozen=True)
class WebPage(JsonRecord):
    """The text of a page, or why it was not read.

    Args:
        url: Address of the search result.
        fetched_at: When it was answered (aware, UTC).
        text: Its text: headings start with `#`, items of lists with `- `, rows of tables with `|`.
        title: Its title.
        published: When it says that it was published, as written; "" where it does not.
        modified: When it says that it was last changed, as written.
        final_url: Where redirects led.
        problem: Why it was not read; "" when it was.
        seconds: How long that took.
        reused: True when it came from the ledger.
    """

    url: str
    fetched_at: Moment
    text: str = ""
    title: str = ""
    published: str = ""
    modified: str = ""
    final_url: str = ""
    problem: str = ""
    seconds: float = 0.0
    reused: bool = False

    @property
    def sha256(self) -> str:
        """Content address of the text, in hex; "" for a page without one."""
        return text_address(self.text) if self.text else ""


class WebReader(Protocol):
    """Anything that reads pages; thread-safe."""

    def read(self, url: str, *, as_of: date, select: str = "", path: str = "") -> WebPage:
        """Return the page, or why it was not read; never raises for errors of a server.

        Args:
            url: Its address.
            as_of: Day of the check.
            select: CSS selector; the text is then JSON, the elements found (`Selected`).
            path: Path in a JSON document; the text as with `select`.
        """
        ...


def text_address(text: str) -> str:
    """SHA-256 of a text, broken characters from the web included, in hex."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
