"""Conditional, partial and compressed responses (RFC 9110)."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

IMMUTABLE = "public, max-age=31536000, immutable"
REVALIDATE = "public, no-cache"
_RANGE = re.compile(r"bytes=(\d*)-(\d*)")


def json_response(
    request: Request, record: Any, *, cache: str = REVALIDATE, media_type: str = "application/json"
) -> Response:
    """Return a JSON document whose ETag is the hash of its bytes."""
    body = json.dumps(record, ensure_ascii=False, default=str).encode("utf-8")
    tag = f'"{hashlib.sha256(body).hexdigest()}"'
    headers = {"ETag": tag, "Cache-Control": cache}
    if is_known(request, tag):
        return Response(status_code=304, headers=headers)
    return Response(body, media_type=media_type, headers=headers)


def file_response(
    request: Request, body: bytes, *, packed: bytes, tag: str, headers: Mapping[str, str]
) -> Response:
    """A file: 304 where the client has it, the part that it asks for, compressed where it may be.

    Args:
        packed: The body with gzip, b"" when it is not compressed.
        tag: Content hash. The compressed form has the same tag marked as weak, as it is the same
            content in other bytes: a part of it never completes the uncompressed form.
    """
    strong, weak = f'"{tag}"', f'W/"{tag}"'
    wanted = request.headers.get("range", "")
    zipped = bool(packed) and not wanted and _takes_gzip(request)
    shared = {**headers, "ETag": weak if zipped else strong, "Accept-Ranges": "bytes"}
    if packed:
        shared["Vary"] = "Accept-Encoding"
    if is_known(request, strong):
        return Response(status_code=304, headers=without_content(shared))
    if zipped:
        return Response(packed, headers={**shared, "Content-Encoding": "gzip"})
    part = _range(wanted, len(body))
    if part is None or request.headers.get("if-range", strong) != strong:
        return Response(body, headers=shared)
    first, end = part
    if first >= end:
        return Response(
            status_code=416,
            headers={**without_content(shared), "Content-Range": f"bytes */{len(body)}"},
        )
    shared["Content-Range"] = f"bytes {first}-{end - 1}/{len(body)}"
    return Response(body[first:end], status_code=206, headers=shared)


def is_known(request: Request, tag: str) -> bool:
    """Return whether the client has this entity (weak comparison)."""
    given = request.headers.get("if-none-match")
    if given is None:
        return False
    known = {etag.strip().removeprefix("W/") for etag in given.split(",")}
    return "*" in known or tag.removeprefix("W/") in known


def without_content(headers: Mapping[str, str]) -> dict[str, str]:
    """Headers for a response without a body."""
    return {name: value for name, value in headers.items() if name != "Content-Type"}


def _takes_gzip(request: Request) -> bool:
    for part in request.headers.get("accept-encoding", "").lower().split(","):
        coding, _, weight = part.strip().partition(";")
        if coding in ("gzip", "x-gzip"):
            return weight.replace(" ", "") not in ("q=0", "q=0.0", "q=0.00", "q=0.000")
    return False


def _range(text: str, size: int) -> tuple[int, int] | None:
    """First byte and end of a single range; None where the header is to be ignored."""
    match = _RANGE.fullmatch(text.strip())
    if match is None or match.groups() == ("", ""):
        return None
    first, last = match.groups()
    if not first:
        return max(0, size - int(last)), size
    end = min(int(last) + 1, size) if last else size
    if last and int(last) < int(first):
        return None  # an invalid range is ignored
    return int(first), end
