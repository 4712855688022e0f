"""The gauges report the content of the store."""

from __future__ import annotations

from datetime import timedelta

from prometheus_client.parser import text_string_to_metric_families
from store.ledger import CHECKED, start
from store.sheet import DAY, NOW, sheet

from freshqa.store.checks import record_check
from freshqa.store.database import Store
from freshqa.store.publishing import publish
from freshqa.store.runs import finish_run, start_run
from prefect_freshqa.tasks.metrics import render_metrics


def gauges(store: Store) -> dict[str, float]:
    text = render_metrics(store, now=NOW + timedelta(days=3)).decode()
    return {
        "/".join([sample.name, *sample.labels.values()]): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def test_an_empty_store_has_no_version_and_no_pending_proposal(store: Store) -> None:
    values = gauges(store)
    assert "freshqa_version" not in values
    assert values["freshqa_pending_proposals"] == 0


def test_staleness_cost_and_pending_proposals_are_reported(store: Store) -> None:
    publish(store, sheet(), as_of=DAY, now=NOW, parent=None, kind="import")
    start_run(
        store, key="w", flow="refresh-dataset", as_of=DAY, base_version=1, settings={}, now=NOW
    )
    record_check(store, "w", CHECKED, now=NOW)
    summary = {"cost_usd": "1.25", "seconds": 90.5, "checked": 7, "outcomes": {"failed": 2}}
    finish_run(store, "w", state="incomplete", summary={**summary, "left_due": 4}, now=NOW)
    start(store)  # another flow's run is not counted
    values = gauges(store)
    assert values["freshqa_version"] == 1
    assert values["freshqa_questions"] == len(sheet())
    assert values["freshqa_never_checked_questions"] == len(sheet()) - 1
    assert values["freshqa_pending_proposals"] == 1
    assert values["freshqa_oldest_pending_proposal_days"] == 3
    assert values["freshqa_last_refresh_cost_usd"] == values["freshqa_refresh_cost_usd_sum"] == 1.25
    assert values["freshqa_last_refresh_failed_questions"] == 2
    assert values["freshqa_last_refresh_left_due_questions"] == 4
    assert values["freshqa_last_refresh_seconds"] == 90.5
    assert values["freshqa_refreshes/incomplete"] == 1
