"""The dataset card of a version: the README.md of its repository on the Hugging Face hub."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence

from freshqa.sharing.shared_version import SharedVersion, changes_by_kind, counts

SIZES = ((1_000, "n<1K"), (10_000, "1K<n<10K"), (100_000, "10K<n<100K"), (1_000_000, "100K<n<1M"))
KEPT = 50
"""Maximum number of versions that the card lists."""


def dataset_card(shared: SharedVersion, path: str, repository: str) -> str:
    """Return the card, with its YAML header.

    Args:
        path: Of the Parquet file in the repository.
        repository: Its name on the hub.
    """
    cited = shared.citation
    rows = len(shared.questions)
    parts = [
        _header(shared, path),
        f"# {cited.dataset}, version {cited.number}\n",
        (
            f"{rows:,} questions with answers as of {cited.as_of.isoformat()}. Versions are immutable: "
            f"each is a tag of this repository, and this one is `{shared.tag}`. Name the version and "
            "its content hash wherever you report a score.\n"
        ),
        f"Content hash: `sha256:{cited.content_hash}`\n",
        "## Use\n",
        f'```python\nload_dataset("{repository}", revision="{shared.tag}")\n```\n',
        (
            "Columns are those of FreshQA; other columns of the original file are a JSON object in "
            "`attributes`. `croissant.json` describes them, `CITATION.cff` has the citation.\n"
        ),
        "## Statistics\n",
        _statistics(counts(shared.questions), rows),
        *_changes(shared),
        "## Versions\n",
        _table(
            ("version", "as of", "questions", "content hash", "note"),
            (
                (
                    f"v{e.number}",
                    e.as_of,
                    f"{e.questions:,}",
                    f"`{e.content_hash[:12]}…`",
                    e.message,
                )
                for e in shared.editions[:KEPT]
            ),
        ),
        f"## Licence\n\n{shared.license}\n",
        f"## Citation\n\n```bibtex\n{cited.bibtex()}```\n",
    ]
    if shared.canary:
        parts.append(
            "## Canary\n\nThis data must not be part of training data. Every row carries the "
            f"canary string `{shared.canary}`.\n"
        )
    return "\n".join(parts)


def _header(shared: SharedVersion, path: str) -> str:
    size = next((name for most, name in SIZES if len(shared.questions) < most), "n>1M")
    name = json.dumps(shared.citation.dataset, ensure_ascii=False)
    return (
        "---\n"
        f"license: {json.dumps(shared.license, ensure_ascii=False)}\n"
        f"pretty_name: {name}\n"
        "task_categories:\n- question-answering\n"
        f"size_categories:\n- {size}\n"
        "configs:\n- config_name: default\n  data_files:\n"
        f"  - split: test\n    path: {json.dumps(path)}\n"
        "---\n"
    )


def _statistics(counted: Mapping[str, Mapping[str, int]], rows: int) -> str:
    return _table(
        ("column", "value", "questions", "share"),
        (
            (column, value, f"{number:,}", f"{100 * number / rows:.1f} %")
            for column, values in counted.items()
            for value, number in values.items()
        ),
    )


def _changes(shared: SharedVersion) -> list[str]:
    if shared.changes is None:
        return ["## Changes\n", "This is the first version.\n"]
    before = shared.editions[1].number
    by_kind = changes_by_kind(shared.changes)
    return [
        f"## Changes since v{before}\n",
        _table(("change", "questions"), by_kind.items()),
    ]


def _table(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    lines = [columns, ["---"] * len(columns), *rows]
    return "".join(f"| {' | '.join(map(_cell, line))} |\n" for line in lines)


def _cell(value: object) -> str:
    """Text escaped for a table cell: a note or a value may contain any characters."""
    text = " ".join(str(value).split())
    for character in "\\|<[`" if not text.startswith("`") else "":
        text = text.replace(character, f"\\{character}")
    return text
