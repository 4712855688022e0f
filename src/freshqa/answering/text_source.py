"""Where the text of a prompt comes from: name and hash, recorded in every result."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from pathlib import Path

from freshqa.errors import UsageError
from freshqa.json_record import JsonRecord


@dataclass(frozen=True)
class TextSource(JsonRecord):
    """A text that a result depends on.

    Args:
        name: `ours: …`, or the name of the file it was read from.
        sha256: Hash of the text; of the bytes where it was read from a file.
    """

    name: str
    sha256: str


def our_text(name: str, text: str) -> TextSource:
    """Return the source of a text that ships with this package."""
    return TextSource(f"ours: {name}", hashlib.sha256(text.encode("utf-8")).hexdigest())


def read_text(path: str | Path, *, option: str, remedy: str) -> tuple[str, TextSource]:
    """Return the text of a file that a person named, with its source.

    Args:
        option: The option that named the file, for the message.
        remedy: What kind of file is expected.

    Raises:
        UsageError: The file is missing, cannot be read, is empty or is not UTF-8.
    """
    file = Path(path)
    try:
        content = file.read_bytes()
        text = content.decode("utf-8-sig")
    except FileNotFoundError:
        raise UsageError(f"{option}: file {path} not found.", remedy) from None
    except OSError as problem:
        reason = problem.strerror or type(problem).__name__
        raise UsageError(f"{option}: cannot read {path} ({reason}).", remedy) from None
    except UnicodeDecodeError:
        raise UsageError(f"{option}: {path} is not UTF-8 text.", remedy) from None
    if not text.strip():
        raise UsageError(f"{option}: {path} is empty.", remedy)
    return text, TextSource(file.name, hashlib.sha256(content).hexdigest())
