"""Make one search and one completion to check that they work, and time them."""

from __future__ import annotations

import time
from datetime import datetime, timezone

from freshqa.answering.language_model import Message
from prefect_freshqa.blocks.resolve import load_model, load_search_engine

QUESTION = "Who is the president of France?"
CALLS = 1_200
"""Replies of a weekly refresh of 600 questions, about two each."""
AT_ONCE = 16
"""The default of `--concurrency`."""
SLOW = 5.0
"""Seconds of one reply from which on a server probably has one or few slots."""


def probe_search(spec: str) -> str:
    """Search once; what came back.

    Raises:
        FreshQAError: it does not work.
    """
    engine = load_search_engine(spec)
    if engine is None:
        return f"{spec}: answered from the ledger"
    began = time.monotonic()
    result = engine.search(QUESTION, as_of=datetime.now(timezone.utc).date())
    seconds = time.monotonic() - began
    return f"{spec}: one search in {seconds:.1f} s, {len(result.body)} sections, ${result.cost_usd}"


def probe_model(spec: str) -> str:
    """Complete once; how long it took, and what follows for concurrency and time.

    Raises:
        FreshQAError: it does not work.
    """
    model = load_model(spec)
    if model is None:
        return f"{spec}: answered from the ledger"
    began = time.monotonic()
    reply = model.complete([Message("user", QUESTION)], question=QUESTION, max_tokens=256)
    seconds = time.monotonic() - began
    return (
        f"{spec}: one reply in {seconds:.1f} s, {reply.usage.total} tokens, ${reply.cost_usd}. "
        f"{advice(seconds)}"
    )


def advice(seconds: float) -> str:
    """Return advice on `--concurrency`, and the time of a weekly refresh, from the time of one reply."""
    alone, together = (seconds * CALLS / n / 3600 for n in (1, AT_ONCE))
    if seconds > SLOW:
        return (
            f"With one slot, --concurrency 1 is as fast as more, and {CALLS} replies take "
            f"{alone:.1f} h; with {AT_ONCE} slots, --concurrency {AT_ONCE} takes {together:.1f} h."
        )
    return f"--concurrency {AT_ONCE}: {CALLS} replies in {60 * together:.0f} minutes."
