"""Write a file completely or not at all."""

from __future__ import annotations

import os
from pathlib import Path

from freshqa.errors import StoreError


def write_whole(body: bytes, target: Path) -> None:
    """Write all of it or nothing, so that a full disk leaves no partial file.

    Raises:
        StoreError: The file cannot be written.
    """
    part = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        part.write_bytes(body)
        part.replace(target)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise StoreError(
            f"Cannot write {target}: {error.strerror}.", "Choose another path."
        ) from None
