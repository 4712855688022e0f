"""The Kubernetes example and the systemd units are accepted by Kubernetes and systemd."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import kubernetes_validate
import pytest
import yaml
from prefect.settings import Settings
from prefect.settings.legacy import _get_valid_setting_names

REPOSITORY = Path(__file__).parent.parent.parent
KUBERNETES = REPOSITORY / "deploy" / "kubernetes.yaml"
RESOURCES = list(yaml.safe_load_all(KUBERNETES.read_text(encoding="utf-8")))
UNITS = sorted((REPOSITORY / "deploy" / "systemd").glob("*.service"))


@pytest.mark.parametrize("resource", RESOURCES, ids=lambda resource: resource["kind"])
def test_kubernetes_accepts_the_example(resource: dict[str, object]) -> None:
    latest = kubernetes_validate.latest_version()
    kubernetes_validate.validate(resource, latest, strict=True)


def test_a_misspelled_field_is_detected() -> None:
    misspelled = {**RESOURCES[0], "spek": {}}
    with pytest.raises(kubernetes_validate.ValidationError, match="spek"):
        kubernetes_validate.validate(misspelled, kubernetes_validate.latest_version(), strict=True)


def test_the_example_mounts_the_volume_that_it_claims() -> None:
    claim, deployment = RESOURCES
    pod = deployment["spec"]["template"]
    assert deployment["spec"]["selector"]["matchLabels"] == pod["metadata"]["labels"]
    (volume,) = pod["spec"]["volumes"]
    assert volume["persistentVolumeClaim"]["claimName"] == claim["metadata"]["name"]


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
def test_systemd_accepts_a_unit(unit: Path, tmp_path: Path) -> None:
    if shutil.which("systemd-analyze") is None:
        pytest.skip("systemd-analyze not found")
    # the program has to exist for systemd: ours, where this environment has it
    text = unit.read_text(encoding="utf-8")
    here = text.replace("/srv/freshqa/.venv/bin", str(Path(sys.executable).parent))
    here = here.replace("User=freshqa", "User=root")
    (tmp_path / unit.name).write_text(here, encoding="utf-8")
    done = subprocess.run(
        ["systemd-analyze", "verify", "--man=no", tmp_path / unit.name],
        capture_output=True,
        text=True,
        check=False,
    )
    about_it = [line for line in done.stderr.splitlines() if str(unit.name) in line]
    assert about_it == []


@pytest.mark.parametrize("unit", UNITS, ids=lambda unit: unit.name)
def test_every_variable_set_by_a_unit_is_read_by_prefect_or_the_package(unit: Path) -> None:
    known = _get_valid_setting_names(Settings)
    settings = (REPOSITORY / "src" / "prefect_freshqa" / "settings.py").read_text("utf-8")
    names = re.findall(r"^Environment=(\w+)=", unit.read_text("utf-8"), flags=re.MULTILINE)
    assert names and [n for n in names if n not in known and f'"{n}"' not in settings] == []
