"""Several processes publish at the same time without overwriting each other."""

from __future__ import annotations

import threading

from store.processes import python
from store.sheet import DAY, NOW, sheet, with_answer

from freshqa.errors import Conflict, FreshQAError
from freshqa.store.database import Store
from freshqa.store.publishing import publish, rollback
from freshqa.store.snapshots import snapshot
from freshqa.store.verifying import verify
from freshqa.store.versions import log

PUBLISH = """
import sys
from store.sheet import DAY, NOW, sheet, with_answer
from freshqa.errors import Conflict
from freshqa.store.database import Store
from freshqa.store.versions import head
from freshqa.store.publishing import publish
from freshqa.store.snapshots import snapshot

url, name, rounds = sys.argv[1], sys.argv[2], int(sys.argv[3])
store = Store.open(url)
done = {"published": 0, "conflicts": 0}
while done["published"] < rounds:
    parent = head(store)
    rows = list(snapshot(store, parent.number))
    row = (0 if name == "a" else 1)
    rows = with_answer(rows, row, f"{name} {done['published']}")
    try:
        publish(store, rows, as_of=DAY, now=NOW, parent=parent.number)
        done["published"] += 1
    except Conflict:
        done["conflicts"] += 1
print(done["published"], done["conflicts"])
"""
ROUNDS = 8


def test_two_processes_publish_in_turns_without_losing_changes(
    store: Store, store_url: str
) -> None:
    publish(store, sheet(), as_of=DAY, now=NOW, parent=None)
    processes = [python(PUBLISH, store_url, name, str(ROUNDS)) for name in "ab"]
    said = [process.communicate(timeout=120)[0].split() for process in processes]
    assert [int(words[0]) for words in said] == [ROUNDS, ROUNDS]
    versions = log(store)
    assert [version.number for version in versions] == list(range(2 * ROUNDS + 1, 0, -1))
    assert {verified.status for verified in verify(store)} == {"ok"}
    newest = snapshot(store, versions[0].number)
    assert (newest[0].primary, newest[1].primary) == (f"a {ROUNDS - 1}", f"b {ROUNDS - 1}")


def test_only_one_of_two_publishers_on_the_same_version_succeeds(store: Store) -> None:
    publish(store, sheet(100), as_of=DAY, now=NOW, parent=None)
    barrier = threading.Barrier(6)
    outcomes: list[int | FreshQAError] = []

    def attempt(who: int) -> None:
        rows = with_answer(sheet(100), who, "mine")
        barrier.wait()
        try:
            outcomes.append(publish(store, rows, as_of=DAY, now=NOW, parent=1).number)
        except FreshQAError as error:
            outcomes.append(error)

    threads = [threading.Thread(target=attempt, args=(who,)) for who in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [outcome for outcome in outcomes if isinstance(outcome, int)] == [2]
    assert sum(isinstance(outcome, Conflict) for outcome in outcomes) == 5
    assert [verified.status for verified in verify(store)] == ["ok", "ok"]


def test_a_reader_sees_complete_versions_during_a_publication(store: Store) -> None:
    questions = sheet(300)
    publish(store, questions, as_of=DAY, now=NOW, parent=None)
    stop = threading.Event()
    seen: list[int] = []

    def read() -> None:
        while not stop.is_set():
            newest = log(store)[0]
            assert len(snapshot(store, newest.number)) == newest.rows
            seen.append(newest.number)

    reader = threading.Thread(target=read)
    reader.start()
    for number in range(1, 8):
        rows = with_answer(questions, 0, str(number * 100))
        publish(store, rows, as_of=DAY, now=NOW, parent=number)
    rollback(store, 1, as_of=DAY, now=NOW)
    stop.set()
    reader.join()
    assert seen == sorted(seen)
    assert len(seen) > 1
