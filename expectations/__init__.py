"""Validation: custom Great Expectations rules and the two suites."""

from prefect_freshqa.expectations.later import import_later

# Great Expectations imports both for an expectation that is not used here: a third of the CPU of
# its import.
import_later("altair", "scipy.stats")
