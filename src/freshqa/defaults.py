"""Defaults and limits that the command line, the settings of flows and the domain share."""

from __future__ import annotations

REUSE_DAYS = 6
"""Age in days up to which a recorded search or completion is reused: less than the week between two
refreshes, so that each of them searches anew."""
NEXT_REFRESH_DAYS = 7
"""Days until the next refresh, where neither settings nor a schedule say so."""
MAX_ROUNDS = 10
"""Upper limit for the rounds of verification and revision of a question."""
MAX_PAGES = 10
"""Upper limit for the pages that are read of a search."""
CERTIFICATE_DAYS = 90
"""Days until a certificate of a model, or of automatic acceptance, expires."""
TESTBED_QUESTIONS = 100
"""Questions of a testbed: how many are sampled of an existing one, and written to a new one."""
MAX_AT_ONCE = 256
"""Upper limit for the questions, responses or calls that are in flight at the same time."""
