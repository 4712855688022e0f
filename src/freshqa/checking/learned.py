"""Learned policies from a file of weights."""

from __future__ import annotations

import json
from pathlib import Path

from freshqa.checking.fitted import FittedPolicy
from freshqa.checking.policy import LEARNED_POLICIES, Policy, fixed_policy
from freshqa.checking.reinforce import ReinforcePolicy
from freshqa.errors import BadData, NotFound, UsageError


def load_policy(name: str, weights: str | Path | None = None) -> Policy:
    """Return a policy by name; a learned one with the file that its `to_json` was written to.

    Raises:
        UsageError: No such policy, or a learned one without a file.
        NotFound: The file does not exist.
        BadData: The file holds no weights of that policy.
    """
    if name not in LEARNED_POLICIES:
        return fixed_policy(name)
    if weights is None:
        raise UsageError(
            f"Policy {name!r} needs a weights file.", "Pass the path of the weights file."
        )
    path = Path(weights)
    if not path.is_file():
        raise NotFound(
            f"Weights file of policy {name!r} not found: {path}.",
            "Fit the policy first: prefect-freshqa learn.",
        )
    try:
        record = json.loads(path.read_text(encoding="utf-8"))
        if record["policy"] != name:
            raise KeyError(record["policy"])
        kind = FittedPolicy if name == "fitted" else ReinforcePolicy
        return kind.from_json(record)
    except (ValueError, KeyError, TypeError) as broken:
        raise BadData(
            f"{path} is not a weights file of policy {name!r} ({broken}).", "Fit the policy again."
        ) from broken
