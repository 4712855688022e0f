"""Publish what people accepted: draft, validate, one immutable version."""

from __future__ import annotations

from datetime import date
from typing import Any

from prefect import flow

from freshqa.errors import NothingToDo
from prefect_freshqa.blocks.resolve import load_store
from prefect_freshqa.publication import publication_record
from prefect_freshqa.tasks.flow_names import untagged
from prefect_freshqa.tasks.opaque import opaque
from prefect_freshqa.tasks.parameters import NoSecret
from prefect_freshqa.tasks.pictures import show_timeline
from prefect_freshqa.tasks.publishing import make_draft, publish_version, validate_draft
from prefect_freshqa.tasks.run_states import harmless


@flow(name="publish-release", flow_run_name="publish accepted proposals")
def publish_release(message: str = "", store: NoSecret = "", as_of: date | None = None) -> Any:
    """Turn every accepted proposal into the next version, if both expectation suites allow it.

    Args:
        message: What the version is about, for its log entry.
        store: Name of a FreshQAStore block. Empty: PREFECT_FRESHQA_STORE, else the user's own file.
        as_of: Date of the content. Default: the day that the newest proposal was checked for.

    Returns:
        The version and its validation, in the shape of `prefect-freshqa publish --json`.

    Raises:
        NothingToDo: no proposal is accepted and unpublished. Under a deployment the run ends in the
            state `NothingToDo` instead, a kind of `Completed`.
        Refused: validation found errors that the base did not have.
        Conflict: another process published first, or a base row has changed.
    """
    opened = load_store(store)
    with untagged():
        draft = make_draft(opened)
        day = as_of or draft.checked_on
        try:
            draft.require_proposals()
        except NothingToDo as nothing:
            return harmless("NothingToDo", nothing)
        report = validate_draft(opened, opaque(draft), as_of=day, run="")
        version = publish_version(opened, draft, report, as_of=day, message=message, run="")
    show_timeline(opened, until=version.as_of)
    return publication_record(version, draft, report)
