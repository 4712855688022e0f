"""The installed package: sdist, the wheel built from it, and an environment without the checkout.

The build runs without isolation and the new environment sees the dependencies of this one, so
that the test needs no network and no minutes; the package itself comes from the wheel alone.
"""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

REPOSITORY = Path(__file__).parent.parent.parent
LEFT_OUT = shutil.ignore_patterns(
    ".*", "build", "dist", "demo", "*.egg-info", "__pycache__", "tests", "benchmarks"
)


def run(*command: str | Path, cwd: Path) -> str:
    done = subprocess.run(
        [str(part) for part in command],
        cwd=cwd,
        capture_output=True,
        text=True,
        timeout=240,
        check=False,  # the assertion shows what the command printed
    )
    assert done.returncode == 0, f"{command}\n{done.stdout[-2000:]}\n{done.stderr[-2000:]}"
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from the sdist as `pip install prefect-freshqa` may have to."""
    folder = tmp_path_factory.mktemp("packaging")
    # A copy: an old egg-info beside the sources would carry deleted files into the sdist.
    shutil.copytree(REPOSITORY, folder / "checkout", symlinks=True, ignore=LEFT_OUT)
    build = (sys.executable, "-m", "build", "--no-isolation", "--outdir", folder / "dist")
    run(*build, "--sdist", folder / "checkout", cwd=folder)
    shutil.unpack_archive(next((folder / "dist").glob("*.tar.gz")), folder / "unpacked")
    run(*build, "--wheel", next((folder / "unpacked").iterdir()), cwd=folder)
    return next((folder / "dist").glob("*.whl"))


@pytest.fixture(scope="module")
def python(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The interpreter of a new environment that holds the wheel."""
    environment = tmp_path_factory.mktemp("environment")
    venv.create(environment, with_pip=True)
    interpreter = environment / "bin" / "python"
    run(interpreter, "-m", "pip", "install", "--no-deps", "--no-index", wheel, cwd=environment)
    site = next((environment / "lib").glob("python*/site-packages"))
    # A path in a .pth file is searched, but its own .pth files are not read: the editable
    # installation of the checkout stays out of sight.
    dependencies = [
        entry for entry in sys.path if entry.endswith(("site-packages", "dist-packages"))
    ]
    (site / "dependencies.pth").write_text("\n".join(dependencies), encoding="utf-8")
    return interpreter


def test_every_source_file_is_in_the_wheel(wheel: Path) -> None:
    in_wheel = set(zipfile.ZipFile(wheel).namelist())
    sources = {
        str(Path(folder, name).relative_to(REPOSITORY / "src"))
        for top in (REPOSITORY / "src").iterdir()
        if top.suffix != ".egg-info"
        for folder, name in _walk(top)
    }
    assert len(sources) > 40
    assert sources - in_wheel == set()


def _walk(top: Path) -> list[tuple[Path, str]]:
    entries: list[tuple[Path, str]] = []
    for entry in top.iterdir():  # the links of src/prefect_freshqa are followed
        if entry.is_dir():
            entries += [] if entry.name == "__pycache__" else _walk(entry)
        else:
            entries.append((top, entry.name))
    return entries


def test_the_wheel_installs_only_its_two_packages(wheel: Path) -> None:
    tops = {name.split("/")[0] for name in zipfile.ZipFile(wheel).namelist()}
    assert {top for top in tops if not top.endswith(".dist-info")} == {"freshqa", "prefect_freshqa"}


def test_the_installed_package_works_without_the_checkout(python: Path, tmp_path: Path) -> None:
    program = """
import json, pkgutil, importlib
import freshqa, prefect_freshqa
from importlib.metadata import entry_points, version
from prefect_freshqa import FreshQAStore
from freshqa.sample import path
from freshqa.dataset.release import read_release
from freshqa.store.database import Store
for package in (freshqa, prefect_freshqa):
    for module in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
        if not module.name.endswith((".__main__", ".env")):  # alembic runs env, Python runs main
            importlib.import_module(module.name)
Store.open("sqlite:///new.db", create=True)
Store.open("sqlite:///new.db")
print(json.dumps({
    "where": freshqa.__file__, "version": version("prefect-freshqa"),
    "questions": len(read_release(path("release.csv")).questions),
    "collections": [e.value for e in entry_points(group="prefect.collections", name="prefect_freshqa")],
}))
"""
    report = json.loads(run(python, "-c", program, cwd=tmp_path).splitlines()[-1])
    assert Path(report["where"]).is_relative_to(python.parent.parent)
    assert report["questions"] == 45
    assert report["collections"] == ["prefect_freshqa.blocks.block_types"]


def test_the_command_is_installed_with_all_its_commands(python: Path, tmp_path: Path) -> None:
    shown = run(python.parent / "prefect-freshqa", "--help", cwd=tmp_path)
    files = (REPOSITORY / "src/prefect_freshqa/cli/commands").glob("[a-z]*.py")
    commands = {file.stem.rstrip("_").replace("_", "-") for file in files}
    assert [name for name in sorted(commands) if f" {name} " not in shown] == []
