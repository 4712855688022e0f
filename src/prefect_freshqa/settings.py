"""The one setting that is not a flow parameter: where the store is."""

import os

from platformdirs import user_data_path

STORE_VARIABLE = "PREFECT_FRESHQA_STORE"


def default_store_url() -> str:
    """A SQLite file in the user's data directory."""
    return f"sqlite:///{user_data_path('prefect-freshqa') / 'freshqa.db'}"


def configured_store() -> str:
    """What PREFECT_FRESHQA_STORE says: a URL or the name of a block; else the default URL."""
    return os.environ.get(STORE_VARIABLE, "").strip() or default_store_url()
