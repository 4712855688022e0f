"""Decode bytes whose encoding is unknown."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from itertools import islice

from freshqa.errors import BadData

BOMS = ((b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be"))
LEGACY = ("cp1252", "gb18030", "latin-1")
SAMPLE = 4096
RUNS = 10_000
UNITS = "°£¥€¢²³½¼¾×±…•™®©§µ"


@dataclass(frozen=True)
class Decoded:
    """Text, the codec that writes the same bytes again, and whether a byte order mark was there.

    Args:
        guessed: Whether the codec had to be guessed: no mark, and not UTF-8.
    """

    text: str
    encoding: str
    bom: bool
    guessed: bool = False


def decode(data: bytes, *, name: str) -> Decoded:
    """Bytes as text: by byte order mark, as UTF-8, as UTF-16, else the likeliest legacy codec.

    Raises:
        BadData: The bytes are no text, or break the encoding their mark announces.
    """
    for mark, encoding in BOMS:
        if data.startswith(mark):
            return Decoded(_strict(data[len(mark) :], encoding, name=name), encoding, True)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        text = None
    if text is not None and "\0" not in text[:SAMPLE]:
        return Decoded(text, "utf-8", False)
    wide = _utf16_without_mark(data[:SAMPLE])
    if wide:
        return Decoded(_strict(data, wide, name=name), wide, False, guessed=True)
    if _binary(data[:SAMPLE]):
        raise BadData(
            f"{name}: not a text file, workbook or Parquet file.",
            "Use a release in CSV, XLSX, JSON, JSON Lines or Parquet format.",
        )
    return _legacy(data)


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


def _legacy(data: bytes) -> Decoded:
    best: tuple[int, Decoded] | None = None
    for encoding in LEGACY:
        try:
            text = data.decode(encoding)
        except UnicodeDecodeError:
            continue
        score = _oddness(text)
        if best is None or score < best[0]:
            best = score, Decoded(text, encoding, False, guessed=True)
    assert best is not None  # latin-1 reads any bytes
    return best[1]


def _oddness(text: str) -> int:
    """How little the characters beyond ASCII look like an English text with foreign names.

    Letters, quotation marks and units belong there. Other symbols and controls do not, nor does a
    Chinese character that touches a Latin letter: both are what the wrong codec makes of a letter.
    """
    odd = 0
    for found in islice(re.finditer(r"(.?)([^\x00-\x7f]+)(.?)", text), RUNS):
        before, run, after = found.groups()
        touches = (before.isalpha() and _wide(run[0])) + (after.isalpha() and _wide(run[-1]))
        odd += 3 * touches + sum(_odd(character, alone=len(run) == 1) for character in run)
    return odd


def _odd(character: str, *, alone: bool) -> int:
    if _wide(character):
        return 1
    if character.isalpha():
        return 0
    if character in UNITS:
        return 0 if alone else 1
    category = unicodedata.category(character)
    return 0 if category in ("Pd", "Pi", "Pf") else 3 if category in ("Cc", "Co", "Cn") else 2


def _wide(character: str) -> bool:
    return "\u2e80" <= character <= "\ufaff"
