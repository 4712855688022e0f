"""A seeded sample of pending proposals for a second annotator."""

from __future__ import annotations

import random
from collections import defaultdict
from collections.abc import Sequence
from typing import TypeVar

from freshqa.errors import UsageError
from freshqa.maintaining.review_sheet import Pending

P = TypeVar("P", bound=Pending)


def review_sample(pending: Sequence[P], size: int, *, seed: int) -> list[P]:
    """Return `size` proposals, outcomes in proportion, in the order in which they were given.

    Args:
        pending: What waits for a decision.
        size: How many to draw; all of them when there are fewer.
        seed: The same seed draws the same of the same proposals, whatever their order.

    Raises:
        UsageError: A size below one.
    """
    if size < 1:
        raise UsageError(f"Invalid value for --sample: {size}.", "Expected at least 1.")
    groups: dict[str, list[P]] = defaultdict(list)
    for item in sorted(pending, key=lambda item: item.id):
        groups[item.proposal.outcome.value].append(item)
    drawn = []
    for outcome, members in sorted(groups.items()):
        random.Random(f"{seed} {outcome}").shuffle(members)
        drawn += [((i + 0.5) / len(members), member.id) for i, member in enumerate(members)]
    chosen = {id for _, id in sorted(drawn)[:size]}
    return [item for item in pending if item.id in chosen]
