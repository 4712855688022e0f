"""The page of faults names existing tests and counts the tested error bodies."""

from __future__ import annotations

import json
import re
from collections import Counter
from pathlib import Path

from prefect_freshqa.blocks.provider_dialects import Meaning

REPOSITORY = Path(__file__).parent.parent.parent
PAGE = REPOSITORY / "docs" / "measurements" / "faults.md"


def test_every_test_that_the_page_names_exists() -> None:
    named = re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", PAGE.read_text("utf-8"))
    assert len(named) >= 30
    missing = [
        (file, name)
        for file, name in named
        if f"def {name}(" not in (REPOSITORY / file).read_text("utf-8")
    ]
    assert missing == []


def dialects() -> str:
    """How many bodies of each server mean what."""
    path = REPOSITORY / "tests" / "blocks" / "provider_errors.json"
    cases = [case for case in json.loads(path.read_text("utf-8"))["cases"] if case["who"] != "any"]
    meanings = [m.value for m in Meaning if any(case["meaning"] == m.value for case in cases)]
    lines = [["server", *meanings], ["---"] * (len(meanings) + 1)]
    for who in dict.fromkeys(case["who"] for case in cases):
        counted = Counter(case["meaning"] for case in cases if case["who"] == who)
        lines.append([who, *(str(counted[meaning] or "") for meaning in meanings)])
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def test_the_table_of_providers_counts_what_is_tested() -> None:
    assert dialects() in PAGE.read_text("utf-8")
