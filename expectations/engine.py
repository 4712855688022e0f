"""Great Expectations' own engine, quiet and one validation at a time."""

from __future__ import annotations

import logging
import threading
import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from great_expectations.data_context import (
    EphemeralDataContext,
    project_manager,
    set_context,
)
from great_expectations.data_context.types.base import (
    DataContextConfig,
    InMemoryStoreBackendDefaults,
)
from great_expectations.datasource.fluent.interfaces import Batch
from great_expectations.exceptions import DataContextRequiredError

from prefect_freshqa.expectations.rule import Table

# The import of Great Expectations sends every later `warnings.warn` of the process to a logger.
logging.captureWarnings(False)

ONE_AT_A_TIME = threading.RLock()
"""Great Expectations keeps process-wide state: with eight threads on one data source, a quarter of
the validations judged another thread's frame. One at a time, each on a data source of its own."""


@contextmanager
def batch_of(table: Table) -> Iterator[Batch]:
    """The frame as a batch of its own data source, which is removed afterwards."""
    context = quiet_context()
    name = f"{table.name}-{uuid.uuid4().hex}"
    source = context.data_sources.add_pandas(name)
    frame = table.frame.copy(deep=False)
    try:
        asset = source.add_dataframe_asset(table.part)
        definition = asset.add_batch_definition_whole_dataframe(table.part)
        yield definition.get_batch({"dataframe": frame})
    finally:
        context.data_sources.delete(name)
        # a batch and its engine refer to each other: the frame would stay until Python looks for
        # such rings, which in a large process is seldom
        for column in tuple(frame):
            del frame[column]


def quiet_context(
    data_docs: Mapping[str, Mapping[str, Any]] | None = None,
) -> EphemeralDataContext:
    """A context in memory: no progress bars, no files except those of the given Data Docs sites.

    The process's own context, if it has one, stays in place.
    """
    defaults = InMemoryStoreBackendDefaults(init_temp_docs_sites=False)
    context = EphemeralDataContext(
        project_config=DataContextConfig(
            store_backend_defaults=defaults,
            progress_bars={"globally": False},
            analytics_enabled=False,
            data_docs_sites=dict(data_docs or {}),
        )
    )
    try:
        project_manager.get_current_project()
    except DataContextRequiredError:
        set_context(context)
    return context
