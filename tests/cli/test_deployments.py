"""The command `deployments` adapts prefect.yaml to one dataset, in a form that Prefect accepts."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
import yaml
from command_line import run_warm, runner

REPOSITORY = Path(__file__).parent.parent.parent
SOURCE = REPOSITORY / "prefect.yaml"


def test_every_deployment_names_the_dataset(tmp_path: Path) -> None:
    run = runner(tmp_path)
    file = tmp_path / "prefect-seal.yaml"
    done = run("deployments", "--dataset", "seal", "--from", SOURCE, "-o", file, "--json")
    assert done.code == 0, done.stderr
    before = yaml.safe_load(SOURCE.read_text("utf-8"))["deployments"]
    after = yaml.safe_load(file.read_text("utf-8"))["deployments"]
    assert [deployment["name"] for deployment in after] == [
        f"{deployment['name']}-seal" for deployment in before
    ]
    for old, new in zip(before, after, strict=True):
        variables = new["work_pool"]["job_variables"]
        assert variables["env"]["PREFECT_FRESHQA_DATASET"] == "seal"
        assert variables["working_dir"] == old["work_pool"]["job_variables"]["working_dir"]
        assert new["tags"] == [*old["tags"], "seal"]
        same = ("entrypoint", "parameters", "schedules", "concurrency_limit")
        assert {k: old.get(k) for k in same} == {k: new.get(k) for k in same}


def test_an_invalid_deployments_file_is_refused(tmp_path: Path) -> None:
    run = runner(tmp_path)
    asked = ("deployments", "-o", "x.yaml", "--json")
    assert run(*asked, "--dataset", "seal").error["kind"] == "not-found"
    (tmp_path / "prefect.yaml").write_text("name: x\n")
    assert "no deployments" in run(*asked, "--dataset", "seal").error["message"]
    (tmp_path / "prefect.yaml").write_text("a: [\n")
    assert "not valid YAML" in run(*asked, "--dataset", "seal").error["message"]
    assert run(*asked, "--dataset", "../x").code == 2


@pytest.mark.integration
def test_prefect_accepts_the_generated_deployments(tmp_path: Path, api_url: str) -> None:
    run = runner(tmp_path)
    file = tmp_path / "prefect-seal.yaml"
    assert run("deployments", "--dataset", "seal", "--from", SOURCE, "-o", file).code == 0
    environment = {
        **os.environ,
        "PREFECT_API_URL": api_url,
        "PREFECT_HOME": str(tmp_path / "prefect"),
    }

    def prefect(*arguments: str) -> str:
        command = ["--no-prompt", *arguments]
        done = run_warm(command, environment, tmp_path, module="prefect")
        assert done.code == 0, done.stdout[-2000:] + done.stderr[-2000:]
        return done.stdout

    prefect("work-pool", "create", "freshqa", "--type", "process", "--overwrite")
    prefect("deploy", "--name", "publish-seal", "--prefect-file", str(file))
    inspected = prefect("deployment", "inspect", "publish-release/publish-seal")
    assert "PREFECT_FRESHQA_DATASET" in inspected and "seal" in inspected
