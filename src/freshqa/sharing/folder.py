"""Write the files of a version to a folder."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from freshqa.dataset.whole_file import write_whole
from freshqa.errors import StoreError


def write_folder(files: Mapping[str, bytes], folder: Path) -> None:
    """Write every file completely, replacing those of the same name; other files are kept.

    Args:
        files: Path in the folder → bytes.

    Raises:
        StoreError: a file cannot be written.
    """
    for path, body in files.items():
        target = folder / path
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StoreError(
                f"Cannot create {target.parent}: {error.strerror}.", "Choose another path."
            ) from None
        write_whole(body, target)
