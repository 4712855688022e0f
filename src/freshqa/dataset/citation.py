"""How to cite a version, or a selection of its rows."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from freshqa.dataset.selection import Selection

ALL = Selection()


@dataclass(frozen=True)
class Citation:
    """The data that was used.

    Args:
        dataset: Name of the dataset.
        number: Of the version.
        as_of: The day that its content describes.
        content_hash: Of the rows that are cited.
        selection: Which rows of the version they are.
    """

    dataset: str
    number: int
    as_of: date
    content_hash: str
    selection: Selection = ALL

    @classmethod
    def of(
        cls,
        described: Mapping[str, Any],
        selection: Selection = ALL,
        *,
        dataset: str = "freshqa",
    ) -> Citation:
        """The citation of a version as `show --json` prints it, or of selected rows of it."""
        return cls(
            dataset,
            int(described["version"]),
            date.fromisoformat(str(described["as_of"])),
            str(described["content_hash"]),
            selection,
        )

    @property
    def title(self) -> str:
        """Dataset, version and date in one line."""
        rows = f", {self.selection.describe()}" if self.selection else ""
        return f"{self.dataset}, version {self.number} (as of {self.as_of.isoformat()}{rows})"

    def metadata(self) -> dict[str, str]:
        """Return the metadata of a Parquet file or workbook of these rows."""
        return {
            "dataset": self.dataset,
            "version": str(self.number),
            "as_of": self.as_of.isoformat(),
            "content_hash": f"sha256:{self.content_hash}",
            "selection": self.selection.describe(),
            "cff": self.cff(),
        }

    def bibtex(self) -> str:
        """Return a BibTeX entry."""
        return (
            f"@misc{{{self.dataset}-v{self.number},\n"
            f"  title = {{{{{self.title}}}}},\n"
            f"  year = {{{self.as_of.year}}},\n"
            f"  version = {{{self.number}}},\n"
            f"  note = {{content hash sha256:{self.content_hash}}}\n"
            "}\n"
        )

    def cff(self) -> str:
        """Return a Citation File Format 1.2.0 record; JSON strings are valid YAML."""
        quoted = json.dumps(self.title, ensure_ascii=False)
        return (
            "cff-version: 1.2.0\n"
            "message: Cite the version of the dataset that you used.\n"
            "type: dataset\n"
            f"title: {quoted}\n"
            f'version: "{self.number}"\n'
            f"date-released: {self.as_of.isoformat()}\n"
            "authors:\n"
            f"  - name: {json.dumps(f'{self.dataset} maintainers')}\n"
            "identifiers:\n"
            "  - type: other\n"
            f"    value: sha256:{self.content_hash}\n"
            "    description: Content hash of the rows\n"
        )
