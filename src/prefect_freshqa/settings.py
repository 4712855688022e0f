"""The settings that are not flow parameters: where the store is, and where pages are written."""

import os
from pathlib import Path

from platformdirs import user_data_path

STORE_VARIABLE = "PREFECT_FRESHQA_STORE"
DATASET_VARIABLE = "PREFECT_FRESHQA_DATASET"
SNAPSHOTS_VARIABLE = "PREFECT_FRESHQA_SNAPSHOTS"
DATA_DOCS_VARIABLE = "PREFECT_FRESHQA_DATA_DOCS"
DATA_DOCS_URL_VARIABLE = "PREFECT_FRESHQA_DATA_DOCS_URL"
DESK_URL_VARIABLE = "PREFECT_FRESHQA_DESK_URL"


def default_store_url() -> str:
    """Return a SQLite file in the user's data directory."""
    return f"sqlite:///{user_data_path('prefect-freshqa') / 'freshqa.db'}"


def configured_store() -> str:
    """Return PREFECT_FRESHQA_STORE, a URL or the name of a block; else the default URL."""
    return os.environ.get(STORE_VARIABLE, "").strip() or default_store_url()


def configured_dataset() -> str:
    """Return the dataset of PREFECT_FRESHQA_DATASET, for a store given by URL; else `freshqa`."""
    return os.environ.get(DATASET_VARIABLE, "").strip() or "freshqa"


def snapshots_folder() -> Path:
    """The one folder that flows write snapshots to: PREFECT_FRESHQA_SNAPSHOTS, else user data."""
    configured = os.environ.get(SNAPSHOTS_VARIABLE, "").strip()
    return Path(configured) if configured else user_data_path("prefect-freshqa") / "snapshots"


def data_docs_folder() -> Path:
    """Where the Data Docs of refused drafts go: PREFECT_FRESHQA_DATA_DOCS, else user data."""
    configured = os.environ.get(DATA_DOCS_VARIABLE, "").strip()
    return Path(configured) if configured else user_data_path("prefect-freshqa") / "validations"


def data_docs_address(page: Path) -> str:
    """Address of a page: under PREFECT_FRESHQA_DATA_DOCS_URL if the folder is served, else a file."""
    served = os.environ.get(DATA_DOCS_URL_VARIABLE, "").strip().rstrip("/")
    if not served:
        return page.resolve().as_uri()
    return f"{served}/{page.resolve().relative_to(data_docs_folder().resolve()).as_posix()}"


def default_secret_file() -> Path:
    """Key that signs the cookies of the review desk, in the user's data directory."""
    return user_data_path("prefect-freshqa") / "desk.key"


def desk_address(page: str = "") -> str:
    """Address of a page of the review desk under PREFECT_FRESHQA_DESK_URL; "" when it is not set."""
    served = os.environ.get(DESK_URL_VARIABLE, "").strip().rstrip("/")
    return f"{served}/{page}" if served else ""


def where_to_review() -> str:
    """Return where proposals are reviewed: the queue of the review desk, else the command."""
    return desk_address("queue") or "prefect-freshqa review list"


def prefect_ui_url() -> str:
    """Address of the Prefect UI: PREFECT_UI_URL, else beside PREFECT_API_URL; "" for none."""
    given = os.environ.get("PREFECT_UI_URL", "").strip()
    api = os.environ.get("PREFECT_API_URL", "").strip().rstrip("/")
    return (given or api.removesuffix("/api")).rstrip("/")
