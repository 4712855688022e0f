"""The read-only API under `/v1`: versions, their files, what changed, and the feed."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from freshqa.errors import NotFound
from freshqa.store import changes, versions
from freshqa.store.database import Store
from freshqa.store.history import history as revisions
from freshqa.store.versions import VersionInfo, named_version, reference
from prefect_freshqa.cli.commands.history import describe
from prefect_freshqa.desk.conditional import IMMUTABLE, REVALIDATE, file_response, json_response
from prefect_freshqa.desk.feed import feed
from prefect_freshqa.desk.openapi import document
from prefect_freshqa.desk.version_files import MEDIA_TYPES, VersionFile, VersionFiles

FEED_PAGE = 20


def routes() -> list[Route]:
    """Return every route of the API."""
    return [
        Route("/v1", service),
        Route("/v1/openapi.json", openapi),
        Route("/v1/versions", list_versions),
        Route("/v1/versions/{name:path}", version),
        Route("/v1/diff/{old}/{new}", diff),
        Route("/v1/questions/{key}/history", history),
        Route("/v1/feed", version_feed),
    ]


def store_of(request: Request) -> Store:
    """Return the store that the server serves."""
    store: Store = request.app.state.store
    return store


def base_url(request: Request) -> str:
    """Return the address of the server as the client used it, without a final slash."""
    return str(request.base_url).rstrip("/")


def service(request: Request) -> Response:
    """List the resources under `/v1`."""
    here = f"{base_url(request)}/v1"
    links = {name: f"{here}/{name}" for name in ("versions", "feed", "openapi.json")}
    return json_response(request, {"dataset": store_of(request).dataset, **links})


def openapi(request: Request) -> Response:
    """Return the OpenAPI document of the API."""
    return json_response(request, document(base_url(request)), cache="public, max-age=3600")


def list_versions(request: Request) -> Response:
    """Return every version, newest first."""
    published = versions.log(store_of(request))
    return json_response(request, {"versions": [info.to_json() for info in published]})


async def version(request: Request) -> Response:
    """Return a version as a file if its name ends in a format, else its metadata."""
    name, format = split_name(request.path_params["name"])
    if not format:
        return await run_in_threadpool(metadata, request, name)
    files: VersionFiles = request.app.state.files
    kept = files.kept(int(name), format) if name.isdecimal() else None
    if kept is None:
        kept = await run_in_threadpool(_file, request, name, format)
    return _send(request, kept, pinned=name.isdecimal())


def split_name(name: str) -> tuple[str, str]:
    """Return the name of a version and the format after its last dot; "" where there is none."""
    stem, _, ending = name.rpartition(".")
    return (stem, ending) if stem and ending in MEDIA_TYPES else (name, "")


def metadata(request: Request, name: str) -> Response:
    """Return the metadata of a version."""
    info = named_version(store_of(request), name)
    files: VersionFiles = request.app.state.files
    return json_response(request, described(request, info, files.file(info.number, "jsonl")))


def described(request: Request, info: VersionInfo, file: VersionFile) -> dict[str, Any]:
    """The JSON of a version: as `show` prints it, with what a client needs to verify and write it."""
    here = f"{base_url(request)}/v1/versions/{info.number}"
    return {
        **info.to_json(),
        "dialect": info.dialect.to_json() if info.dialect else None,
        "rows_hash": file.rows_hash,
        "redacted": file.redacted,
        "files": {format: f"{here}.{format}" for format in MEDIA_TYPES},
    }


def diff(request: Request) -> Response:
    """Return what changed from one version to another, as `diff --json` prints it."""
    store = store_of(request)
    names = request.path_params["old"], request.path_params["new"]
    old, new = (named_version(store, name) for name in names)
    difference = changes.diff(store, old.number, new.number)
    pinned = all(name.isdecimal() for name in names)
    return json_response(
        request,
        {"from": old.number, "to": new.number, **difference.to_json()},
        cache="public, max-age=86400" if pinned else REVALIDATE,
    )


def history(request: Request) -> Response:
    """Return every revision of a question, oldest first; who decided on it is left out."""
    key = request.path_params["key"]
    steps = revisions(store_of(request), key)
    told = [describe(step, before) for step, before in zip(steps, [None, *steps[:-1]], strict=True)]
    for revision in told:
        if revision["proposal"] and revision["proposal"]["decision"]:
            del revision["proposal"]["decision"]["by"]
    return json_response(
        request, {"key": key, "question": steps[-1].question.text, "revisions": told}
    )


def version_feed(request: Request) -> Response:
    """Return the newest versions with what each changed; `?before=N` for earlier ones."""
    store = store_of(request)
    published = versions.log(store)
    before = request.query_params.get("before", "")
    if before:
        if not before.isdecimal():
            raise NotFound(f"Invalid value for before: {before!r}.", "Use a version number.")
        published = tuple(info for info in published if info.number < int(before))
    page = feed(
        store, published[:FEED_PAGE], base=base_url(request), more=len(published) > FEED_PAGE
    )
    return json_response(request, page, media_type="application/feed+json")


def _file(request: Request, name: str, format: str) -> VersionFile:
    files: VersionFiles = request.app.state.files
    number = reference(name).get("number")
    if number is None:
        number = named_version(store_of(request), name).number
    return files.kept(number, format) or files.file(number, format)


def _send(request: Request, file: VersionFile, *, pinned: bool) -> Response:
    number = file.info.number
    headers = {
        "Content-Type": MEDIA_TYPES[file.format],
        "Cache-Control": IMMUTABLE if pinned and not file.redacted else REVALIDATE,
        "Content-Location": f"/v1/versions/{number}.{file.format}",
        "Content-Disposition": f'inline; filename="{_file_name(request, number, file.format)}"',
        "X-FreshQA-Version": str(number),
        "X-FreshQA-Content-Hash": file.info.content_hash,
    }
    return file_response(
        request, file.body, packed=file.packed, tag=file.rows_hash, headers=headers
    )


@lru_cache(maxsize=1024)
def _named(dataset: str, number: int, format: str) -> str:
    ending = "csv" if format == "official" else format
    safe = "".join(c if c.isascii() and (c.isalnum() or c in "-_") else "-" for c in dataset)
    return f"{safe}-{number}.{ending}"


def _file_name(request: Request, number: int, format: str) -> str:
    return _named(store_of(request).dataset, number, format)
