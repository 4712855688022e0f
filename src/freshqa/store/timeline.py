"""The timeline of a store: its versions and its checks."""

from __future__ import annotations

from datetime import date
from itertools import accumulate

from freshqa.maintaining.timeline import Edition, Timeline, timeline
from freshqa.store.change_history import days_checked
from freshqa.store.database import Store
from freshqa.store.finding import log
from freshqa.store.snapshots import snapshot
from freshqa.store.spending import costs_by_week


def read_timeline(store: Store, *, until: date, most_rows: int | None = None) -> Timeline:
    """Changes, staleness and cost of a dataset, from its first version to a day.

    Args:
        until: The last day to look at.
        most_rows: Only the newest versions, as many as have this many rows together; all versions
            when not given.
    """
    newest_first = log(store)
    if most_rows is not None:
        totals = accumulate(one.rows for one in newest_first)
        newest_first = newest_first[: sum(total <= most_rows for total in totals)]
    editions = [
        Edition(one.number, one.as_of, one.kind == "import", snapshot(store, one.number))
        for one in reversed(newest_first)
    ]
    return timeline(editions, days_checked(store), until=until, costs=costs_by_week(store))
