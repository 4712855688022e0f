"""Memory per question in each step that reads the whole dataset.

The peak of a step is measured at two sizes, so that the part that does not grow cancels out.
"""

from __future__ import annotations

import gc
import tracemalloc
from collections.abc import Callable, Iterator
from datetime import datetime, timezone
from typing import Any

import pandas
import pytest
from prefect.utilities.collections import visit_collection
from prefect.utilities.engine import resolve_inputs_sync
from servers.gauges import CHECKED, RELEASED, make_store

from freshqa.store import publishing, snapshots, versions
from freshqa.store.database import Store
from prefect_freshqa.expectations import evaluate, frame
from prefect_freshqa.expectations.gate import suites
from prefect_freshqa.tasks.opaque import opaque
from prefect_freshqa.tasks.planning import find_due_questions
from prefect_freshqa.tasks.publishing import make_draft
from prefect_freshqa.tasks.refresh_settings import RefreshSettings

FEW, MANY = 500, 2_000
SETTINGS = RefreshSettings(method="search-only")


@pytest.fixture(scope="module")
def stores(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Store, Store]]:
    folder = tmp_path_factory.mktemp("gauges")
    both = [make_store(f"sqlite:///{folder / str(size)}.db", size) for size in (FEW, MANY)]
    yield both[0], both[1]
    for store in both:
        store.close()


def peak(step: Callable[[], object]) -> int:
    gc.collect()
    tracemalloc.start()
    try:
        step()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


def for_each_question(stores: tuple[Store, Store], step: Callable[[Store], object]) -> float:
    """Bytes at the peak for a question more."""
    few, many = stores
    step(few)  # whatever is imported and cached
    return (peak(lambda: step(many)) - peak(lambda: step(few))) / (MANY - FEW)


def test_planning_needs_little_memory_per_question(stores: tuple[Store, Store]) -> None:
    assert for_each_question(stores, lambda s: find_due_questions.fn(s, CHECKED, SETTINGS)) < 1_500


def test_a_draft_needs_little_memory_per_question(stores: tuple[Store, Store]) -> None:
    assert for_each_question(stores, make_draft.fn) < 1_200


def test_publishing_needs_little_memory_per_question(stores: tuple[Store, Store]) -> None:
    """Without the rows themselves, which the caller holds."""
    rows = {store: list(snapshots.snapshot(store, 1)) for store in stores}

    def publish(store: Store) -> None:
        head = versions.head(store)
        assert head is not None
        rows[store][0] = rows[store][0].with_changes({"note": f"after {head.number}"})
        now = datetime.now(timezone.utc)
        publishing.publish(store, rows[store], as_of=CHECKED, now=now, parent=head.number)

    assert for_each_question(stores, publish) < 300


def test_validation_needs_little_memory_per_question(
    stores: tuple[Store, Store], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without the rows themselves, and without reference cycles not yet collected."""
    rows = {store: snapshots.snapshot(store, 1) for store in stores}
    bases = {store: [q.with_changes({"note": "old"}) for q in rows[store]] for store in stores}
    monkeypatch.setattr(frame, "CHUNK", FEW)

    def judge(store: Store) -> None:
        names = set()
        for table in suites(rows[store], as_of=CHECKED, base=bases[store], base_as_of=RELEASED):
            if table.name not in names:  # one chunk is like the other
                names.add(table.name)
                evaluation = evaluate.evaluate([table])
                assert evaluation.evaluated and not evaluation.failures
            del table
            gc.collect()

    gc.freeze()  # what is there by now is not looked through each time
    try:
        assert for_each_question(stores, judge) < 1_000
    finally:
        gc.unfreeze()


def test_rules_about_single_rows_see_a_chunk_at_a_time(stores: tuple[Store, Store]) -> None:
    rows = snapshots.snapshot(stores[1], 1) * (frame.CHUNK // MANY + 1)
    sizes: dict[str, list[int]] = {}
    base = [row.with_changes({"note": "before"}) for row in rows]
    for table in suites(rows, as_of=CHECKED, base=base):
        sizes.setdefault(table.name, []).append(len(table.frame))
    whole, chunks = [len(rows)], [frame.CHUNK, len(rows) - frame.CHUNK]
    assert sizes.pop("dataset-cells") == [2 * size for size in chunks]
    assert sizes == {
        "dataset-questions": chunks,
        "dataset-together": whole,
        "update-changes": chunks,
        "update-together": whole,
        "update-order": whole,
    }


def test_great_expectations_does_not_keep_frames(stores: tuple[Store, Store]) -> None:
    rows = snapshots.snapshot(stores[0], 1)
    gc.collect()
    gc.disable()
    try:
        *_, order = suites(rows, as_of=CHECKED, base=rows)
        evaluate.evaluate([order])
        assert "asked" in order.frame
        del _, order
        frames = [object for object in gc.get_objects() if isinstance(object, pandas.DataFrame)]
        assert [frame for frame in frames if "asked" in frame] == []
    finally:
        gc.enable()


def test_prefect_does_not_visit_each_question(stores: tuple[Store, Store]) -> None:
    noted: list[Any] = []
    visit_collection(find_due_questions.fn(stores[1], CHECKED, SETTINGS), noted.append, max_depth=1)
    assert 0 < len(noted) < 10

    draft = make_draft.fn(stores[1])

    def hand_over() -> None:
        assert resolve_inputs_sync({"draft": opaque(draft)})["draft"] is draft

    assert peak(hand_over) / MANY < 100
