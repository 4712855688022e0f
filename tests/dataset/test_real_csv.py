"""Every real CSV comes back byte for byte."""

from __future__ import annotations

from pathlib import Path

import pytest

from freshqa.dataset.release import read_release, write_release

pytestmark = pytest.mark.real_data
REAL_CSV = (
    "FreshQA_v11132023.csv",
    "FreshQA_v11232023.csv",
    "FreshQA_v11232023_excel_gbk.csv",
    "FreshQA_v02052024.csv",
    "FreshQA_v03042024.csv",
    "FreshQA_v03112024.csv",
    "FreshQA_v04072025.csv",
    "FreshQA_v11242025_excel.csv",
)


@pytest.mark.parametrize("name", REAL_CSV)
def test_a_real_csv_comes_back_byte_for_byte(name: str, shared_data: Path) -> None:
    path = shared_data / "freshqa" / name
    release = read_release(path, repair="none")
    assert len(release.questions) == 600
    assert (
        write_release(release.questions, "official", dialect=release.dialect) == path.read_bytes()
    )
