"""Shared fixtures: real data, and a new store for each test."""

from __future__ import annotations

import gc
import os
import uuid
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import httpx
import pytest
from hypothesis import settings
from servers.openai_server import OpenAIServer
from servers.prefect_server import PrefectServer
from servers.prefect_services import without_services
from servers.serpapi_server import SerpApiServer
from servers.small_disk import SmallDisk, postgres_on, small_disk
from servers.warm_commands import FOLDER, warm_commands, warm_folder
from sqlalchemy import create_engine, make_url, text

REPOSITORY = Path(__file__).parent.parent
ROOMS = ("integration", "docs", "evaluation", "ui", "cli", "packaging", "store", "desk", "tasks")
LONGEST_FIRST = {room: place for place, room in enumerate(ROOMS)}
"""Folders whose tests start servers, browsers and processes: workers get them first, in this order."""
AUTHORITY = REPOSITORY / "tests" / "servers" / "authority.pem"
"""One certificate authority that nobody uses: every HTTP client would read all of a machine's, which
takes 45 ms of CPU, and Prefect makes several clients for each flow and command."""
if "FRESHQA_LIVE" not in os.environ:  # that model may be on the internet, all else is here
    os.environ["SSL_CERT_FILE"] = str(AUTHORITY)
DEFAULT_POSTGRES = "postgresql+psycopg://root@127.0.0.1:5432/test"

# Every run of a commit uses the same examples; HYPOTHESIS_PROFILE=search looks for new ones.
settings.register_profile("same", derandomize=True, deadline=None)
settings.register_profile("search", derandomize=False, deadline=None)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "same"))


PREFECT_SERVERS = {"api_server", "api_url", "prefect_api", "prefect_server"}
"""Fixtures that start one."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let a run of the whole suite fork its workers."""
    parser.addoption(
        "--fork-workers",
        action="store_true",
        help="fork xdist's workers from the process that forks commands: sooner if there are many tests",
    )


def pytest_configure(config: pytest.Config) -> None:
    """Look for unreachable rings seldom; have one warm process for all workers."""
    gc.set_threshold(50_000)
    if FOLDER not in os.environ:
        running = ExitStack()
        running.enter_context(warm_folder())
        config.add_cleanup(running.close)


@pytest.hookimpl(optionalhook=True)  # of pytest-xdist
def pytest_xdist_setupnodes(config: pytest.Config, specs: list[Any]) -> None:
    """Have workers that have imported the libraries: that takes each of them most of its start."""
    if config.getoption("fork_workers"):
        interpreter = warm_commands(Path(os.environ[FOLDER])) / "worker"
        for spec in specs:
            spec.python = str(interpreter)


@pytest.hookimpl(tryfirst=True)  # before marks select
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what needs a Prefect server, for `make test-quick`; put what takes longest first."""
    for item in items:
        if PREFECT_SERVERS & set(getattr(item, "fixturenames", ())):
            item.add_marker(pytest.mark.integration)
    items.sort(key=lambda item: LONGEST_FIRST.get(item.path.parent.name, len(LONGEST_FIRST)))


def pytest_collection_finish() -> None:
    """Let Python never look for unreachable rings among what is imported."""
    gc.collect()
    gc.freeze()


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """Folder of recorded FreshQA data; the test is skipped where there is none."""
    folder = Path(os.environ.get("FRESHQA_TEST_DATA", REPOSITORY.parent / "shared" / "data"))
    if not folder.is_dir():
        pytest.skip(f"real_data: no folder {folder}; set FRESHQA_TEST_DATA")
    return folder


@pytest.fixture
def sqlite_url(tmp_path: Path) -> str:
    """URL of a SQLite store that does not exist yet."""
    return f"sqlite:///{tmp_path / 'freshqa.db'}"


@pytest.fixture
def postgres_url() -> Iterator[str]:
    """URL of a fresh PostgreSQL schema, dropped after the test."""
    base = make_url(os.environ.get("FRESHQA_TEST_POSTGRES_URL", DEFAULT_POSTGRES))
    engine = create_engine(base, isolation_level="AUTOCOMMIT")
    schema = f"freshqa_{uuid.uuid4().hex[:12]}"
    try:
        with engine.connect() as connection:
            connection.execute(text(f"CREATE SCHEMA {schema}"))
    except Exception as unreachable:
        if os.environ.get("CI"):
            raise
        pytest.skip(f"postgres: {unreachable.__class__.__name__}; set FRESHQA_TEST_POSTGRES_URL")
    url = base.update_query_dict({"options": f"-csearch_path={schema} -csynchronous_commit=off"})
    yield url.render_as_string(hide_password=False)
    with engine.connect() as connection:
        connection.execute(text(f"DROP SCHEMA {schema} CASCADE"))
    engine.dispose()


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def store_url(request: pytest.FixtureRequest) -> str:
    """URL of an empty database, once on SQLite and once on PostgreSQL."""
    return request.getfixturevalue(f"{request.param}_url")


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.postgres)])
def small_store(request: pytest.FixtureRequest) -> Iterator[tuple[str, SmallDisk]]:
    """URL of an empty database and the small disk that it lies on, on SQLite and on PostgreSQL."""
    with ExitStack() as disks:
        try:
            if request.param == "sqlite":
                disk = disks.enter_context(small_disk(16))
                url = f"sqlite:///{disk.folder / 'freshqa.db'}"
            else:
                request.getfixturevalue("postgres_url")  # skips where no server answers
                server = os.environ.get("FRESHQA_TEST_POSTGRES_URL", DEFAULT_POSTGRES)
                disk = disks.enter_context(small_disk(32, owner="postgres"))
                url = disks.enter_context(postgres_on(disk, server))
        except PermissionError as refused:
            pytest.skip(f"small_disk: {refused}")
        yield url, disk


@pytest.fixture
def openai_server() -> Iterator[OpenAIServer]:
    """A chat completions server on loopback: scripted faults, request log."""
    server = OpenAIServer()
    with server.running():
        yield server


@pytest.fixture
def serpapi_server() -> Iterator[SerpApiServer]:
    """A SerpApi server on loopback: scripted faults, request log."""
    server = SerpApiServer()
    with server.running():
        yield server


@pytest.fixture(scope="session")
def api_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PrefectServer]:
    """A Prefect server for flows that a test or a command runs itself, shared by a session.

    It keeps flow runs, logs, artifacts, blocks and limits, but neither task runs nor events: those take
    it more than half of its time. Tests that look at them use `prefect_server`.
    """
    server = PrefectServer(tmp_path_factory.mktemp("api"), REPOSITORY, without_services())
    try:
        server.start_server()
        yield server
    finally:
        server.stop()


@pytest.fixture(scope="session")
def api_url(api_server: PrefectServer) -> str:
    """URL of the API of that server."""
    return f"{api_server.url}/api"


@pytest.fixture
def no_slot_for_the_tag(api_url: str) -> Iterator[None]:
    """A limit without slots for tasks with the tag of a command's flow runs: they would never start."""
    # not at the top: it imports Prefect, which many tests do without
    from prefect_freshqa.tasks.flow_names import TAG

    limit = f"tag:{TAG}"
    with httpx.Client(base_url=f"{api_url}/v2/concurrency_limits") as server:
        server.post("/", json={"name": limit, "limit": 0}).raise_for_status()
        yield
        server.delete(f"/{limit}").raise_for_status()
