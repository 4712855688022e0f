"""Generated pages agree with the code."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from command_line import run_module

REPOSITORY = Path(__file__).parent.parent.parent
GENERATED = sorted(
    page.relative_to(REPOSITORY)
    for page in (REPOSITORY / "docs").rglob("*.md")
    if "[[[cog" in page.read_text(encoding="utf-8")
)


def test_generated_pages_exist() -> None:
    assert Path("docs/commands.md") in GENERATED


@pytest.mark.parametrize("page", GENERATED, ids=str)
def test_a_generated_page_is_up_to_date(page: Path) -> None:
    done = run_module("cogapp", "--check", "--diff", str(page), folder=REPOSITORY)
    assert done.code == 0, f"run `make docs`\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}"


def test_the_tree_of_exceptions_names_every_class() -> None:
    from freshqa import errors

    classes = {
        name
        for name, value in vars(errors).items()
        if isinstance(value, type) and issubclass(value, errors.FreshQAError)
    }
    assert set(re.findall(r"\b[A-Z]\w*[a-z]\w*\b", errors.__doc__ or "")) >= classes


def test_defaults_stated_on_the_pages_equal_the_code() -> None:
    from prefect_freshqa.tasks.refresh_settings import RefreshSettings

    defaults = RefreshSettings().model_dump()
    pages = "".join(page.read_text("utf-8") for page in (REPOSITORY / "docs").glob("*.md"))
    named = re.findall(r"setting `(\w+)`, (\d+)", pages)
    assert {("batch_size", "150"), ("concurrency", "16")} <= set(named)
    assert [(name, value) for name, value in named if str(defaults[name]) != value] == []
