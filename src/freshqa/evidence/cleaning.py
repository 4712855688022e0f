"""Clean untrusted text: one line, no hidden characters, no block delimiters.

All visible text stays readable; only what a reader cannot see is removed (control,
zero-width, bidirectional and tag characters) or what a prompt could mistake for its own structure
(line ends, markup, role marks, code fences).
"""

from __future__ import annotations

import html
import re
import unicodedata
from urllib.parse import parse_qs, urlsplit

ELLIPSIS = "…"
MAX_URL = 2_000
MARKUP = re.compile(r"<!--|-->|</?[A-Za-z][^<>]{0,300}>")
MARKDOWN_IMAGE = re.compile(r"!\[([^\]]{0,300})\]\([^)]{0,2000}\)")
FENCE = re.compile(r"`{3,}|~{3,}|\"{3,}|={5,}|-{5,}|#{3,}")
MARKS = frozenset('`~"=#-')
ROLE_MARK = re.compile(
    r"<\|?[/ ]?(?:im_start|im_end|system|user|assistant|developer|endoftext|eot_id|start_header_id"
    r"|end_header_id|begin_of_text)[^<>|]{0,40}\|?>|\[/?INST\]|<</?SYS>>|\[/?(?:END|BEGIN)[^\]]{0,40}\]",
    re.IGNORECASE,
)
JOINERS = "\u200c\u200d"
_SPELT = r"[\u0590-\U0001ffff]"
HIDING_JOINER = re.compile(rf"(?<!{_SPELT})[{JOINERS}]+|[{JOINERS}]+(?!{_SPELT})|[{JOINERS}]{{2,}}")
"""Persian and Indic words and emoji sequences need joiners; elsewhere joiners only hide text."""
BLANKS = {0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x3164, 0xFFA0, 0x2800} | {
    *range(0xFE00, 0xFE10),
    *range(0xE0100, 0xE01F0),
}
"""Marks without a glyph, such as variation selectors, which can carry a hidden message."""


def clean_text(text: str, *, limit: int) -> str:
    """Return the text on one line, everything in it visible, at most `limit` characters.

    Args:
        text: Anything a web page may hold.
        limit: Maximum number of characters returned; a longer text ends in "…".
    """
    # Text far beyond the limit is not read, so that a flood costs no more than a snippet.
    text = text[: limit * 4 + 1000]
    if "&" in text:
        text = html.unescape(text)
    if not (text.isascii() and text.isprintable()):
        text = visible(unicodedata.normalize("NFC", text))
    if "<" in text or ">" in text or "[" in text:
        # Each is replaced by a space, so that the parts around it cannot form another one.
        text = MARKDOWN_IMAGE.sub(r" \1 ", text).replace("![", " [")
        text = MARKUP.sub(" ", ROLE_MARK.sub(" ", text))
    if not MARKS.isdisjoint(text):
        text = FENCE.sub(" ", text)
    text = " ".join(text.split())
    return text if len(text) <= limit else _cut(text, limit)


def visible(text: str) -> str:
    """The text with line ends and tabs as spaces, without invisible characters."""
    if "\u200c" in text or "\u200d" in text:
        text = HIDING_JOINER.sub("", text)
    return text.translate(_SHOWN)


def clean_url(url: str) -> str:
    """Return a web address that can be followed and compared, or "".

    Google's redirects are unwrapped and text fragments (`#:~:text=`) cut off, so that one page
    found twice has one address. Anything but http and https is refused.
    """
    url = (url if url.isascii() and url.isprintable() else visible(url)).strip()
    if len(url) > MAX_URL or len(url.split()) != 1:
        return ""
    try:
        parts = urlsplit(url)
        host = parts.hostname or ""
    except ValueError:
        return ""
    if parts.scheme not in ("http", "https") or not host:
        return ""
    if host.startswith("www.google.") and parts.path == "/url":
        query = parse_qs(parts.query)
        target = (query.get("url") or query.get("q") or [""])[0]
        return clean_url(target) if not target.startswith("https://www.google.") else ""
    return url.split("#:~:text=")[0]


def site_of(shown: str, url: str) -> str:
    """Short name of a site: what the engine shows before " › ", without scheme, `www.` and path."""
    name = shown.split(" › ")[0].strip()
    if not name:
        name = urlsplit(url).hostname or ""
    name = name.split("://")[-1].split("/")[0]
    return clean_text(name, limit=100).removeprefix("www.")


class _Shown(dict[int, int | str]):
    """How each character is shown, computed once: itself, a space or nothing."""

    def __missing__(self, code: int) -> int | str:
        shown = _as_shown(code)
        self[code] = shown
        return shown


_SHOWN = _Shown()


def _as_shown(code: int) -> int | str:
    character = chr(code)
    category = unicodedata.category(character)
    if character.isspace() or category in ("Zl", "Zp", "Zs"):
        return " "
    if character in JOINERS:
        return code
    # Cn: unassigned in Unicode; Co and Cs: no standard glyph.
    if category in ("Cc", "Cf", "Cs", "Co", "Cn") or code in BLANKS:
        return ""
    return code


def _cut(text: str, limit: int) -> str:
    """Shorten at a space where there is one near the end."""
    if limit < 1:
        return ""
    head = text[: limit - 1]
    space = head.rfind(" ", max(0, limit - 40))
    return (head[:space] if space > 0 else head).rstrip() + ELLIPSIS
