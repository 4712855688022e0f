"""`make demo` does what the README says it does."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from freshqa.store import proposals, snapshots
from freshqa.store.database import Store

pytestmark = pytest.mark.integration

REPOSITORY = Path(__file__).parent.parent.parent


def test_make_demo_runs_the_demo_of_an_installed_checkout(tmp_path: Path) -> None:
    """`make demo` in a checkout whose environment exists; CI tests its creation."""
    venv = tmp_path / "venv"
    venv.mkdir()
    (venv / "bin").symlink_to(Path(sys.executable).parent)
    for name in ("Makefile", "pyproject.toml"):
        (tmp_path / name).symlink_to(REPOSITORY / name)
    (venv / ".installed").touch()
    done = subprocess.run(
        ["make", "demo", f"VENV={venv}"],
        cwd=tmp_path,
        env={**os.environ, "PREFECT_API_URL": ""},
        capture_output=True,
        text=True,
        timeout=280,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    rest = done.stdout
    for shown in example("```text\nWhat changed"):
        assert shown in rest
        rest = rest.split(shown, 1)[1]
    assert example_proposal(tmp_path / "demo" / "freshqa.db") == [
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in example("| field | row | proposal |")[2:]
    ]


def example(start: str) -> list[str]:
    """Lines of an example in the README, from its start to an empty line or the fence."""
    written = (REPOSITORY / "README.md").read_text(encoding="utf-8")
    block = re.split("\n\n|\n```", written[written.index(start) :].removeprefix("```text\n"))[0]
    return [line for line in block.splitlines() if line != "…"]


def example_proposal(database: Path) -> list[list[str]]:
    """Field, value in the sample and proposed value of the question that the README shows."""
    store = Store.open(f"sqlite:///{database}")
    text = "Who is the president of Orlune?"
    row = next(q for q in snapshots.snapshot(store, 1) if q.text == text).fields
    (proposed,) = (
        p for p in proposals.proposals(store, status=None) if p.proposal.question == text
    )
    changes = proposed.proposal.changes
    shown = ("question", "answer_0", "answer_1", "effective_year", "next_review")
    return [
        [f"`{name}`", row[name], changes[name].new if name in changes else ""]
        for name in (*shown, "false_premise", "num_hops", "fact_type")
    ]
