"""The OpenAPI document of the read-only API."""

from __future__ import annotations

from importlib.metadata import version as package_version
from typing import Any

from prefect_freshqa.desk.version_files import MEDIA_TYPES

NAME = "Number, tag, date (the last version up to that day) or `latest`."


def document(base: str) -> dict[str, Any]:
    """Return the OpenAPI document, with `base` as the address of the server."""
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "prefect-freshqa: versions of a question-answering benchmark",
            "version": package_version("prefect-freshqa"),
            "description": "Read-only. Every response has an ETag and answers If-None-Match.",
        },
        "servers": [{"url": base}],
        "paths": _paths(),
        "components": {"schemas": _schemas()},
    }


def _paths() -> dict[str, Any]:
    formats: dict[str, Any] = {kind.partition(";")[0]: {} for kind in MEDIA_TYPES.values()}
    a_format = {"type": "string", "enum": list(MEDIA_TYPES)}
    return {
        "/v1/versions": _get("Every version, newest first.", _json("VersionList")),
        "/v1/versions/{version}": _get(
            "What is known of a version.", _json("Version"), _path("version", NAME)
        ),
        "/v1/versions/{version}.{format}": _get(
            "The rows of a version, byte for byte as `prefect-freshqa pull --format` writes them. "
            "The ETag is the content hash of the rows; files of numbered versions never change.",
            {
                "200": {"description": "The file", "content": formats},
                "206": _part(),
                "304": _same(),
            },
            _path("version", NAME),
            _path("format", "Format of the file.", a_format),
        ),
        "/v1/diff/{from}/{to}": _get(
            "Questions added, removed and changed, field by field.",
            _json("Diff"),
            _path("from", NAME),
            _path("to", NAME),
        ),
        "/v1/questions/{key}/history": _get(
            "Every revision of a question with its evidence, oldest first.",
            _json("History"),
            _path("key", "Stable key of the question."),
        ),
        "/v1/feed": _get(
            "JSON Feed 1.1 of versions; `_freshqa.diff` holds the changes of each.",
            {"200": {"description": "A page", "content": {"application/feed+json": {}}}},
            {"name": "before", "in": "query", "schema": {"type": "integer"}, "required": False},
        ),
    }


def _get(summary: str, responses: dict[str, Any], *parameters: dict[str, Any]) -> dict[str, Any]:
    failed = {"description": "Failure", "content": _content("Error")}
    operation = {"summary": summary, "responses": {**responses, "404": failed}}
    return {"get": {**operation, "parameters": list(parameters)} if parameters else operation}


def _path(name: str, description: str, schema: dict[str, Any] | None = None) -> dict[str, Any]:
    where = {"name": name, "in": "path", "required": True, "description": description}
    return {**where, "schema": schema or {"type": "string"}}


def _json(schema: str) -> dict[str, Any]:
    return {"200": {"description": schema, "content": _content(schema)}, "304": _same()}


def _content(schema: str) -> dict[str, Any]:
    return {"application/json": {"schema": {"$ref": f"#/components/schemas/{schema}"}}}


def _part() -> dict[str, Any]:
    return {"description": "The range asked for, when Accept-Encoding or If-Range allow it"}


def _same() -> dict[str, Any]:
    return {"description": "Not modified"}


def _schemas() -> dict[str, Any]:
    text, number = {"type": "string"}, {"type": "integer"}
    question = _object({"key": text, "question": text})
    change = _object({"old": text, "new": text})
    version = {
        "version": number,
        "parent": {"type": ["integer", "null"]},
        "as_of": {"type": "string", "format": "date"},
        "published_at": {"type": "string", "format": "date-time"},
        "message": text,
        "content_hash": text,
        "chain_hash": text,
        "questions": number,
        "tags": {"type": "array", "items": text},
    }
    return {
        "Version": _object(version),
        "VersionList": _object({"versions": _array({"$ref": "#/components/schemas/Version"})}),
        "Diff": _object(
            {
                "from": number,
                "to": number,
                "added": _array(question),
                "removed": _array(question),
                "changed": _array(
                    _object(
                        {
                            "key": text,
                            "question": text,
                            "fields": {"type": "object", "additionalProperties": change},
                        }
                    )
                ),
            }
        ),
        "History": _object(
            {"key": text, "question": text, "revisions": _array({"type": "object"})}
        ),
        "Error": _object({"error": _object({"kind": text, "message": text, "remedy": text})}),
    }


def _object(properties: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(properties)}


def _array(items: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": items}
