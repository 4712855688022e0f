"""Where the CPU of a question goes: seconds of CPU in the steps of a refresh, by the clocks of threads.

    python -m benchmarks.question_profile [--few 20] [--many 600]

The command `refresh` with FreshPrompt, whose providers on loopback answer at once, with clocks around
some functions: what many questions take less what few take, by the difference. A step includes the
steps that it calls. Profilers that sample wait for a core like everybody else; these clocks do not.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable
from functools import wraps
from importlib import import_module
from pathlib import Path
from typing import Any

from servers.gauges import CHECKED, make_store

from benchmarks.measured_process import run
from benchmarks.world import World, world

STEPS = {
    "check of a question": ("prefect_freshqa.tasks.checking", "check_question"),
    "risk": ("freshqa.checking.risk", "risk"),
    "verification of an answer": ("freshqa.checking.round", "verify"),
    "searching for support of an answer": ("freshqa.checking.support", "support"),
    "parsing results": ("freshqa.evidence.parsing", "parse"),
    "cleaning texts": ("freshqa.evidence.cleaning", "clean_text"),
    "injection patterns": ("freshqa.evidence.injection", "suspicious"),
    "selecting and ordering evidence": ("freshqa.evidence.consolidate", "consolidate"),
    "copies of the benchmark": ("freshqa.evidence.leaks", "copies_in"),
    "prompt": ("freshqa.answering.freshprompt", "freshprompt"),
    "request to the search engine, until its headers": ("SerpApiEngine", "send"),
    "request to the model, with its body": ("prefect_freshqa.blocks.openai_client", "_read"),
    "ledger: searching for a known search": ("freshqa.store.known_calls", "find_search"),
    "ledger: searching for a known completion": ("freshqa.store.known_calls", "find_completion"),
    "ledger: search recorded": ("freshqa.store.calls", "record_search"),
    "ledger: completion recorded": ("freshqa.store.calls", "record_completion"),
    "ledger: check recorded": ("freshqa.store.checks", "record_check"),
    "JSON and compression of the ledger": ("Packed", "process_bind_param"),
    "result kept, logged and announced": ("prefect_freshqa.tasks.checking", "keep"),
}
"""Step → module, or class, and function."""
CLASSES = {
    "SerpApiEngine": "prefect_freshqa.blocks.search_engine",
    "Packed": "freshqa.store.schema",
}


class Clocks:
    """CPU seconds of each step, over all threads."""

    def __init__(self) -> None:
        self.spent: Counter[str] = Counter()
        self._lock = threading.Lock()

    def around(self, step: str, function: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(function)
        def clocked(*args: Any, **kwargs: Any) -> Any:
            began = time.thread_time()
            try:
                return function(*args, **kwargs)
            finally:
                with self._lock:
                    self.spent[step] += time.thread_time() - began

        return clocked

    def install(self) -> None:
        """Replace every function of `STEPS`, wherever a module has imported it."""
        import_module("prefect_freshqa.flows.refresh")
        for step, (where, name) in STEPS.items():
            owner: Any = import_module(CLASSES.get(where, where))
            owner = getattr(owner, where) if where in CLASSES else owner
            function = getattr(owner, name)
            clocked = self.around(step, function)
            setattr(owner, name, clocked)
            for module in list(sys.modules.values()):
                if vars(module).get(name) is function:
                    setattr(module, name, clocked)


def refresh_with_clocks(file: Path) -> None:
    """Run the command in `sys.argv`, and write the seconds when it ends."""
    clocks = Clocks()
    clocks.install()
    from prefect_freshqa.cli.main import main as command

    try:
        command()
    finally:
        whole = {"the whole command": time.process_time(), **clocks.spent}
        file.write_text(json.dumps(whole), "utf-8")


def profile(ready: World, size: int) -> dict[str, float]:
    """Return the CPU seconds of each step of a refresh of `size` questions."""
    url, file = f"sqlite:///{ready.folder}/{size}.db", ready.folder / f"{size}.json"
    make_store(url, size)
    command = ["refresh", "--as-of", CHECKED.isoformat(), "--method", "freshprompt", "--json"]
    command += ["--search", "serpapi-search/gauges", "--model", "openai:reader"]
    environment = {**ready.environment, "PREFECT_FRESHQA_STORE": url}
    run(["-m", "benchmarks.question_profile", f"--child={file}", *command], environment)
    seconds: dict[str, float] = json.loads(file.read_text("utf-8"))
    return seconds


def main() -> None:
    if len(sys.argv) > 1 and sys.argv[1].startswith("--child="):
        file = Path(sys.argv.pop(1).partition("=")[2])
        refresh_with_clocks(file)
        return
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--few", type=int, default=20)
    parser.add_argument("--many", type=int, default=600)
    asked = parser.parse_args()
    before = os.getloadavg()[0]
    with world(search_seconds=0, model_seconds=0) as ready:
        few, many = profile(ready, asked.few), profile(ready, asked.many)
    print(
        f"load {before:.0f} before, {os.getloadavg()[0]:.0f} after\n\n| step | CPU ms a question |"
    )
    print("| --- | --- |")
    for step in ("the whole command", *STEPS):
        each = 1000 * (many.get(step, 0.0) - few.get(step, 0.0)) / (asked.many - asked.few)
        print(f"| {step} | {each:.2f} |")


if __name__ == "__main__":
    main()
