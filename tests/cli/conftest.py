"""Stores for tests of the command line."""

from __future__ import annotations

from pathlib import Path

import pytest
from command_line import Run, copy_store, runner

from freshqa import sample


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """The command line with a store of its own that is not there yet."""
    return runner(tmp_path)


@pytest.fixture(scope="session")
def imported(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder of a store that holds the sample release as version 1; copied, never changed."""
    folder = tmp_path_factory.mktemp("imported")
    run = runner(folder)
    assert run("init").code == 0
    done = run("import", sample.path("release.csv"), "--as-of", "2026-03-02")
    assert done.code == 0, done.stderr
    return folder


@pytest.fixture
def sample_store(imported: Path, tmp_path: Path) -> Run:
    """`run`, with the sample release imported as version 1."""
    copy_store(imported, tmp_path)
    return runner(tmp_path)
