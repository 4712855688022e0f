"""Dockerfile and compose.yaml: what they name exists. The images are not built."""

from __future__ import annotations

import re
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from prefect.cli import app as prefect_command_line
from prefect.settings import Settings
from prefect.settings.legacy import _get_valid_setting_names
from psycopg.pq import Conninfo

from prefect_freshqa.cli.main import app
from prefect_freshqa.desk.settings import DeskSettings

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

REPOSITORY = Path(__file__).parent.parent.parent
DOCKERFILE = (REPOSITORY / "Dockerfile").read_text(encoding="utf-8")
COMPOSE = yaml.safe_load((REPOSITORY / "compose.yaml").read_text(encoding="utf-8"))
PROJECT = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def steps(service: dict[str, Any]) -> Iterator[list[str]]:
    """The commands of a service, without the shell that strings them together."""
    words = shlex.split(service.get("command", ""))
    if words[:2] == ["sh", "-c"]:
        for command in words[2].split("&&"):
            yield shlex.split(command)
    elif words:
        yield words


STEPS = [step for service in COMPOSE["services"].values() for step in steps(service)]
ENVIRONMENT = {
    name
    for service in ("server", "setup", "worker", "desk", "versions")
    for name in COMPOSE["services"][service]["environment"]
} | set(re.findall(r"^ENV (\w+)=", DOCKERFILE, flags=re.MULTILINE))


def test_copied_files_exist_and_are_not_ignored() -> None:
    left_out = (REPOSITORY / ".dockerignore").read_text(encoding="utf-8").split()
    sources = re.findall(r"^COPY (?!--from)(?:--\S+ )*(\S+) \S+$", DOCKERFILE, flags=re.MULTILINE)
    assert sources == ["."]
    for needed in ("src", "flows", "tasks", "blocks", "expectations", "README.md", "LICENSE"):
        assert (REPOSITORY / needed).exists() and needed not in left_out


def test_mounted_files_exist() -> None:
    volumes = [
        volume.split(":")
        for service in COMPOSE["services"].values()
        for volume in service.get("volumes", ())
    ]
    assert ["./prefect.yaml", "/home/freshqa/prefect.yaml", "ro"] in volumes
    for source, *_ in volumes:
        assert (REPOSITORY / source).exists() if source[0] == "." else source in COMPOSE["volumes"]


@pytest.mark.parametrize("file", [".gitignore", ".dockerignore"])
def test_the_password_file_is_excluded_from_git_and_from_the_image(file: str) -> None:
    assert ".env" in (REPOSITORY / file).read_text(encoding="utf-8").split()


def test_extras_and_the_command_of_the_image_exist() -> None:
    (extras,) = re.findall(r"^ARG EXTRAS=([\w,]+)$", DOCKERFILE, flags=re.MULTILINE)
    assert set(extras.split(",")) <= set(PROJECT["optional-dependencies"])
    (command,) = re.findall(r"^CMD \[\"([^\"]+)\"", DOCKERFILE, flags=re.MULTILINE)
    assert command in PROJECT["scripts"]


def test_the_python_version_of_the_image_is_supported() -> None:
    versions = set(re.findall(r"^FROM python:(3\.\d+)-slim", DOCKERFILE, flags=re.MULTILINE))
    (version,) = versions
    assert f"Programming Language :: Python :: {version}" in PROJECT["classifiers"]


@pytest.mark.parametrize("step", STEPS, ids=" ".join)
def test_every_command_of_a_service_exists_with_its_options(
    step: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    program, *arguments = step
    assert program in ("prefect", *PROJECT["scripts"])
    if program == "prefect-freshqa":
        from typer.main import get_command

        group: Any = get_command(app)
        assert arguments[0] in group.list_commands(None)
        command = group.get_command(None, arguments[0])
        known = {option for parameter in command.params for option in parameter.opts}
        assert {word for word in arguments if word.startswith("--")} <= known
        return
    options = {word for word in arguments if word.startswith("--")} - {"--no-prompt"}
    path = [word for word in arguments if not word.startswith("-")][:2]
    path = path[:1] if path[0] == "deploy" else path
    monkeypatch.setattr(sys, "argv", ["prefect", *path, "--help"])
    with pytest.raises(SystemExit) as left:
        prefect_command_line()
    assert left.value.code == 0
    said = capsys.readouterr().out
    assert all(option in said for option in options)


def test_every_documented_variable_is_a_setting() -> None:
    ours = "".join(
        file.read_text(encoding="utf-8")
        for folder in ("src/prefect_freshqa", "blocks")
        for file in (REPOSITORY / folder).glob("*.py")
    )
    known = _get_valid_setting_names(Settings)
    known |= {(option.envvar or b"").decode() for option in Conninfo.get_defaults()}
    unknown = [name for name in ENVIRONMENT if name not in known and f'"{name}"' not in ours]
    assert unknown == []


def test_the_desk_in_its_container_asks_people_to_sign_in_and_keeps_accounts_in_a_volume() -> None:
    desk = COMPOSE["services"]["desk"]
    (command,) = steps(desk)
    options = dict(zip(command[2::2], command[3::2], strict=False))
    assert options["--host"] == "0.0.0.0"
    assert desk["ports"] == [f"127.0.0.1:{options['--port']}:{options['--port']}"]
    (volume,) = desk["volumes"]
    folder = Path(volume.split(":")[1])
    for file in ("--accounts", "--secret-file"):  # relative to the home, the working folder
        assert Path("/home/freshqa", options[file]).parent == folder
    assert folder.name in re.search(r"^RUN mkdir (.+)$", DOCKERFILE, flags=re.MULTILINE)[1].split()  # type: ignore[index]
    assert desk["profiles"] == ["desk"]  # without accounts it would start again and again
    settings = DeskSettings(host="0.0.0.0", accounts=Path(options["--accounts"]))
    assert settings.signs_in and "127.0.0.1" in settings.hosts


def test_each_service_waits_for_a_health_check() -> None:
    services = COMPOSE["services"]
    waits = [
        wait for service in services.values() for wait in service.get("depends_on", {}).items()
    ]
    assert len(waits) == len(services) - 1
    for name, waiting in waits:
        if waiting["condition"] == "service_completed_successfully":
            assert services[name]["restart"] == "no"  # or it never ends
        else:
            assert waiting == {"condition": "service_healthy"}
            assert "healthcheck" in services[name]


def test_the_database_is_asked_over_the_network() -> None:
    # the server that runs docker-entrypoint-initdb.d listens on its socket only, then stops
    assert "--host 127.0.0.1" in COMPOSE["services"]["database"]["healthcheck"]["test"]


def test_the_image_is_built_once_and_not_pulled() -> None:
    ours = [
        service for service in COMPOSE["services"].values() if service["image"] == "prefect-freshqa"
    ]
    assert [service.get("build") for service in ours].count(".") == 1
    assert {service["pull_policy"] for service in ours if "build" not in service} == {"never"}


def test_ports_are_bound_to_loopback_and_no_password_is_in_the_file() -> None:
    ports = [port for service in COMPOSE["services"].values() for port in service.get("ports", ())]
    assert ports and all(port.startswith("127.0.0.1:") for port in ports)
    assert COMPOSE["x-password"].startswith("${POSTGRES_PASSWORD:?")
    environments = [service["environment"] for service in COMPOSE["services"].values()]
    passwords = {v for each in environments for k, v in each.items() if k.endswith("PASSWORD")}
    assert passwords == {COMPOSE["x-password"]}
    urls = [str(v) for each in environments for v in each.values() if "//freshqa" in str(v)]
    assert urls and not any("PASSWORD" in url for url in urls)
