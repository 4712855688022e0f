"""A killed publisher leaves only complete versions, and a killed run can be resumed.

A few moments by default; FRESHQA_TEST_KILLS=50 tries 50.
"""

from __future__ import annotations

import os
import random
import time

from sqlalchemy import text
from store.processes import python, wait_for
from store.sheet import DAY, NOW, sheet

from freshqa.store.checks import checked_keys, checks
from freshqa.store.database import Store
from freshqa.store.proposals import proposals
from freshqa.store.publishing import publish
from freshqa.store.snapshots import snapshot
from freshqa.store.verifying import verify
from freshqa.store.versions import log

KILLS = int(os.environ.get("FRESHQA_TEST_KILLS", "2"))
PUBLISH = """
import itertools, os, sys
from store.sheet import DAY, NOW, sheet, with_answer
from freshqa.store.database import Store
from freshqa.store.versions import head
from freshqa.store.publishing import publish

store = Store.open(sys.argv[1])
number, parent = head(store).number, os.getppid()
rows = sheet(400)
print("ready", flush=True)
for turn in itertools.count(number):
    if os.getppid() != parent:
        break  # nobody is left to kill this
    rows = [q.with_changes({"answer_0": f"{turn}"}) for q in rows]
    publish(store, rows, as_of=DAY, now=NOW, parent=turn, kind="import", original=b"x" * 10000)
"""
CHECK = """
import sys
from store.ledger import checked, start
from store.sheet import NOW, sheet
from freshqa.store.checks import checked_keys, record_check
from freshqa.store.database import Store

store = Store.open(sys.argv[1])
start(store)
have = checked_keys(store, "week-11")
print("ready", flush=True)
for question in sheet(400):
    if question.key not in have:
        record_check(store, "week-11", checked(question), now=NOW)
print("done", flush=True)
"""
ORPHANS = {
    "revisions": "SELECT count(*) FROM fq_revision r WHERE NOT EXISTS"
    " (SELECT 1 FROM fq_member m WHERE m.revision_id = r.id)",
    "members": "SELECT count(*) FROM fq_member m WHERE NOT EXISTS"
    " (SELECT 1 FROM fq_version v WHERE v.id = m.version_id)",
    "files": "SELECT count(*) FROM fq_version v WHERE number > 1 AND NOT EXISTS"
    " (SELECT 1 FROM fq_artifact a WHERE a.version_id = v.id)",
}


def kill_after(script: str, url: str, seconds: float) -> None:
    """Start the script, and kill -9 it this long after it is ready."""
    process = python(script, url)
    wait_for(process, "ready")
    time.sleep(seconds)
    process.kill()
    process.communicate()


def test_a_killed_publisher_leaves_only_complete_versions(store: Store, store_url: str) -> None:
    publish(store, sheet(400), as_of=DAY, now=NOW, parent=None)
    moments = random.Random(11)
    longest = 0.3
    dealt = 0
    while dealt < KILLS or len(log(store)) == 1:  # one publisher at least shall have come to write
        kill_after(PUBLISH, store_url, moments.uniform(0.0, longest))
        dealt += 1
        longest *= 1.0 if dealt < KILLS else 2.0  # on a busy machine the first write takes longer
        numbers = [version.number for version in log(store)]
        assert numbers == list(range(len(numbers), 0, -1))
    assert len(log(store)) > 1
    assert {verified.status for verified in verify(store)} == {"ok"}
    assert all(len(snapshot(store, version.number)) == version.rows for version in log(store))
    with store.read() as connection:
        left = {what: connection.execute(text(sql)).scalar() for what, sql in ORPHANS.items()}
        assert left == {"revisions": 0, "members": 0, "files": 0}
        if connection.dialect.name == "sqlite":
            assert connection.exec_driver_sql("PRAGMA integrity_check").scalar() == "ok"


def test_a_killed_run_resumes_without_repeating_any_call(store: Store, store_url: str) -> None:
    publish(store, sheet(400), as_of=DAY, now=NOW, parent=None)
    moments = random.Random(12)
    for _ in range(KILLS):
        kill_after(CHECK, store_url, moments.uniform(0.0, 0.3))
    process = python(CHECK, store_url)
    wait_for(process, "ready")
    assert process.communicate(timeout=120)[0] == "done\n"
    assert len(checked_keys(store, "week-11")) == 400
    assert len(checks(store, "week-11")) == len(proposals(store)) == 400
