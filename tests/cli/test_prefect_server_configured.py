"""Whether a Prefect server is configured is told without Prefect, and as Prefect itself reads it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from command_line import run_module

from prefect_freshqa.prefect_server import has_prefect_server

SERVER = "http://127.0.0.1:9/api"
PROFILES = f'''active = "{{active}}"

[profiles.alone]
# PREFECT_API_URL = "{SERVER}"
PREFECT_LOGGING_LEVEL = "WARNING"

[profiles.team]
PREFECT_API_URL = "{SERVER}"
'''


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working directory and home of Prefect."""
    for name in [name for name in os.environ if name.startswith("PREFECT_")]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("PREFECT_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "home").mkdir()
    return tmp_path


def of_prefect() -> bool:
    """Whether Prefect itself, in a process that reads its settings, finds the address of a server."""
    code = "from prefect.settings import PREFECT_API_URL; print(PREFECT_API_URL.value())"
    done = run_module("-c", code, folder=Path.cwd())
    assert done.code == 0, done.stderr
    return done.stdout.strip() != "None"


@pytest.mark.parametrize(
    ("files", "environment", "configured"),
    [
        ({}, {}, False),
        ({}, {"PREFECT_API_URL": SERVER}, True),
        ({"home/profiles.toml": PROFILES.format(active="alone")}, {}, False),
        ({"home/profiles.toml": PROFILES.format(active="team")}, {}, True),
        (
            {"home/profiles.toml": PROFILES.format(active="alone")},
            {"PREFECT_PROFILE": "team"},
            True,
        ),
        ({".env": f"PREFECT_API_URL={SERVER}\n"}, {}, True),
        ({"prefect.toml": f'[api]\nurl = "{SERVER}"\n'}, {}, True),
        ({"pyproject.toml": f'[tool.prefect.api]\nurl = "{SERVER}"\n'}, {}, True),
        ({"pyproject.toml": "[project]\nname = 'other'\n"}, {}, False),
    ],
    ids=[
        *("nothing", "variable", "profile without", "profile with", "chosen profile"),
        *("dotenv", "prefect.toml", "pyproject", "other pyproject"),
    ],
)
def test_a_configured_server_is_recognised_as_prefect_recognises_it(
    folder: Path,
    monkeypatch: pytest.MonkeyPatch,
    files: dict[str, str],
    environment: dict[str, str],
    configured: bool,
) -> None:
    for name, text in files.items():
        (folder / name).write_text(text, encoding="utf-8")
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert has_prefect_server() is configured
    assert of_prefect() is configured
