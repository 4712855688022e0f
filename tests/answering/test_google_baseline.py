"""`search-only` reproduces the pattern of the paper's Google Search baseline."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

BENCHMARK = Path(__file__).parent.parent.parent / "benchmarks" / "google_baseline.py"


@pytest.mark.real_data
def test_the_papers_pattern_holds(shared_data: Path) -> None:
    benchmark = runpy.run_path(str(BENCHMARK))
    rates, read_from = benchmark["measure"]()
    share = {name: rate.value for name, rate in rates.items()}
    assert share["valid_never"] > share["valid_slow"] > share["valid_fast"]
    assert share["valid_one_hop"] > share["valid_multi_hop"]
    assert share["valid_before_2022"] > share["valid_since_2022"]
    for name, paper in benchmark["PAPER"].items():
        if name != "false":
            assert rates[name].low <= paper / 100 <= rates[name].high, name
    assert share["false"] < 0.05, "words alone do not tell a rebuttal"
    assert read_from == {"answer box": 175, "first snippet": 148}
