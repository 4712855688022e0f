"""The weekly copy of the store, restored and verified."""

from __future__ import annotations

import os
from datetime import datetime, timezone
from pathlib import Path
from typing import Any

from prefect import flow

from prefect_freshqa.settings import configured_store
from prefect_freshqa.tasks.backing_up import back_up


@flow(name="back-up-store", flow_run_name="back up the store")
def back_up_store(folder: str = "backups", keep: int = 8) -> dict[str, Any]:
    """Copy the store of PREFECT_FRESHQA_STORE, restore the copy elsewhere, verify every version.

    The database of the Prefect server is included if the worker knows its address
    (PREFECT_API_DATABASE_CONNECTION_URL).

    Args:
        folder: Where the copies go, on the worker.
        keep: How many stay.

    Returns:
        The files, and how many versions verified.

    Raises:
        StoreError: the copy does not verify; the run fails and the copy is deleted.
    """
    return back_up(
        configured_store(),
        Path(folder),
        now=datetime.now(timezone.utc),
        prefect_database=os.environ.get("PREFECT_API_DATABASE_CONNECTION_URL", ""),
        keep=keep,
    )
