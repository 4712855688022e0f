"""What `warm_process.py` imports before it forks: what a command, a flow, a worker or a server needs."""

from __future__ import annotations

import sys
from contextlib import suppress
from importlib import import_module
from importlib.metadata import entry_points

from sqlalchemy.orm import configure_mappers

from freshqa.answering.abstention import abstains

LIBRARIES = (
    "dateparser",
    "matplotlib.backends.backend_agg",
    "matplotlib.backends.backend_svg",
    "matplotlib.figure",
    "openai.resources.chat.completions",
    "openpyxl.packaging.extended",
    "alembic.command",
    "anyio._backends._asyncio",
    "serpapi",
    "sqlalchemy.dialects.sqlite",
    "uvicorn",
    "prefect.server.api.server",  # the temporary server of a flow is started by a module of it
    "prefect.cli.deployment",
    "prefect.task_engine",
    "prefect.utilities.visualization",
    "prefect.workers.process",
    "prefect_freshqa.blocks.block_types",
    "prefect_freshqa.blocks.chat_connection",
    "prefect_freshqa.blocks.http_page_reader",
    "prefect_freshqa.cli.main",
    "prefect_freshqa.cli.flow_runs",
    "prefect_freshqa.expectations.dataset_suite",
    "prefect_freshqa.expectations.evaluate",
    "prefect_freshqa.expectations.update_suite",
    "prefect_freshqa.flows.back_up",
    "prefect_freshqa.flows.evaluate",
    "prefect_freshqa.flows.exchange",
    "prefect_freshqa.flows.publish",
    "prefect_freshqa.flows.qualify",
    "prefect_freshqa.flows.refresh",
    "prefect_freshqa.flows.review",
    "prefect_freshqa.provision.inspection",
)
"""Of these Prefect alone is configured by the environment at import: `settings_again`."""
IN_SOME_RELEASES = ("httpcore2", "prefect.cli.deploy._core", "rich._emoji_codes")


def import_libraries() -> None:
    """Import all that there are, and do what the first use of some would do in each child."""
    for library in LIBRARIES:
        import_module(library)
    for library in IN_SOME_RELEASES:
        with suppress(ImportError):
            import_module(library)
    for collection in entry_points(group="prefect.collections"):
        with suppress(ImportError):  # Prefect says so where it matters
            collection.load()
    del sys.modules["prefect.engine"]  # a worker runs it as a script
    configure_mappers()  # the tables of Prefect's server
    abstains("")  # compiles its patterns
