"""The architecture page agrees with the code: imports follow its arrows, and named files exist."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

REPOSITORY = Path(__file__).parent.parent.parent
PAGE = (REPOSITORY / "docs" / "architecture.md").read_text(encoding="utf-8")
DOMAIN = REPOSITORY / "src" / "freshqa"
OUTSIDE = {"prefect", "prefect_freshqa", "httpx", "requests", "openai", "serpapi"}
FOLDERS = ("blocks", "expectations", "tasks", "flows")
"""Each may import those before it."""


def imports(file: Path) -> Iterator[str]:
    """Dotted names that a module imports, wherever in it."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module


def reachable() -> dict[str, set[str]]:
    """Room → rooms behind it, along the arrows of the page."""
    direct: dict[str, set[str]] = {}
    for line in re.findall(r"^  (\w+(?: --> \w+)+)$", PAGE, flags=re.MULTILINE):
        rooms = line.split(" --> ")
        for room, following in pairwise(rooms):
            direct.setdefault(room, set()).add(following)

    def behind(room: str) -> set[str]:
        return {room}.union(*(behind(following) for following in direct.get(room, ())))

    return {folder.name: behind(folder.name) for folder in DOMAIN.iterdir() if folder.is_dir()}


def test_imports_between_packages_follow_the_arrows() -> None:
    allowed = reachable()
    assert allowed["store"] > {"maintaining", "dataset"}  # the picture was read
    against = [
        f"{file.relative_to(DOMAIN)} imports {name}"
        for room, behind in allowed.items()
        for file in (DOMAIN / room).rglob("*.py")
        for name in imports(file)
        if name.startswith("freshqa.") and name.split(".")[1] in allowed.keys() - behind
    ]
    assert against == []


def test_the_domain_imports_no_prefect_http_or_environment() -> None:
    against = [
        f"{file.relative_to(DOMAIN)} imports {name}"
        for file in DOMAIN.rglob("*.py")
        for name in imports(file)
        if name.split(".")[0] in OUTSIDE
    ]
    assert against == []


def test_tasks_do_not_import_flows() -> None:
    against = [
        f"{file.relative_to(REPOSITORY)} imports {name}"
        for place, folder in enumerate(FOLDERS)
        for file in (REPOSITORY / folder).rglob("*.py")
        for name in imports(file)
        for later in (*FOLDERS[place + 1 :], "cli")
        if name.startswith(f"prefect_freshqa.{later}")
    ]
    assert against == []


def test_every_file_named_by_the_page_exists() -> None:
    named = set(re.findall(r"`([\w/]+\.py)`", PAGE))
    there = {str(file.relative_to(REPOSITORY)) for file in REPOSITORY.glob("[!.]*/**/*.py")}
    missing = {name for name in named if not any(f"/{file}".endswith(f"/{name}") for file in there)}
    assert named and missing == set()


def test_every_link_between_pages_resolves() -> None:
    pages = [*REPOSITORY.glob("*.md"), *(REPOSITORY / "docs").rglob("*.md")]
    broken = [
        f"{page.name}: {target}"
        for page in pages
        for target in re.findall(r"\]\((?!https?:|#|mailto:)([^)#\s]+)", page.read_text("utf-8"))
        if not (page.parent / target).exists()
    ]
    assert broken == []
