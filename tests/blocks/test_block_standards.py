"""Prefect's standard tests for blocks, and the cost of importing the blocks."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image
from prefect.blocks.core import Block
from prefect.testing.standard_test_suites import BlockStandardTestSuite

from prefect_freshqa import blocks

REPOSITORY = Path(__file__).parent.parent.parent
HEAVY = ("pandas", "great_expectations", "openai", "sqlalchemy", "dateparser", "numpy", "serpapi")


@pytest.mark.parametrize("block", [getattr(blocks, name) for name in blocks.__all__])
class TestEveryBlock(BlockStandardTestSuite):
    @pytest.fixture
    def block(self, block: type[Block]) -> type[Block]:
        return block

    def test_has_a_valid_image(self, block: type[Block]) -> None:
        # The suite would download it; the URL names a file of this repository instead.
        url = str(block._logo_url)
        assert url.endswith("/main/docs/logo.png")
        with Image.open(REPOSITORY / "docs" / "logo.png") as logo:
            assert logo.width == logo.height
            assert 45 < logo.width < 1000

    def test_secrets_are_not_shown(self, block: type[Block]) -> None:
        plain = [
            name
            for name, field in block.model_fields.items()
            if any(word in name for word in ("key", "token", "password", "secret"))
            and "Secret" not in str(field.annotation)
            and "int" not in str(field.annotation)
        ]
        assert plain == []


def test_slugs_equal_those_of_stored_blocks() -> None:
    slugs = {name: getattr(blocks, name).get_block_type_slug() for name in blocks.__all__}
    assert slugs["FreshQAStore"] == "freshqa-store"
    assert len(set(slugs.values())) == len(slugs)


def _modules_after(statement: str) -> set[str]:
    code = f"{statement}\nimport sys, json\nprint(json.dumps(sorted(sys.modules)))"
    return set(json.loads(_output(code)))


def _output(program: str) -> str:
    """Return the last line that a program prints."""
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=280
    )
    return run.stdout.splitlines()[-1]


def test_importing_the_blocks_adds_nothing_heavy_to_prefect() -> None:
    added = _modules_after("import prefect_freshqa.blocks.block_types") - _modules_after(
        "import prefect.blocks.core"
    )
    assert [name for name in HEAVY if name in added] == []


@pytest.mark.parametrize("module", ["prefect_freshqa", "prefect_freshqa.blocks.http_calls"])
def test_importing_the_package_or_its_http_policy_does_not_import_prefect(module: str) -> None:
    assert "prefect" not in _modules_after(f"import {module}")


def test_prefect_registers_every_block_through_the_entry_point() -> None:
    program = """
import json, sys
from prefect.blocks.core import Block
assert "prefect_freshqa.blocks.block_types" not in sys.modules
Block.get_block_class_from_key("freshqa-store")
from prefect.utilities.dispatch import get_registry_for_type
names = [t.__name__ for t in get_registry_for_type(Block).values() if "freshqa" in t.__module__]
print(json.dumps(sorted(names)))
"""
    assert json.loads(_output(program)) == sorted(blocks.__all__)


def test_the_package_lists_its_blocks_for_prefect_block_register() -> None:
    program = """
import inspect, json, prefect_freshqa.blocks
from prefect.blocks.core import Block
members = inspect.getmembers(prefect_freshqa.blocks)
print(json.dumps(sorted(name for name, member in members if Block.is_block_class(member))))
"""
    assert json.loads(_output(program)) == sorted(blocks.__all__)


def test_the_package_exports_the_blocks() -> None:
    import prefect_freshqa

    assert prefect_freshqa.FreshQAStore is blocks.FreshQAStore
    assert set(blocks.__all__) <= set(dir(prefect_freshqa))
    with pytest.raises(AttributeError, match="Nothing"):
        prefect_freshqa.Nothing  # noqa: B018  reading it is the test
