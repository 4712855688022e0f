"""A citation identifies the rows; a canary is found in any text."""

from __future__ import annotations

import gzip
import json
from datetime import date
from pathlib import Path

import pytest

from freshqa import sample
from freshqa.dataset.canary import canaries_in, canaries_in_file, canary
from freshqa.dataset.citation import Citation
from freshqa.dataset.release import read_release, write_release
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


def test_a_canary_is_reproducible_and_found_in_any_text() -> None:
    text = canary("00" * 32)
    assert text == canary("00" * 32) != canary("01" * 32)
    assert canaries_in(f'{{"question": "q", "canary": "{text}"}}, and prose') == {text}
    assert canaries_in("freshqa-canary:GUID:none") == set()


FORMATS = ("official", "csv", "jsonl", "parquet", "xlsx")
OWN = b'{"question": "Where is Vesk?", "answer": "Orlune", "topic": "Places"}\n'


@pytest.mark.parametrize("format", FORMATS)
@pytest.mark.parametrize("own", [False, True], ids=["official", "own-columns"])
def test_every_format_carries_a_canary_outside_the_rows(
    format: str, own: bool, tmp_path: Path
) -> None:
    release = read_release(OWN if own else sample.path("release.csv"), name="x")
    text = canary("chain")
    dialect = release.dialect
    plain, marked = (
        write_release(release.questions, format, dialect=dialect, canary=mark)
        for mark in ("", text)
    )
    file = tmp_path / "marked"
    file.write_bytes(marked)
    again = read_release(marked, name="marked")
    assert again.questions == read_release(plain, name="plain").questions
    assert again.columns == read_release(plain, name="plain").columns
    assert any(text in warning for warning in again.warnings)
    assert not any("byte for byte" in warning for warning in again.warnings)
    assert canaries_in_file(file) == {text}


def test_a_canary_does_not_replace_one_inside_the_rows() -> None:
    other_dataset = OWN.replace(b'"topic"', b'"canary"')
    release = read_release(other_dataset, name="x")
    assert release.questions[0].extra == {"canary": "Places"}
    with pytest.raises(BadData, match="already have a column 'canary'"):
        write_release(release.questions, "jsonl", dialect=release.dialect, canary=canary("chain"))


def test_a_canary_is_found_across_chunks_archives_and_encodings(tmp_path: Path) -> None:
    text = canary("chain")
    corpus = tmp_path / "corpus"
    for body in (
        b"x" * ((1 << 20) - 30) + text.encode() + b"y" * 99,
        gzip.compress(f"prose {text}".encode()),
        f"prose {text}".encode("utf-16"),
    ):
        corpus.write_bytes(body)
        assert canaries_in_file(corpus) == {text}
    corpus.write_bytes(b"prose without")
    assert canaries_in_file(corpus) == set()
    corpus.write_bytes(gzip.compress(b"cut short")[:-9])
    with pytest.raises(BadData, match="cannot be read"):
        canaries_in_file(corpus)
