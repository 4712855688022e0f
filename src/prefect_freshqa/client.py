"""Versions from a server of `prefect-freshqa serve`: verified, cached by hash, usable offline."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlsplit

from platformdirs import user_cache_path

from freshqa.dataset.dialect import Dialect
from freshqa.dataset.question import FIELD_COLUMNS, Question, packed
from freshqa.dataset.whole_file import write_whole
from freshqa.errors import BadData, ProviderError, StoreError, UsageError
from freshqa.store.verifying import content_hash as hash_of_rows
from prefect_freshqa.blocks.http_calls import shown_address
from prefect_freshqa.remote import get

if TYPE_CHECKING:
    import pandas


@dataclass(frozen=True)
class RemoteVersion:
    """A verified version of a server.

    Args:
        described: What the server says of it, as `show --json` prints it.
        questions: Its rows.
        cached: Whether the rows came from the cache.
        offline: Whether the server did not answer, so that the name may mean another version now.
    """

    described: Mapping[str, Any]
    questions: tuple[Question, ...]
    cached: bool
    offline: bool

    @property
    def number(self) -> int:
        """Number of the version."""
        return int(self.described["version"])

    @property
    def content_hash(self) -> str:
        """Content hash of the version, which its rows have."""
        return str(self.described["content_hash"])

    @property
    def dialect(self) -> Dialect | None:
        """The dialect of the imported file; None when there was none."""
        record = self.described.get("dialect")
        return Dialect.from_json(record) if record else None


def fetch(
    url: str,
    version: int | str | date | None = None,
    *,
    content_hash: str = "",
    cache: Path | None = None,
) -> RemoteVersion:
    """Return a version of a server, its content hash verified.

    Args:
        url: Address of the server.
        version: Number, tag, or date (the last version up to that day); the newest when not given.
        content_hash: The hash that the version must have; with it, a cached version needs no server.
        cache: Folder for verified rows; by default in the user's cache directory.

    Raises:
        UsageError: not an HTTP(S) URL.
        NotFound: no such version.
        ProviderError: the server does not answer and the version is not in the cache.
        BadData: the rows do not have the hash of the version.
    """
    base = _base(url)
    folder = cache or user_cache_path("prefect-freshqa") / "versions"
    name = "latest" if version is None else str(version)
    remembered = folder / f"{hashlib.sha256(f'{base} {name}'.encode()).hexdigest()[:32]}.json"
    described: Mapping[str, Any] | None
    try:
        described, offline = _describe(base, name), False
    except ProviderError:
        described, offline = _read_json(remembered), True
        if described is None:
            raise
    wanted = str(described.get("content_hash", ""))
    _refuse_other(f"{base} version {name}", wanted, content_hash)
    questions = _cached(folder, wanted)
    cached = questions is not None
    if questions is None:
        address = f"{base}/v1/versions/{described['version']}.jsonl"
        questions = read_rows(get(address), address)
        verify(questions, described, address)
        _keep(folder / f"{wanted}.jsonl", _lines(questions))
    if not offline:
        _keep(remembered, json.dumps(described).encode())
    return RemoteVersion(described, questions, cached, offline)


def load_url(
    url: str, version: int | str | date | None = None, *, content_hash: str = ""
) -> pandas.DataFrame:
    """`fetch` as a DataFrame in the shape of `freshqa.load`; raises what `fetch` raises."""
    import pandas

    remote = fetch(url, version, content_hash=content_hash)
    columns: dict[str, Sequence[Any]] = {"id": range(len(remote.questions))}
    for column in FIELD_COLUMNS:
        columns[column] = [question.fields[column] for question in remote.questions]
    columns["key"] = [question.key for question in remote.questions]
    if any(question.attributes for question in remote.questions):
        columns["attributes"] = [question.attributes for question in remote.questions]
    frame = pandas.DataFrame(columns)
    frame.attrs = {
        "version": remote.number,
        "as_of": remote.described["as_of"],
        "content_hash": remote.content_hash,
    }
    return frame


def verify(questions: Sequence[Question], described: Mapping[str, Any], source: str) -> None:
    """Refuse rows that do not have the content hash of their version.

    Raises:
        BadData: they do not.
    """
    wanted, actual = described.get("content_hash"), hash_of_rows(questions)
    if actual == wanted:
        return
    if described.get("redacted") and actual == described.get("rows_hash"):
        raise BadData(
            f"{source}: text was removed from version {described['version']} by request, so its "
            f"rows have the hash {actual} and not {wanted}.",
            "Use another version.",
        )
    raise BadData(
        f"{source}: the rows have the content hash {actual}, but version "
        f"{described.get('version')} has {wanted}; nothing was cached.",
        "Try again. If the error persists, contact the operator of the server.",
    )


def read_rows(body: bytes, source: str) -> tuple[Question, ...]:
    """Return the questions of a JSON lines file of a server.

    Raises:
        BadData: not such a file.
    """
    questions = []
    for number, line in enumerate(body.split(b"\n"), start=1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
            fields = {column: record[column] for column in FIELD_COLUMNS}
            if not all(isinstance(text, str) for text in (*fields.values(), record["key"])):
                raise ValueError
        except (ValueError, KeyError, TypeError):
            raise BadData(
                f"{source}, line {number}: not a row of a version.", "Try again."
            ) from None
        questions.append(Question(fields, record["key"], packed(record.get("attributes") or {})))
    return tuple(questions)


def _base(url: str) -> str:
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.netloc:
        raise UsageError(f"{url} is not a valid HTTP(S) URL.", "Use https://HOST.")
    return f"{parts.scheme}://{parts.netloc}{parts.path.partition('/v1')[0].rstrip('/')}"


def _describe(base: str, name: str) -> Mapping[str, Any]:
    address = f"{base}/v1/versions/{quote(name)}"
    try:
        record = json.loads(get(address))
    except ValueError:
        record = None
    if not isinstance(record, dict) or not {"version", "content_hash"} <= record.keys():
        raise BadData(f"{address} does not describe a version.", "Check the address of the server.")
    return record


def _refuse_other(what: str, actual: str, wanted: str) -> None:
    if wanted and actual != wanted:
        raise BadData(
            f"{shown_address(what)} has the content hash {actual}, not {wanted}.",
            "Check the version, or leave the hash out.",
        )


def _cached(folder: Path, hash: str) -> tuple[Question, ...] | None:
    """Return the rows with a content hash, verified again; None when they are not in the cache."""
    if not hash.isalnum():
        return None
    try:
        rows = read_rows((folder / f"{hash}.jsonl").read_bytes(), str(folder))
    except (OSError, BadData):
        return None
    return rows if hash_of_rows(rows) == hash else None


def _keep(file: Path, body: bytes) -> None:
    """A cache that cannot be written only causes another download."""
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        write_whole(body, file)
    except (OSError, StoreError):
        return


def _lines(questions: Sequence[Question]) -> bytes:
    records = (
        {**question.fields, "key": question.key, "attributes": question.extra}
        for question in questions
    )
    return "".join(f"{json.dumps(record, ensure_ascii=False)}\n" for record in records).encode()


def _read_json(file: Path) -> Mapping[str, Any] | None:
    try:
        record = json.loads(file.read_bytes())
    except (OSError, ValueError):
        return None
    return record if isinstance(record, dict) and "version" in record else None
