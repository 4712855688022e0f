"""`docs/prompts.md` shows the prompts that the code builds."""

from __future__ import annotations

from pathlib import Path

from cogapp import Cog

DOCS = Path(__file__).parent.parent.parent / "docs"


def test_the_page_is_up_to_date() -> None:
    outcome = Cog().main(["cog", "--check", "-I", str(DOCS), str(DOCS / "prompts.md")])
    assert outcome == 0, "run: cog -r -I docs docs/prompts.md"
