"""Generated pages say what the code says."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parent.parent.parent
GENERATED = sorted(
    page.relative_to(REPOSITORY)
    for page in (REPOSITORY / "docs").rglob("*.md")
    if "[[[cog" in page.read_text(encoding="utf-8")
)


def test_there_are_generated_pages():
    assert Path("docs/commands.md") in GENERATED


@pytest.mark.parametrize("page", GENERATED, ids=str)
def test_a_generated_page_is_up_to_date(page: Path):
    done = subprocess.run(
        [sys.executable, "-m", "cogapp", "--check", "--diff", str(page)],
        cwd=REPOSITORY,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"run `make docs`\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}"
