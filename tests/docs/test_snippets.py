"""Every Python block of the pages runs as written, in its own file, against real servers.

Only the addresses are changed: providers, Prefect's API and the store are those of the test.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest
from command_line import WarmProcess, run_warm
from servers.gauges import Providers, make_store, providers
from servers.prefect_server import PrefectServer
from servers.prefect_services import without_services
from servers.process_tree import kill_tree

from freshqa.store import runs
from freshqa.store.checks import checks
from freshqa.store.database import Store

pytestmark = pytest.mark.integration

REPOSITORY = Path(__file__).parent.parent.parent
PAGES = sorted([*REPOSITORY.glob("*.md"), *(REPOSITORY / "docs").glob("*.md")])
GAUGES = 12


def snippets(*words: str) -> list[str]:
    """The Python blocks of all pages, those that hold every word."""
    written = "\n".join(page.read_text(encoding="utf-8") for page in PAGES)
    blocks = re.findall(r"```python\n(.*?)```", written, flags=re.DOTALL)
    return [block for block in blocks if all(word in block for word in words)]


def snippet(*words: str) -> str:
    """The one block that holds these words."""
    (block,) = snippets(*words)
    return block


RUN_HERE = {
    "saves the blocks": ("FreshQAStore(", ".save("),
    "serves": (".serve(",),
    "spreads over a cluster": ("cluster_kwargs",),
}
RUN_ELSEWHERE = {
    "loads a version": ("import load",),  # tests/docs/test_pages.py
    "brings an engine": ("class Acme",),  # tests/evidence/test_parsing.py
    "validates": ("great_expectations as gx",),  # tests/expectations/test_expectations_page.py
    "gates": ("expectations.gate import validate",),  # the same
    "saves a block of that engine": ('WebSearch(engine="acme"',),  # the same
}


@pytest.fixture(scope="module")
def world() -> Iterator[Providers]:
    """A search engine and a language model that know the gauges."""
    with providers(search_seconds=0.0, model_seconds=0.0) as known:
        yield known


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[PrefectServer]:
    """A server of its own."""
    running = PrefectServer(tmp_path_factory.mktemp("snippets"), REPOSITORY, without_services())
    try:
        running.start_server()
        yield running
    finally:
        running.stop()


@pytest.fixture(scope="module")
def saved(server: PrefectServer, world: Providers) -> Store:
    """The store of the page about deploying, after its Python has saved the blocks."""
    url = f"sqlite:///{server.home / 'production.db'}"
    block = snippet(*RUN_HERE["saves the blocks"])
    for written, ours in (
        (
            'SerpApiSearch(api_key="…")',
            f'SerpApiSearch(api_key="k", base_url="{world.search.url}")',
        ),
        ("http://127.0.0.1:11434/v1", world.model.base_url),
        ("sqlite:////srv/freshqa/freshqa.db", url),
    ):
        assert written in block
        block = block.replace(written, ours)
    run(server, block)
    return make_store(url, GAUGES)


def program(server: PrefectServer, block: str) -> str:
    """The block as a file."""
    path = server.home / "snippet.py"
    path.write_text(block, encoding="utf-8")
    return str(path)


def run(server: PrefectServer, block: str) -> None:
    """Run a block to its end."""
    done = run_warm([], server.environment, server.home, module=program(server, block))
    assert done.code == 0, done.stdout[-3000:] + done.stderr[-3000:]


def test_every_block_is_run_by_a_test() -> None:
    groups = (*RUN_HERE.values(), *RUN_ELSEWHERE.values())
    claimed = [block for words in groups for block in snippets(*words)]
    assert sorted(claimed) == sorted(snippets())  # none forgotten, none claimed twice


@pytest.mark.parametrize("block", snippets(), ids=lambda block: block.split("\n")[0][:40])
def test_names_in_a_block_exist(block: str) -> None:
    for node in ast.walk(ast.parse(block)):
        if isinstance(node, ast.ImportFrom) and "freshqa" in str(node.module):
            imported = import_module(str(node.module))
            assert [name.name for name in node.names if not hasattr(imported, name.name)] == []


@pytest.mark.timeout(900)  # server and process start one after the other, each within PATIENCE
def test_the_serve_example_runs(server: PrefectServer) -> None:
    path = program(server, snippet(*RUN_HERE["serves"]))
    with (server.home / "serve.log").open("wb") as log:
        serving = WarmProcess([], server.environment, server.home, log, log, module=path)
    try:

        def ready() -> bool | None:
            assert serving.poll() is None, (server.home / "serve.log").read_text()
            deployments = server.post("/deployments/filter")
            return any(deployment["status"] == "READY" for deployment in deployments) or None

        server.wait_for(ready, "the deployment that is served")
        (deployment,) = server.post("/deployments/filter")
        assert deployment["name"] == "weekly-refresh"
        assert deployment["schedules"][0]["schedule"]["cron"] == "0 6 * * 1"
    finally:
        # SIGINT would be ignored where the tests were started in the background of a shell, and a
        # graceful end, which pauses the schedule first, takes as long as the machine is busy.
        kill_tree(serving.pid)
        serving.wait()


def test_the_cluster_example_runs_with_saved_blocks(server: PrefectServer, saved: Store) -> None:
    pytest.importorskip("prefect_dask")
    run(server, snippet(*RUN_HERE["spreads over a cluster"]))
    (done,) = runs.list_runs(saved)
    assert done.state == runs.COMPLETED
    assert len(checks(saved, done.key)) == GAUGES
