"""From bytes to text, when nobody says how the text was written."""

from __future__ import annotations

from dataclasses import dataclass

BOMS = ((b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be"))


@dataclass(frozen=True)
class Decoded:
    """Text, the codec that writes the same bytes again, and whether a byte order mark was there."""

    text: str
    encoding: str
    bom: bool


def decode(data: bytes) -> Decoded:
    """Bytes as text."""
    for mark, encoding in BOMS:
        if data.startswith(mark):
            return Decoded(data[len(mark) :].decode(encoding), encoding, True)
    for encoding in ("utf-8", "gb18030", "cp1252", "latin-1"):
        try:
            return Decoded(data.decode(encoding), encoding, False)
        except UnicodeDecodeError:
            continue
    raise AssertionError("latin-1 reads any bytes")


def encode(text: str, encoding: str, *, bom: bool) -> bytes:
    """Text as bytes, the other way round."""
    mark = next((mark for mark, of in BOMS if of == encoding), b"") if bom else b""
    return mark + text.encode(encoding)
