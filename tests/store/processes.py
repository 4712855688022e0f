"""Other processes that use the same store."""

from __future__ import annotations

import os
import subprocess
import sys


def python(script: str, *arguments: str) -> subprocess.Popen[str]:
    """Start Python on a script that can import the package and the helpers of these tests."""
    return subprocess.Popen(
        [sys.executable, "-c", script, *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)},
    )


def wait_for(process: subprocess.Popen[str], line: str) -> None:
    """Until the process prints a line; everything that it printed instead is the failure."""
    assert process.stdout is not None
    said = process.stdout.readline()
    assert said == f"{line}\n", said + process.stdout.read()
