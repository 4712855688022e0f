"""The feed of versions (JSON Feed 1.1)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from freshqa.store.changes import diff
from freshqa.store.database import Store
from freshqa.store.versions import VersionInfo


def feed(store: Store, page: Sequence[VersionInfo], *, base: str, more: bool) -> dict[str, Any]:
    """Return a page of the feed: versions, each with what it changed in its parent.

    Args:
        page: Versions, newest first.
        base: Address of the server.
        more: Whether there are earlier versions.
    """
    document: dict[str, Any] = {
        "version": "https://jsonfeed.org/version/1.1",
        "title": f"{store.dataset}: versions",
        "home_page_url": base,
        "feed_url": f"{base}/v1/feed",
        "items": [_item(store, version, base) for version in page],
    }
    if more:
        document["next_url"] = f"{base}/v1/feed?before={page[-1].number}"
    return document


def _item(store: Store, info: VersionInfo, base: str) -> dict[str, Any]:
    changes = diff(store, info.parent, info.number).to_json() if info.parent else None
    return {
        "id": f"{info.chain_hash}",
        "url": f"{base}/v1/versions/{info.number}",
        "title": f"Version {info.number}",
        "content_text": info.message or f"{info.rows} questions as of {info.as_of}",
        "date_published": info.published_at.isoformat(),
        "tags": list(info.tags),
        "_freshqa": {**info.to_json(), "diff": changes},
    }
