"""Kill -9 at random moments, again and again: nothing is paid twice, doubled, lost or stuck.

    python -m benchmarks.kills --kills 25 --victim flow --store sqlite

Each cycle is one weekly run over 120 gauges on a new dataset. It gets up to five blows and is
started again whenever it dies of one; then it is left to finish, every proposal is accepted, and
the publication gets a blow as well. Whenever the run dies, the calls that the providers saw are
held against the ledger. Victims:

    flow      the process that runs the flow
    server    the Prefect server, which is started again at once
    restart   the same under the deployments of `prefect.yaml`, with a worker and the limits of
              `init`: the slots of a run outlive the server (`--leases memory`: its leases do not)
    database  PostgreSQL with all its backends, which is started again at once
    worker    a worker with the flow run it started, under the deployments of `prefect.yaml`; it is
              started again, and the automation of `init` ends the dead run, after a minute
              without a heartbeat instead of nine minutes
"""

from __future__ import annotations

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from datetime import datetime, timezone
from pathlib import Path

from servers.gauges import CHECKED, Providers, make_store, moved
from servers.process_tree import kill_tree
from servers.witness import Witness, faults

from benchmarks.kill_stage import NOTHING_TO_DO, SECONDS, FlowRun, Process, Stage, stage
from freshqa.maintaining.proposal import Action, Decision
from freshqa.store import proposal_decisions, proposals, snapshots, versions
from freshqa.store.database import Store

SIZE = 120
RUN = "2026-W11-freshprompt"
KILLS_PER_CYCLE = 5
STUCK = -1
STUCK_AFTER = {False: 120.0, True: 600.0}
"""Seconds for a process, and for a flow run: slots of lost leases are freed after two minutes."""
REFRESH = ("refresh", "--as-of", CHECKED.isoformat(), "--model", "openai:reader", "--json")
PUBLISH = ("publish", "--as-of", CHECKED.isoformat(), "--json")


@dataclass
class Figures:
    """The result of a series of kills."""

    kills: int = 0
    survived: int = 0
    ended_by_automation: int = 0
    starts: int = 0
    cycles: int = 0
    calls: int = 0
    lost_calls: int = 0
    paid_again: int = 0
    wrong: list[str] = field(default_factory=list)
    seconds: float = 0.0

    def count_automation(self, process: Process) -> None:
        """Count a dead flow run that the automation of `init` ended."""
        self.ended_by_automation += isinstance(process, FlowRun) and process.ended_by_automation()


def cycle(stage: Stage, victim: str, chance: random.Random, figures: Figures, kills: int) -> None:
    """One run, killed `kills` times, finished, accepted, published under one more kill."""
    url = stage.new_store(f"cycle_{figures.cycles}")
    store = make_store(url, SIZE)
    witness = Witness(stage.providers)
    process = stage.start(url, *REFRESH)
    figures.starts += 1
    for _ in range(kills):
        wait_for_work(stage.providers, process)
        time.sleep(chance.uniform(0, 2.5))
        if process.poll() is None:
            stage.kill(victim, process)
            figures.kills += 1
        if victim in ("flow", "worker"):
            ended(process, figures)
        if process.poll() == 0:
            break  # done before the last blow
        if process.poll() is not None:
            figures.count_automation(process)
            witness.look(store)
            process = stage.start(url, *REFRESH)
            figures.starts += 1
    figures.survived += ended(process, figures) == 0
    witness.look(store)
    figures.starts += finish(stage, figures, url, *REFRESH)
    witness.look(store)
    figures.wrong += faults(store, SIZE, RUN)
    publish(stage, victim, chance, figures, store, url)
    figures.calls += witness.calls
    figures.lost_calls += witness.lost
    figures.paid_again += len(witness.paid_again)
    figures.cycles += 1


def publish(
    stage: Stage, victim: str, chance: random.Random, figures: Figures, store: Store, url: str
) -> None:
    """Accept everything, kill the publication, repeat it, and look for half a version."""
    for stored in proposals.proposals(store):
        proposal_decisions.decide(
            store, Decision(stored.id, Action.accept, by="test", at=datetime.now(timezone.utc))
        )
    process = stage.start(url, *PUBLISH)
    time.sleep(chance.uniform(2, 7))
    if process.poll() is None:
        stage.kill(victim, process)
        figures.kills += 1
    ended(process, figures)
    figures.count_automation(process)
    figures.starts += 1 + finish(stage, figures, url, *PUBLISH)
    numbers = [version.number for version in versions.log(store)]
    old, new = ({q.key: q.primary for q in snapshots.snapshot(store, n)} for n in (1, 2))
    changed = sum(old[key] != answer for key, answer in new.items())
    if numbers != [2, 1] or len(old) != len(new) or changed != sum(map(moved, range(SIZE))):
        figures.wrong.append(f"versions {numbers}, {changed} answers changed")


def wait_for_work(known: Providers, process: Process) -> None:
    """Until the process has asked a provider, or is at its end."""
    until = time.monotonic() + 120
    while not known.search.requests and process.poll() is None and time.monotonic() < until:
        time.sleep(0.02)


def ended(process: Process, figures: Figures) -> int:
    """Exit code; STUCK for what had to be ended by force."""
    try:
        return process.wait(timeout=STUCK_AFTER[type(process) is FlowRun])
    except subprocess.TimeoutExpired as stuck:
        figures.wrong.append(f"stuck, ended by force: {stuck}")
        if isinstance(process, FlowRun):
            process.end()
        else:
            kill_tree(process.pid)
            process.wait()
        return STUCK


def finish(stage: Stage, figures: Figures, url: str, *command: str) -> int:
    """Start until it is done; how often that took."""
    for attempt in range(1, 6):
        if ended(stage.start(url, *command), figures) in (0, NOTHING_TO_DO):
            return attempt
    raise AssertionError(f"{command[0]} does not finish; see {stage.server.home}/runs.log")


def main() -> None:
    """Run the series and print one JSON object."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--kills", type=int, default=25)
    parser.add_argument("--victim", choices=tuple(SECONDS), default="flow")
    parser.add_argument("--store", choices=("sqlite", "postgres"), default="sqlite")
    parser.add_argument("--leases", choices=("filesystem", "memory"), default="filesystem")
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    figures, chance, began = Figures(), random.Random(asked.seed), time.monotonic()
    os.environ.pop("PREFECT_FRESHQA_STORE", None)
    with (
        tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder,
        stage(asked.store, Path(folder), asked.victim, leases=asked.leases) as ready,
    ):
        while figures.kills < asked.kills:
            cycle(ready, asked.victim, chance, figures, KILLS_PER_CYCLE)
    figures.seconds = round(time.monotonic() - began, 1)
    print(
        json.dumps(
            {"victim": asked.victim, "store": asked.store, "leases": asked.leases, **vars(figures)}
        )
    )
    sys.exit(bool(figures.wrong or figures.paid_again))


if __name__ == "__main__":
    main()
