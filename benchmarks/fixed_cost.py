"""What commands cost whatever the size of their work, beside importing what they use.

    python -m benchmarks.fixed_cost [--repeats 3]

CPU seconds of a command and its children, in turns with what it is compared with. `publish` and
the demo start a temporary Prefect server, which is in their figure; the home of `publish` has been
used before, that of the demo is new.
"""

from __future__ import annotations

import argparse
import os
import shutil
import tempfile
from collections.abc import Iterator
from datetime import date, datetime, timezone
from pathlib import Path

from benchmarks.measured_process import run
from benchmarks.spread import Row, markdown
from freshqa import sample
from freshqa.maintaining.proposal import (
    Action,
    CheckedQuestion,
    Decision,
    FieldChange,
    Outcome,
    Proposal,
)
from freshqa.store import proposal_decisions
from freshqa.store.checks import record_check
from freshqa.store.database import Store
from freshqa.store.publishing import publish
from freshqa.store.runs import start_run
from freshqa.store.snapshots import snapshot
from prefect_freshqa.cli.commands.demo import import_sample

PREFECT = "from prefect import flow"
DEMO = "import prefect, great_expectations, pandas, prefect_freshqa.flows.refresh"
DAY, NOW = date(2026, 3, 9), datetime(2026, 3, 9, 12, tzinfo=timezone.utc)
RECORDED = f"recorded:{sample.path('searches-2026-03-09.jsonl')}"
NOTHING_DUE = ("refresh", "--as-of", "2026-03-02", "--method", "search-only", "--search", RECORDED)
LIGHT = (("log",), ("due", "--as-of", DAY.isoformat()), ("diff", "1", "2"), ("review", "list"))


def make_stores(folder: Path) -> None:
    """`proposed.db`: two versions, one proposal; `accepted.db`: it is accepted; `later.db`: no due."""
    store = Store.open(f"sqlite:///{folder}/proposed.db", create=True)
    import_sample(store, {"release": "release.csv", "as_of": "2026-03-02"})
    first = snapshot(store, 1)
    publish(store, [*first[1:], first[0]], as_of=DAY, now=NOW, parent=1)
    asked = first[0]
    start_run(store, key="w", flow="refresh", as_of=DAY, base_version=2, settings={}, now=NOW)
    changes = {f"answer_{len(asked.answers)}": FieldChange("", "another form")}
    common = {"key": asked.key, "question": asked.text, "outcome": Outcome.alternative}
    proposal = Proposal(**common, base_revision=asked.revision_hash, changes=changes)
    checked = CheckedQuestion(**common, risk=0.1, stored=asked.answers, proposal=proposal)
    number = record_check(store, "w", checked, now=NOW)
    assert number is not None
    store.close()
    shutil.copy(folder / "proposed.db", folder / "accepted.db")
    store = Store.open(f"sqlite:///{folder}/accepted.db")
    proposal_decisions.decide(store, Decision(number, Action.accept, "Ada", NOW, reason="seen"))
    store.close()
    store = Store.open(f"sqlite:///{folder}/later.db", create=True)
    later = [question.with_changes({"next_review": "12/31/2099"}) for question in first]
    publish(store, later, as_of=date(2026, 3, 2), now=NOW, parent=None)
    store.close()


def fixed_cost(environment: dict[str, str], repeats: int) -> Iterator[Row]:
    """Light commands, a refresh with nothing due, a publication of one decision, the demo."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        environment = {**environment, "PREFECT_HOME": str(folder / "prefect")}
        for variable in ("PYTHONDONTWRITEBYTECODE", "PREFECT_API_URL"):
            environment.pop(variable, None)
        make_stores(folder)

        def cpu(database: str, *command: str, code: int = 0) -> float:
            shutil.copy(folder / database, folder / "used.db")
            used = {**environment, "PREFECT_FRESHQA_STORE": f"sqlite:///{folder}/used.db"}
            return run(["-m", "prefect_freshqa.cli", *command], used, code=code).cpu

        def rows(name: str, what: str, asked: str, *command: str, code: int = 0) -> Row:
            database = {"refresh": "later.db", "publish": "accepted.db"}.get(
                command[0], "proposed.db"
            )
            cpu(database, *command, code=code)  # byte code, and the home of Prefect
            turns = [
                (cpu(database, *command, code=code), run(["-c", what], environment).cpu)
                for _ in range(repeats)
            ]
            own, beside = zip(*turns, strict=True)
            return Row(f"`{name}`, CPU s", own, f"`{what}`", beside, asked, digits=2)

        for command in LIGHT:
            yield rows(" ".join(command[:2]), PREFECT, "≤ 0.5×", *command)
        yield rows("review accept", PREFECT, "≤ 0.5×", "review", "accept", "1", "--by", "Ada")
        yield rows("refresh, nothing due", PREFECT, "≤ 3×", *NOTHING_DUE, code=3)
        yield rows("publish, one decision", PREFECT, "≤ 3×", "publish")
        yield rows("demo", DEMO, "≤ 2×", "demo", "--folder", str(folder / "demo"))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--repeats", type=int, default=3)
    asked = parser.parse_args()
    before = os.getloadavg()[0]
    table = markdown(list(fixed_cost(dict(os.environ), asked.repeats)))
    print(f"load {before:.0f} before, {os.getloadavg()[0]:.0f} after\n\n{table}")


if __name__ == "__main__":
    main()
