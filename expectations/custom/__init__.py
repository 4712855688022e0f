"""Custom expectations for any question dataset: importing this package registers them all.

Each is declared once, beside the rules of our suites that use it.
"""

from __future__ import annotations

from prefect_freshqa.expectations.custom import (
    answers,
    changes,
    reviews,
    schedule_changes,
    sources,
    texts,
    together,
)

DECLARED = tuple(
    thing
    for module in (texts, answers, sources, reviews, together, changes, schedule_changes)
    for name, thing in vars(module).items()
    if name.startswith("Expect") and thing.__module__ == module.__name__
)
"""Every expectation class, in the order of the documentation."""
