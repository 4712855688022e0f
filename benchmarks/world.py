"""What a refresh that is measured needs: providers, a Prefect server with their blocks, a folder."""

from __future__ import annotations

import signal
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from servers.gauges import CHECKED, Providers, providers
from servers.prefect_server import PrefectServer
from servers.using import using

from benchmarks.measured_process import Measured, run

REPOSITORY = Path(__file__).parent.parent


@dataclass(frozen=True)
class World:
    """Everything up and running.

    Args:
        folder: Where stores and Prefect's database go.
        known: The providers, saved as the blocks `gauges`.
        prefect: A Prefect server of this benchmark alone.
    """

    folder: Path
    known: Providers
    prefect: PrefectServer

    @property
    def environment(self) -> Mapping[str, str]:
        """For processes that use all of it."""
        return {**self.prefect.environment, **self.known.environment}

    def refresh(self, url: str, method: str) -> Measured:
        """The command `refresh` on the store with this URL, with every other default of it."""
        command = ["refresh", "--as-of", CHECKED.isoformat(), "--method", method, "--json"]
        command += ["--search", "serpapi-search/gauges", "--model", "openai:reader"]
        return run(
            ["-m", "prefect_freshqa.cli", *command],
            {**self.environment, "PREFECT_FRESHQA_STORE": url},
        )


@contextmanager
def world(*, search_seconds: float, model_seconds: float) -> Iterator[World]:
    """The world, with providers that take so long for a call, until the block ends."""
    # as Ctrl-C: else Python ends without `finally`, and leaves servers and workers behind
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    with (
        tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder,
        providers(search_seconds=search_seconds, model_seconds=model_seconds) as known,
    ):
        prefect = PrefectServer(Path(folder), REPOSITORY, {})
        try:
            prefect.start_server()
            with using(f"{prefect.url}/api"):
                known.save_blocks("gauges")
            yield World(Path(folder), known, prefect)
        finally:
            prefect.stop()
