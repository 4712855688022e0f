"""Everything one does with versions, by name."""

from __future__ import annotations

from freshqa.store.differences import diff
from freshqa.store.finding import find, head, log
from freshqa.store.hashing import content_hash
from freshqa.store.history import Revision, aliases, history
from freshqa.store.publishing import publish
from freshqa.store.redacting import Redaction, redact
from freshqa.store.rolling_back import rollback
from freshqa.store.snapshots import original, snapshot
from freshqa.store.tagging import tag
from freshqa.store.verifying import Verification, verify
from freshqa.store.version_info import VersionInfo

__all__ = [
    "Redaction",
    "Revision",
    "Verification",
    "VersionInfo",
    "aliases",
    "content_hash",
    "diff",
    "find",
    "head",
    "history",
    "log",
    "original",
    "publish",
    "redact",
    "rollback",
    "snapshot",
    "tag",
    "verify",
]
