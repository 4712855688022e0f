"""The names of our flows on a Prefect server."""

from __future__ import annotations

TAG = "freshqa"
"""On every run of ours: the deployments of `prefect.yaml` and the command line set it."""
REFRESH = "refresh-dataset"
FLOWS = (
    REFRESH,
    "review-proposals",
    "publish-release",
    "import-release",
    "pull-snapshot",
    "evaluate-model",
    "qualify-model",
    "back-up-store",
)
