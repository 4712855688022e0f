"""Every command of the README and the how-to pages runs, in order, on loopback and a new store.

PATH holds common tools and what the section "Install" of the README installs.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import socket
import subprocess
import uuid
import venv
from collections.abc import Iterator
from pathlib import Path

import pytest
from command_line import warm_address
from servers.openai_server import OpenAIServer
from servers.prefect_database import give_database
from servers.serpapi_server import SerpApiServer
from servers.warm_commands import script, warm_words
from sqlalchemy import create_engine, make_url, text

from freshqa import sample

pytestmark = pytest.mark.integration

REPOSITORY = Path(__file__).parent.parent.parent
PAGES = (
    "README.md",
    "docs/first-refresh.md",
    "docs/review.md",
    "docs/versions.md",
    "docs/in-and-out.md",
    "docs/evaluation.md",
    "docs/deploy.md",
    "docs/recover.md",
)
IMPORTED = [
    "prefect-freshqa init --no-server",
    "prefect-freshqa import release.csv --as-of 2026-03-02",
]
BEFORE = {
    "docs/versions.md": IMPORTED,
    "docs/in-and-out.md": IMPORTED,
    "docs/recover.md": [
        "export SERPAPI_API_KEY=key OPENAI_API_KEY=key",
        "prefect-freshqa init --no-server",
        "prefect-freshqa import release.csv --as-of 2026-03-02",
        "prefect-freshqa refresh --as-of 2026-03-09 --search serpapi --model openai:m --limit 2",
        "prefect-freshqa review accept 1 2 --reason 'Week 11' --by Ada",
        "prefect-freshqa publish --as-of 2026-03-09",
    ],
}
"""What a page takes for granted."""
PLAIN = {"PREFECT_SERVER_UI_ENABLED": "false", "PREFECT_LOGGING_TO_API_ENABLED": "false"}
"""The flows of all pages but the README draw no pictures and send no log."""
RUN_ELSEWHERE = {
    "make demo": "tests/docs/test_make_demo.py",
    "make test": "this very run",
    'pip install ".[postgres]"': "tests/packaging; nothing is fetched here",
    "pip install --upgrade prefect-freshqa": "the same",
}
SHARED = "Schedule"
"""Section of the README whose commands docs/deploy.md has as well, in the same order."""
TOOLS = "bash sh env cat cp mv rm mkdir seq sleep curl uname ls tail".split()
"""What a machine has before anything is installed."""


def commands(page: str, section: str = "", *, without: str = "") -> list[str]:
    """Lines behind `$ ` in a page's console blocks, and Python that loads a version, in order.

    Args:
        page: Its path.
        section: The only one; "" for all.
        without: A section that is left out.
    """
    first, *sections = (REPOSITORY / page).read_text(encoding="utf-8").split("\n## ")
    named = {text.split("\n")[0]: text for text in sections}
    if without:
        del named[without]
    written = named[section] if section else "\n".join([first, *named.values()])
    lines = []
    for language, block in re.findall(r"```(console|python)\n(.*?)```", written, flags=re.DOTALL):
        if language == "console":
            lines += [line[2:] for line in block.splitlines() if line.startswith("$ ")]
        elif "import load" in block:
            lines.append(f"python -c {shlex.quote(block)}")
    return [line for line in lines if line not in RUN_ELSEWHERE]


@pytest.fixture(scope="module")
def warm() -> Path:
    """Folder of a `prefect-freshqa` that starts quickly: the pages run it some ninety times."""
    return Path(warm_address()).parent


@pytest.fixture(scope="module")
def installed(warm: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The environment that `make demo` makes, with the commands of this one and a warm `python -c`."""
    environment = tmp_path_factory.mktemp("made") / ".venv"
    venv.create(environment)
    python = environment / "bin" / "python"
    python.unlink()
    words = shlex.join(warm_words(warm / "socket", "-c"))
    script(python, f'[ "$1" = -c ] && shift && exec {words} "$@"')
    for name in ("prefect-freshqa", "prefect"):
        (environment / "bin" / name).symlink_to(warm / name)
    return environment


