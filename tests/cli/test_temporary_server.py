"""The Prefect server of `demo` ends with its command, however that ends."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path


def test_it_ends_when_nobody_holds_its_standard_input(tmp_path: Path) -> None:
    server = subprocess.Popen(
        [sys.executable, "-m", "prefect_freshqa.cli.temporary_server"],
        env={**os.environ, "PREFECT_HOME": str(tmp_path)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )
    assert server.stdin is not None and server.stdout is not None
    assert 0 < int(server.stdout.readline()) < 1 << 16
    server.stdin.close()  # as the end of the command does, by a signal too
    assert server.wait(timeout=240) != 0
