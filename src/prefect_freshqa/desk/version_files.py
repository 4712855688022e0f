"""Versions as files, cached in memory."""

from __future__ import annotations

import gzip
import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from freshqa.dataset.citation import Citation
from freshqa.dataset.writing import write_release
from freshqa.store import snapshots, verifying, versions
from freshqa.store.database import Store
from freshqa.store.versions import VersionInfo

MAX_BYTES = 256_000_000
"""Maximum size of the kept files in bytes; the least recently used are dropped."""
FRESH_SECONDS = 60.0
"""Age at which a file is read again: rows may have been redacted since."""
TEXT = ("csv", "jsonl", "official")
MEDIA_TYPES = {
    "csv": "text/csv; charset=utf-8",
    "official": "text/csv; charset=utf-8",
    "jsonl": "application/x-ndjson",
    "parquet": "application/vnd.apache.parquet",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
}


@dataclass(frozen=True)
class VersionFile:
    """A version in one format.

    Args:
        info: The version; its tags are left out, because they move.
        rows_hash: Content hash of the rows as they are now. It differs from that of the version
            once a row has been redacted.
        body: The bytes that `pull` writes.
        packed: The same with gzip; b"" for formats that are compressed themselves.
    """

    info: VersionInfo
    format: str
    rows_hash: str
    body: bytes = field(repr=False)
    packed: bytes = field(repr=False)
    read_at: float

    @property
    def redacted(self) -> bool:
        """Whether the rows differ from those that were published."""
        return self.rows_hash != self.info.content_hash


class VersionFiles:
    """Files of versions; thread-safe."""

    def __init__(
        self,
        store: Store,
        *,
        max_bytes: int = MAX_BYTES,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._store, self._max_bytes, self._clock = store, max_bytes, clock
        self._files: OrderedDict[tuple[int, str], VersionFile] = OrderedDict()
        self._bytes = 0
        self._lock = threading.Lock()
        self._writing = threading.Lock()

    def kept(self, number: int, format: str) -> VersionFile | None:
        """Return the file if it is in memory and fresh."""
        with self._lock:
            file = self._files.get((number, format))
            if file is None or self._clock() - file.read_at > FRESH_SECONDS:
                return None
            self._files.move_to_end((number, format))
            return file

    def file(self, number: int, format: str) -> VersionFile:
        """Return the file of a version; written once however many ask for it at the same time.

        Raises:
            NotFound: no such version.
            UsageError: unknown format, or Parquet without pyarrow.
            BadData: the format cannot hold a text of the version.
        """
        with self._writing:
            kept = self.kept(number, format)
            return kept if kept is not None else self._keep(self._write(number, format))

    def _write(self, number: int, format: str) -> VersionFile:
        info = replace(versions.find(self._store, number=number), tags=())
        rows = snapshots.snapshot(self._store, number)
        metadata = Citation.of(info.to_json(), dataset=self._store.dataset).metadata()
        own = info.dialect if format == "official" else None  # programs rely on our columns
        body = write_release(rows, format, dialect=own, metadata=metadata)
        packed = gzip.compress(body, 6, mtime=0) if format in TEXT else b""
        rows_hash = verifying.content_hash(rows)
        return VersionFile(info, format, rows_hash, body, packed, self._clock())

    def _keep(self, file: VersionFile) -> VersionFile:
        with self._lock:
            old = self._files.pop((file.info.number, file.format), None)
            self._files[file.info.number, file.format] = file
            self._bytes += _size(file) - (_size(old) if old else 0)
            while self._bytes > self._max_bytes and len(self._files) > 1:
                _, dropped = self._files.popitem(last=False)
                self._bytes -= _size(dropped)
        return file


def _size(file: VersionFile) -> int:
    return len(file.body) + len(file.packed)
