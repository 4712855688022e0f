"""Write a file completely or not at all."""

from __future__ import annotations

import errno
import os
from pathlib import Path

from freshqa.errors import StoreError

FULL = (errno.ENOSPC, errno.EDQUOT)
"""Error numbers of a disk, or a quota, that is full."""


def write_whole(body: bytes, target: Path) -> None:
    """Write all of it or nothing, so that a full disk leaves no partial file.

    A symbolic link stays one, and a device or a pipe is written to instead of replaced.

    Raises:
        StoreError: The file cannot be written.
    """
    try:
        if target.exists() and not target.is_file():
            target.write_bytes(body)
        else:
            _replace(target.resolve(), body)
    except OSError as error:
        remedy = "Choose another path."
        if error.errno in FULL:
            remedy = "Free disk space, or choose another path."
        raise StoreError(f"Cannot write {target}: {error.strerror}.", remedy) from None


def _replace(target: Path, body: bytes) -> None:
    part = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        part.write_bytes(body)
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)
