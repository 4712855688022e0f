"""A citation names the rows; a canary is found in any text."""

from __future__ import annotations

import json
from datetime import date

import pytest

from freshqa.dataset.citation import Citation, canaries_in, canary, with_canary
from freshqa.dataset.selection import Selection
from freshqa.errors import BadData

CITED = Citation("freshqa", 3, date(2026, 3, 16), "ab" * 32, Selection(sample=10, seed=7))


def test_bibtex_names_version_day_and_hash() -> None:
    text = CITED.bibtex()
    assert text.startswith("@misc{freshqa-v3,\n")
    assert "as of 2026-03-16, sample=10, seed=7" in text and "sha256:" + "ab" * 32 in text
    assert text.count("{") == text.count("}")


def test_cff_has_what_version_1_2_0_requires() -> None:
    record = dict(line.split(": ", 1) for line in CITED.cff().splitlines() if ": " in line)
    assert {"cff-version", "message", "title", "date-released"} <= record.keys()
    assert json.loads(record["title"]) == CITED.title
    assert record["date-released"] == "2026-03-16"


def test_a_canary_is_the_same_for_everybody_and_found_in_any_text() -> None:
    text = canary("00" * 32)
    assert text == canary("00" * 32) != canary("01" * 32)
    assert canaries_in(f'{{"question": "q", "canary": "{text}"}}, and prose') == {text}
    assert canaries_in("freshqa-canary:GUID:none") == set()


def test_a_canary_never_replaces_one_that_the_rows_carry() -> None:
    lines = b'{"question": "Where?"}\n'
    marked = with_canary(lines, "chain")
    assert canaries_in(marked.decode()) == {canary("chain")}
    with pytest.raises(BadData, match="already have a column 'canary'"):
        with_canary(marked, "chain")
