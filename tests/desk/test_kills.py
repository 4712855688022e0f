"""Killing the server of the desk neither loses nor doubles a decision."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from command_line import run_module

REPOSITORY = Path(__file__).parents[2]


@pytest.mark.timeout(240)
def test_decisions_are_neither_lost_nor_doubled_in_ten_kills() -> None:
    """`python -m benchmarks.desk_kills --kills 200` is the long series."""
    options = ("--kills", "10", "--seed", "7", "--within", "0.4")
    done = run_module("benchmarks.desk_kills", *options, folder=REPOSITORY)
    assert done.code == 0, done.stdout + done.stderr[-3000:]
    figures = json.loads(done.stdout.splitlines()[-1])
    assert figures["kills"] == 10
    assert figures["recorded"] == figures["acknowledged"] >= 10
    assert figures["lost"] == figures["doubled"] == figures["damaged"] == 0
