"""The names of the flows of this package on a Prefect server."""

from __future__ import annotations

TAG = "freshqa"
"""Tag of every run of this package, set by the deployments of `prefect.yaml` and the command line."""
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
