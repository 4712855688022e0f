"""The names of the flows of this package on a Prefect server."""

from __future__ import annotations

from prefect.context import TagsContext

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


def untagged() -> TagsContext:
    """Return a context whose tasks do not have the tags of the flow run.

    For each tag of a task, Prefect asks its server for a free slot before the task, and waits for two
    seconds or more when the server's SQLite database is busy just then.
    """
    return TagsContext(current_tags=set())
