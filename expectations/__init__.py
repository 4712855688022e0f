"""What must hold: custom Great Expectations rules and the two suites."""

from prefect_freshqa.expectations.later import import_later

# Great Expectations imports both for one expectation that is none of ours, and draws nothing here:
# a third of the CPU of its import.
import_later("altair", "scipy.stats")
