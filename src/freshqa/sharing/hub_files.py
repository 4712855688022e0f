"""The files of a version in the layout of a dataset repository on the Hugging Face hub."""

from __future__ import annotations

import json

from freshqa.dataset.canary import CANARY_COLUMN
from freshqa.dataset.writing import export_columns, write_release
from freshqa.sharing.croissant import croissant
from freshqa.sharing.dataset_card import dataset_card
from freshqa.sharing.shared_version import SharedVersion

CROISSANT = "croissant.json"


def hub_files(shared: SharedVersion, repository: str) -> dict[str, bytes]:
    """Return the files of a version: path → bytes of card, data, Croissant description and citation.

    The data has FreshQA's columns whatever the imported file had, so that importing it gives the
    same content hash.

    Raises:
        UsageError: pyarrow is not installed.
    """
    path = f"data/{shared.citation.dataset}.parquet"
    body = write_release(
        shared.questions, "parquet", metadata=shared.citation.metadata(), canary=shared.canary
    )
    columns = (*export_columns(shared.questions), *[CANARY_COLUMN] * bool(shared.canary))
    described = croissant(shared, columns, path, body)
    return {
        "README.md": dataset_card(shared, path, repository).encode(),
        CROISSANT: f"{json.dumps(described, indent=2, ensure_ascii=False)}\n".encode(),
        "CITATION.cff": shared.citation.cff().encode(),
        path: body,
    }


def hash_in(description: bytes) -> str:
    """Return the content hash that a Croissant description of ours names; "" without one."""
    try:
        document = json.loads(description)
    except ValueError:
        return ""
    identifier = str(document.get("identifier", "")) if isinstance(document, dict) else ""
    return identifier.removeprefix("sha256:")
