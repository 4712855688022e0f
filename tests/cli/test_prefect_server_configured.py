"""A configured Prefect server is recognised without importing Prefect, as Prefect recognises it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from command_line import Run, run_module

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


@pytest.fixture
def profile(tmp_path: Path, api_url: str) -> None:
    """The home of Prefect that `run` uses, with a server in the active profile alone."""
    (tmp_path / "prefect").mkdir()
    text = PROFILES.format(active="team").replace(SERVER, api_url)
    (tmp_path / "prefect" / "profiles.toml").write_text(text, encoding="utf-8")


@pytest.mark.usefixtures("profile")
def test_init_and_doctor_use_the_server_of_the_active_profile(run: Run, api_url: str) -> None:
    assert run("init", "--no-server", "--json").json["server"] == {}
    assert "work pool freshqa" in run("init", "--json").json["server"]
    (server,) = (
        finding
        for finding in run("doctor", "--json").json["findings"]
        if finding["what"] == "Prefect server"
    )
    assert server["seen"] == f"{api_url} answers 200"


def test_init_without_a_server_creates_only_the_store(run: Run, tmp_path: Path) -> None:
    (tmp_path / "pyproject.toml").write_text("[tool.prefect.logging]\nlevel = 'WARNING'\n")
    assert run("init", "--json").json["server"] == {}


def test_init_refuses_notifications_without_a_server(run: Run, tmp_path: Path) -> None:
    done = run("init", "--no-server", "--notify", "custom-webhook/team", "--json")
    assert (done.code, done.error["kind"]) == (2, "usage")
    assert done.error["message"] == "--notify and --no-server are mutually exclusive."
    assert not (tmp_path / "freshqa.db").exists()
