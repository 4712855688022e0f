"""Hashes of a version: the same data, and the same history, wherever they are kept."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from datetime import date
from itertools import chain

from freshqa.dataset.question import Question

NO_PARENT = ""


def content_hash(questions: Sequence[Question]) -> str:
    """Hash of rows in their order, in hex: equal for any file or database that holds them.

    Covers position and the official fields; not our keys, and not the sheet's `id`, which is only
    a row number.
    """
    return root_hash(question.revision_hash for question in questions)


def root_hash(revision_hashes: Iterable[str]) -> str:
    """`content_hash` from the revision hashes alone, in order of position."""
    whole = hashlib.sha256(b"fq1-root\0")
    for position, digest in enumerate(revision_hashes):
        whole.update(f"{position}\t{digest}\n".encode("ascii"))
    return whole.hexdigest()


def chain_hash(parent: str, root: str, as_of: date, keys: Iterable[str]) -> str:
    """Hash of a version and everything before it, in hex: equal only for the same history.

    Args:
        parent: Chain hash of the parent, or `NO_PARENT`.
        root: Content hash of this version.
        as_of: The day that the content describes.
        keys: Our keys, in order of position.
    """
    whole = hashlib.sha256(b"fq1-chain\0")
    for line in chain((parent, root, as_of.isoformat()), keys):
        whole.update(f"{line}\n".encode())
    return whole.hexdigest()
