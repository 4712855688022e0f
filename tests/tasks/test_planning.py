"""The day of a refresh if `as_of` is not given."""

from __future__ import annotations

from datetime import timedelta

import pytest
from servers.gauges import RELEASED, make_store

from freshqa.errors import UsageError
from prefect_freshqa.tasks.planning import refresh_day


def test_a_clock_earlier_than_the_newest_version_is_refused(sqlite_url: str) -> None:
    store = make_store(sqlite_url, 1)
    earlier = RELEASED - timedelta(days=400)
    with pytest.raises(UsageError, match=f"says {earlier}, .* version 1, {RELEASED}"):
        refresh_day(store, None, today=earlier)
    assert refresh_day(store, earlier, today=earlier) == earlier  # somebody said so
    assert refresh_day(store, None, today=RELEASED - timedelta(days=1)) < RELEASED  # time zones
