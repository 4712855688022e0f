"""A process that parses pages; it is killed when a page keeps it busy, and restarted."""

from __future__ import annotations

import importlib.util
import json
import subprocess
import sys
import threading
from contextlib import suppress
from typing import Any

from freshqa.errors import UsageError
from prefect_freshqa.blocks.deadline import within

WORKER = "freshqa.evidence.page_text_worker"
LONGEST_READ_SECONDS = 10.0
START_SECONDS = 60.0
"""For importing the parser on a busy machine; counts for the first page alone."""


class PageWorker:
    """Parses one page at a time; safe to share between threads."""

    def __init__(self, seconds: float = LONGEST_READ_SECONDS) -> None:
        self._seconds = seconds
        self._process: subprocess.Popen[bytes] | None = None
        self._lock = threading.Lock()

    def read(self, content: bytes, charset: str, select: str = "") -> dict[str, Any]:
        """Return text, title and dates of a page, or its `problem`.

        With a selector the text is JSON: the elements that it finds, as `Selected` writes them.

        Raises:
            UsageError: The extra `pages` is not installed.
        """
        if importlib.util.find_spec("trafilatura") is None:
            from freshqa.evidence.page_text import MISSING

            raise UsageError(MISSING.message, MISSING.remedy)
        with self._lock:
            try:
                if self._process is None or self._process.poll() is not None:
                    self._process = _started()
                    within(START_SECONDS, lambda _: self._ask(b"<p>ready", ""))
                return within(self._seconds, lambda _: self._ask(content, charset, select))
            except TimeoutError:
                problem = f"not parsed within {self._seconds:g} s"
            except (OSError, ValueError):
                problem = "the parser failed"
            self._end()
            return {"problem": problem}

    def close(self) -> None:
        """End the process."""
        with self._lock:
            self._end()

    def _ask(self, content: bytes, charset: str, select: str = "") -> dict[str, Any]:
        from freshqa.evidence.page_text_worker import LENGTHS

        process = self._process
        assert process is not None and process.stdin is not None and process.stdout is not None
        described = json.dumps({"charset": charset, "select": select}).encode("ascii")
        process.stdin.write(LENGTHS.pack(len(described), len(content)) + described + content)
        process.stdin.flush()
        lengths = process.stdout.read(LENGTHS.size)
        if len(lengths) < LENGTHS.size:
            raise ValueError("the parser ended")
        reply: dict[str, Any] = json.loads(process.stdout.read(LENGTHS.unpack(lengths)[0]))
        return reply

    def _end(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            for pipe in (self._process.stdin, self._process.stdout):
                with suppress(OSError):
                    if pipe is not None:
                        pipe.close()
            self._process = None


def _started() -> subprocess.Popen[bytes]:
    # it ends by itself with its standard input: no page outlives its reader
    return subprocess.Popen(
        [sys.executable, "-m", WORKER],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
