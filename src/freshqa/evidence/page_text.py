"""From the HTML of a page to its text and dates (extra `pages`)."""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass
from typing import Any

from freshqa.errors import UsageError
from freshqa.evidence.page_dates import page_dates
from freshqa.storable import storable

LONGEST_TEXT = 200_000
"""Characters of text kept of a page."""
_DECLARED = re.compile(rb"<meta[^>]{0,200}?charset\s*=\s*[\"']?\s*([\w.:-]{2,40})", re.IGNORECASE)
MISSING = UsageError(
    "Reading pages needs the package trafilatura, which is not installed.",
    "Run: pip install 'prefect-freshqa[pages]'.",
)


@dataclass(frozen=True)
class PageContent:
    """The content of a page; fields as in `WebPage`."""

    text: str = ""
    title: str = ""
    published: str = ""
    modified: str = ""


def read_html(content: bytes, charset: str = "") -> PageContent:
    """Return the main text of a page and its stated dates; scripts are not run.

    Args:
        content: The page, unpacked.
        charset: As the server names it; "" takes the page's own word.

    Raises:
        UsageError: The extra `pages` is not installed.
    """
    try:
        from lxml import etree
        from trafilatura import extract
    except ModuleNotFoundError:
        raise MISSING from None
    html = decode(content, charset)
    tree = parsed(html)
    if tree is None:
        return PageContent()
    published, modified = page_dates(tree)
    title = " ".join(tree.xpath("string(//title)").split())
    text = extract(html, output_format="markdown", include_comments=False, favor_recall=True)
    if not text:  # a page of tables and lists only, which is not an article
        for element in tree.xpath("//script | //style | //noscript | //template"):
            element.drop_tree()
        lines = (" ".join(line.split()) for line in etree.tostring(tree, **_AS_TEXT).splitlines())
        text = "\n".join(line for line in lines if line)
    return PageContent(
        storable(text[:LONGEST_TEXT]),
        storable(title[:500]),
        storable(published),
        storable(modified),
    )


_AS_TEXT: dict[str, Any] = {"method": "text", "encoding": "unicode"}


def parsed(html: str) -> Any:
    """Return the page as a tree, or None where there is nothing to parse."""
    from lxml import etree
    from lxml import html as parser

    try:
        return parser.document_fromstring(
            html.encode("utf-8", "replace"),
            parser=parser.HTMLParser(encoding="utf-8", no_network=True),
        )
    except (etree.ParserError, ValueError):
        return None


def read_plain(content: bytes, charset: str = "") -> PageContent:
    """Return the text of a page that is not HTML."""
    return PageContent(storable(decode(content, charset)[:LONGEST_TEXT]))


def decode(content: bytes, charset: str) -> str:
    """Return the text of bytes: a byte order mark, the server's word, the page's, UTF-8, a guess."""
    if content.startswith(codecs.BOM_UTF8):
        return content.decode("utf-8-sig", "replace")
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return content.decode("utf-16", "replace")
    declared = _DECLARED.search(content[:4_096])
    named = declared[1].decode("ascii", "replace") if declared else ""
    for name in (charset, named, "utf-8"):
        try:
            if name and codecs.lookup(name)._is_text_encoding:
                return content.decode(name)
        except (LookupError, ValueError):
            continue
    from charset_normalizer import from_bytes

    guessed = from_bytes(content[:100_000]).best()
    return content.decode(guessed.encoding if guessed else "utf-8", "replace")
