"""A version of the store with what its shared files say of it."""

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
    store: Store, found: VersionInfo, *, license: str, canary: bool = False
) -> SharedVersion:
    """Return a version for its way out.

    Raises:
        Refused: the rows are no longer those of its content hash, because some were redacted.
    """
    questions = snapshots.snapshot(store, found.number)
    if verifying.content_hash(questions) != found.content_hash:
        raise Refused(
            f"Version {found.number} was redacted: its rows do not have its content hash.",
            "Share a later version.",
        )
    earlier = [one for one in versions.log(store) if one.number <= found.number]
    before = earlier[1].number if len(earlier) > 1 else None
    return SharedVersion(
        citation=Citation.of(found.to_json(), dataset=store.dataset),
        questions=questions,
        license=license,
        editions=[
            Edition(one.number, one.as_of, one.rows, one.content_hash, one.message)
            for one in earlier
        ],
        changes=None if before is None else diff(store, before, found.number),
        canary=canary_of(found.chain_hash) if canary else "",
    )