@pytest.fixture(scope="module")
def tools(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the tools of any machine and nothing of ours."""
    folder = tmp_path_factory.mktemp("tools")
    for name in TOOLS:
        (folder / name).symlink_to(shutil.which(name) or name)
    return folder


@pytest.fixture
def environment(
    tmp_path: Path,
    openai_server: OpenAIServer,
    serpapi_server: SerpApiServer,
    tools: Path,
    api_url: str,
) -> dict[str, str]:
    """Providers on loopback that answer as in the sample world; a home of our own."""
    serpapi_server.record(sample.path("searches-2026-03-09.jsonl"))
    for line in sample.path("model-2026-03-09.jsonl").read_text("utf-8").splitlines():
        entry = json.loads(line)
        openai_server.answers[entry["question"]] = entry["response"]
    give_database(tmp_path / "prefect")
    kept = {name: os.environ[name] for name in ("LANG", "TMPDIR") if name in os.environ}
    return {
        **kept,
        "PATH": str(tools),
        "HOME": str(tmp_path),
        "PREFECT_HOME": str(tmp_path / "prefect"),
        "PREFECT_API_URL": api_url,  # flows without a server: `make demo`
        "PREFECT_FRESHQA_STORE": f"sqlite:///{tmp_path / 'freshqa.db'}",
        "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
        "OPENAI_BASE_URL": openai_server.base_url,
        "SERPAPI_BASE_URL": serpapi_server.url,
    }


@pytest.fixture
def postgres_role() -> Iterator[str]:
    """An empty PostgreSQL database for the command that the README shows."""
    default = "postgresql+psycopg://root@127.0.0.1:5432/test"
    base = make_url(os.environ.get("FRESHQA_TEST_POSTGRES_URL", default))
    name = f"freshqa_readme_{uuid.uuid4().hex[:8]}"
    engine = create_engine(base, isolation_level="AUTOCOMMIT")
    try:
        with engine.connect() as connection:
            connection.execute(text(f"CREATE DATABASE {name}"))
    except Exception as unreachable:
        if os.environ.get("CI"):
            raise
        pytest.skip(f"postgres: {unreachable.__class__.__name__}; set FRESHQA_TEST_POSTGRES_URL")
    yield base.set(database=name).render_as_string(hide_password=False)
    with engine.connect() as connection:
        connection.execute(text(f"DROP DATABASE {name} WITH (FORCE)"))
    engine.dispose()


def adapted(command: str, postgres: str, port: int) -> str:
    """The command with this machine's keys, ports and database instead of the reader's."""
    if command.startswith("prefect server start"):
        return f"prefect server start --background --port {port} && {waiting_for(port)}"
    return (
        command.replace("SERPAPI_API_KEY=…", "SERPAPI_API_KEY=key")
        .replace("OPENAI_API_KEY=…", "OPENAI_API_KEY=key")
        .replace("postgresql+psycopg://freshqa@127.0.0.1/freshqa", postgres)
        .replace("127.0.0.1:4200", f"127.0.0.1:{port}")
    )


def waiting_for(port: int) -> str:
    """A reader looks at the screen until the server is up; the test waits."""
    health = f"http://127.0.0.1:{port}/api/health"
    return f"for i in $(seq 600); do curl -sf {health} && break; sleep 0.2; done"


@pytest.mark.timeout(420)
@pytest.mark.parametrize("page", PAGES)
def test_every_command_of_a_page_runs(
    page: str, environment: dict[str, str], installed: Path, postgres_role: str, tmp_path: Path
) -> None:
    (tmp_path / ".venv").symlink_to(installed)
    (tmp_path / "src").symlink_to(REPOSITORY / "src")
    if page != "README.md":
        shutil.copy(sample.path("release.csv"), tmp_path / "release.csv")
    shutil.copy(REPOSITORY / "prefect.yaml", tmp_path / "prefect.yaml")
    shutil.copy(sample.path("model-2026-03-09.jsonl"), tmp_path / "responses.jsonl")
    verdict = '"Who is the president of Orlune?",correct\n'
    (tmp_path / "ada.csv").write_text(f"question,verdict\n{verdict}", encoding="utf-8")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    if page == "README.md":
        written = commands(page, without=SHARED)
    else:
        environment |= PLAIN
        activated = commands("README.md", "Install")[:1]
        written = [*activated, *BEFORE.get(page, []), *commands(page)]
    lines = [
        f"echo {shlex.quote('>>> ' + line)} && {adapted(line, postgres_role, port)}"
        for line in written
    ]
    program = "set -e\ntrap 'prefect server stop >/dev/null 2>&1 || true' EXIT\n" + "\n".join(lines)
    done = subprocess.run(
        ["bash", "-c", program],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        timeout=400,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    if page == "README.md":
        pulled = (tmp_path / "freshqa.csv").read_bytes()
        assert pulled == sample.path("release.csv").read_bytes()


def test_the_page_about_deploying_has_the_commands_of_the_readme() -> None:
    shared, rest = commands("README.md", SHARED), iter(commands("docs/deploy.md"))
    assert shared and all(line in rest for line in shared)  # each after the one before it
