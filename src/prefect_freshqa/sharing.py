"""A version of the store with the description that its shared files carry."""

from __future__ import annotations

from freshqa.dataset.canary import canary as canary_of
from freshqa.dataset.citation import Citation
from freshqa.errors import Refused
from freshqa.sharing.shared_version import Edition, SharedVersion
from freshqa.store import snapshots, verifying, versions
from freshqa.store.changes import diff
from freshqa.store.database import Store
from freshqa.store.versions import VersionInfo


def shared_version(
    store: Store, version: VersionInfo, *, license: str, canary: bool = False
) -> SharedVersion:
    """Return a version to be shared.

    Raises:
        Refused: the rows are no longer those of its content hash, because some were redacted.
    """
    questions = snapshots.snapshot(store, version.number)
    if verifying.content_hash(questions) != version.content_hash:
        raise Refused(
            f"Version {version.number} was redacted: its rows do not have its content hash.",
            "Share a later version.",
        )
    earlier = [info for info in versions.log(store) if info.number <= version.number]
    before = earlier[1].number if len(earlier) > 1 else None
    return SharedVersion(
        citation=Citation.of(version.to_json(), dataset=store.dataset),
        questions=questions,
        license=license,
        editions=[
            Edition(info.number, info.as_of, info.rows, info.content_hash, info.message)
            for info in earlier
        ],
        changes=None if before is None else diff(store, before, version.number),
        canary=canary_of(version.chain_hash) if canary else "",
    )
