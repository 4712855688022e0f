"""Decode bytes whose encoding is unknown."""

from __future__ import annotations

import codecs
from dataclasses import dataclass

from freshqa.dataset.legacy_encoding import guess_encoding
from freshqa.errors import BadData, UsageError

BOMS = (
    (b"\xef\xbb\xbf", "utf-8"),
    (b"\xff\xfe\x00\x00", "utf-32-le"),
    (b"\x00\x00\xfe\xff", "utf-32-be"),
    (b"\xff\xfe", "utf-16-le"),
    (b"\xfe\xff", "utf-16-be"),
)
JAPANESE = (b"\x1b$B", b"\x1b$@")
"""Shift sequences of ISO 2022-JP, which uses only ASCII bytes."""
SAMPLE = 4096


@dataclass(frozen=True)
class Decoded:
    """Text, the codec that writes the same bytes again, and whether a byte order mark was there.

    Args:
        note: What a person should know where the codec had to be guessed.
    """

    text: str
    encoding: str
    bom: bool
    note: str = ""


def decode(data: bytes, *, name: str, encoding: str = "") -> Decoded:
    """Bytes as text: by byte order mark, as UTF-8, as UTF-16, else the likeliest legacy codec.

    Args:
        encoding: Name of the codec; "" to find it out.

    Raises:
        UsageError: Python has no codec for text of that name.
        BadData: The bytes are not text, or break the encoding that is given or that their mark
            announces.
    """
    if encoding:
        return _given(data, encoding, name=name)
    for mark, marked in BOMS:
        if data.startswith(mark):
            return Decoded(_strict(data[len(mark) :], marked, name=name), marked, True)
    if any(shift in data for shift in JAPANESE) and _reads_again(data, "iso2022_jp"):
        note = "not UTF-8: read as iso2022_jp, by its marks"
        return Decoded(data.decode("iso2022_jp"), "iso2022_jp", False, note)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        text = None
    if text is not None and "\0" not in text[:SAMPLE]:
        return Decoded(text, "utf-8", False)
    wide = _utf16_without_mark(data[:SAMPLE])
    if wide:
        return Decoded(_strict(data, wide, name=name), wide, False, f"not UTF-8: read as {wide}")
    if _binary(data[:SAMPLE]):
        raise BadData(
            f"{name}: not a text file, workbook or Parquet file.",
            "Use a release in CSV, XLSX, JSON, JSON Lines or Parquet format.",
        )
    guess = guess_encoding(data)
    return Decoded(data.decode(guess.encoding), guess.encoding, False, guess.note())


def encode(text: str, encoding: str, *, bom: bool) -> bytes:
    """Return the text as bytes, the other way round.

    Raises:
        BadData: The encoding cannot write one of the characters.
    """
    mark = next((mark for mark, of in BOMS if of == encoding), b"") if bom else b""
    try:
        return mark + text.encode(encoding)
    except UnicodeEncodeError as missing:
        raise BadData(
            f"{encoding} cannot write {text[missing.start]!r}.",
            "Use the official dialect (UTF-8) instead.",
        ) from missing


def _reads_again(data: bytes, encoding: str) -> bool:
    try:
        return data.decode(encoding).encode(encoding) == data
    except UnicodeError:
        return False


def _given(data: bytes, encoding: str, *, name: str) -> Decoded:
    try:
        text = codecs.lookup(encoding)._is_text_encoding  # codecs such as zip do not decode to text
    except LookupError:
        text = False
    if not text:
        raise UsageError(
            f"Unknown encoding {encoding!r}.",
            "Use a name that Python knows, such as utf-8, cp1250, mac_roman, shift_jis or big5.",
        )
    mark = next((mark for mark, _ in BOMS if data.startswith(mark)), b"")
    if mark and codecs.lookup(encoding).name.startswith("utf"):
        return decode(data, name=name)
    try:
        return Decoded(data.decode(encoding), encoding, False)
    except UnicodeDecodeError as broken:
        raise BadData(
            f"{name}: byte {broken.start:,} (0x{data[broken.start]:02x}) is not {encoding}.",
            "Pass another --encoding, or leave it out to have it guessed.",
        ) from broken


def _strict(data: bytes, encoding: str, *, name: str) -> str:
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as broken:
        raise BadData(
            f"{name}: byte {broken.start:,} is not {encoding}, which the file declares.",
            "The file is damaged: download it again, or save it as UTF-8.",
        ) from broken


def _utf16_without_mark(sample: bytes) -> str | None:
    """ASCII in UTF-16 has a zero in every other byte."""
    even, odd = sample[0::2].count(0), sample[1::2].count(0)
    half = len(sample) // 2
    if half and odd > 0.7 * half and even < 0.1 * half:
        return "utf-16-le"
    if half and even > 0.7 * half and odd < 0.1 * half:
        return "utf-16-be"
    return None


def _binary(sample: bytes) -> bool:
    controls = sum(byte < 32 and byte not in b"\t\n\r\f" for byte in sample)
    return 0 in sample or controls > len(sample) // 50
