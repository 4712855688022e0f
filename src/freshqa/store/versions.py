"""Everything one does with versions, by name."""

from __future__ import annotations

from freshqa.store.finding import find, head, log
from freshqa.store.hashing import content_hash
from freshqa.store.history import Revision, aliases, history
from freshqa.store.publishing import publish
from freshqa.store.snapshots import original, snapshot
from freshqa.store.version_info import VersionInfo

__all__ = [
    "Revision",
    "VersionInfo",
    "aliases",
    "content_hash",
    "find",
    "head",
    "history",
    "log",
    "original",
    "publish",
    "snapshot",
]
