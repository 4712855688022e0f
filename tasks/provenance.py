"""Where data came from, as assets of Prefect: release → version → snapshot.

Prefect writes an event for every asset that a task makes, with the assets that it was made from.
The open-source server keeps them among its events; Prefect Cloud draws them as a graph. What the
store itself knows of a version's past does not depend on either.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any, ParamSpec, TypeVar

from prefect.assets import Asset, AssetProperties, add_asset_metadata, materialize
from prefect.cache_policies import NO_CACHE

from freshqa.store.database import Store
from freshqa.store.versions import VersionInfo

MADE_BY = "prefect-freshqa"
NOT_IN_A_KEY = re.compile(r"[^A-Za-z0-9._-]+")
"""Prefect forbids most of these characters in the key of an asset."""
P = ParamSpec("P")
R = TypeVar("R")


def version_asset(store: Store, number: int) -> Asset:
    """Return a version of the dataset."""
    return _asset(store, "versions", str(number), f"{store.dataset}, version {number}")


def release_asset(store: Store, name: str) -> Asset:
    """Return a file that a version was imported from."""
    return _asset(store, "releases", name, f"{store.dataset}, release {name}")


def snapshot_asset(store: Store, name: str) -> Asset:
    """Return a file that a version was written to."""
    return _asset(store, "snapshots", name, f"{store.dataset}, snapshot {name}")


def with_provenance(
    asset: Asset, step: Callable[P, R], *, name: str, of: Sequence[Asset] = ()
) -> Callable[P, R]:
    """Return a step as the task that makes an asset of other assets.

    Args:
        of: What it is made from.
    """
    task: Callable[P, R] = materialize(
        asset, by=MADE_BY, name=name, asset_deps=list(of), cache_policy=NO_CACHE
    )(step)
    return task


def describe_version(store: Store, asset: Asset, version: VersionInfo, **more: Any) -> None:
    """Put into the event of an asset which version it holds; inside the task that makes it."""
    add_asset_metadata(
        asset,
        {
            "dataset": store.dataset,
            "version": version.number,
            "as_of": version.as_of.isoformat(),
            "questions": version.rows,
            "content_hash": version.content_hash,
            **more,
        },
    )


def _asset(store: Store, kind: str, name: str, shown: str) -> Asset:
    dataset, last = (NOT_IN_A_KEY.sub("-", text)[:200] or "-" for text in (store.dataset, name))
    return Asset(
        key=f"freshqa://{dataset}/{kind}/{last}", properties=AssetProperties(name=shown[:500])
    )
