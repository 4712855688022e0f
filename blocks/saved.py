"""Find a saved block by its name among the block types of this plugin."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from freshqa.errors import BadData, NotFound, ProviderError, UsageError

ROLES = {
    "get_engine": "search engine",
    "get_model": "language model",
    "get_reader": "page reader",
    "get_store": "store",
}
"""Method that makes a block usable → what it is then used as."""


def load_saved_block(spec: str, method: str) -> Any:
    """Return the saved block that `spec` names and that has `method`.

    Args:
        spec: `block-type-slug/name`, or a bare name that belongs to one block of this plugin.
        method: A key of `ROLES`.

    Raises:
        NotFound: the block does not exist; the message lists the saved ones.
        UsageError: The bare name is shared, or the block cannot do this.
        BadData: The block was saved with fields that it no longer has.
        ProviderError: The Prefect API does not answer.
    """
    slug, separator, name = spec.strip().rpartition("/")
    if not name:
        raise UsageError(f"No {ROLES[method]} was given.", _remedy(method))
    slug = slug if separator else _slug_of(name, method)
    block_type = _block_types(method).get(slug)
    if block_type is None:
        raise NotFound(f"Block type '{slug}' is not a {ROLES[method]}.", _remedy(method))
    return _load(block_type, slug, name, method)


def saved_blocks(method: str) -> tuple[str, ...]:
    """`slug/name` of every saved block of this plugin that has `method`, sorted.

    Raises:
        ProviderError: The Prefect API does not answer.
    """
    from prefect.client.orchestration import get_client
    from prefect.exceptions import ObjectNotFound

    names: list[str] = []
    with reachable_api(), get_client(sync_client=True) as client:
        for slug, block_type in _block_types(method).items():
            if not block_type.__module__.startswith("prefect_freshqa."):
                continue
            try:
                documents = client.read_block_documents_by_type(slug, include_secrets=False)
            except ObjectNotFound:  # no block of this type is saved yet
                continue
            names += [f"{slug}/{document.name}" for document in documents]
    return tuple(sorted(names))


def _block_types(method: str) -> dict[str, Any]:
    """Slug → every imported block type that has `method`, also of other packages."""
    from prefect.blocks.core import Block
    from prefect.utilities.dispatch import get_registry_for_type

    import prefect_freshqa.blocks.block_types  # noqa: F401  importing it registers ours

    types = (get_registry_for_type(Block) or {}).values()
    return {
        block_type.get_block_type_slug(): block_type
        for block_type in types
        if hasattr(block_type, method) and not inspect.isabstract(block_type)
    }


def _slug_of(name: str, method: str) -> str:
    """Return the slug of the only block of this plugin with this name."""
    existing = saved_blocks(method)
    slugs = [slug for slug, _, other in (full.partition("/") for full in existing) if other == name]
    if len(slugs) > 1:
        full_names = " or ".join(f"{slug}/{name}" for slug in slugs)
        raise UsageError(f"{len(slugs)} saved blocks are named '{name}'.", f"Use {full_names}.")
    if not slugs:
        raise NotFound(f"Saved {ROLES[method]} '{name}' not found.", _remedy(method, existing))
    return slugs[0]


def _load(block_type: Any, slug: str, name: str, method: str) -> Any:
    from pydantic import ValidationError

    with reachable_api():
        try:
            # `_sync`: inside a running event loop Prefect would return a coroutine instead.
            return block_type.load(name, _sync=True)
        except ValidationError as outdated:
            fields = ", ".join(".".join(map(str, e["loc"])) for e in outdated.errors())
            raise BadData(
                f"Block '{slug}/{name}' is not compatible with this release: {fields}.",
                "Open it in the Prefect UI, fill in these fields and save it again.",
            ) from None  # the original would print the values, keys among them
        except ValueError:
            existing = saved_blocks(method)
            raise NotFound(f"Block '{slug}/{name}' not found.", _remedy(method, existing)) from None


def _remedy(method: str, existing: tuple[str, ...] = ()) -> str:
    there_is = f"Available: {', '.join(existing)}." if existing else "None is saved yet."
    shorthands = {
        "get_engine": "serpapi, serper, searxng:URL, recorded:FILE, replay",
        "get_model": "openai:MODEL, recorded:FILE, replay",
        "get_store": "a SQLAlchemy URL",
        "get_reader": "--read-pages alone",
    }[method]
    return f"{there_is} Without a block: {shorthands}."


@contextmanager
def reachable_api() -> Iterator[None]:
    """Report an unreachable Prefect API in one line instead of a traceback of 80 lines."""
    from httpx import HTTPError

    try:
        yield
    except (HTTPError, RuntimeError) as failure:  # RuntimeError: no temporary server came up
        raise of_prefect(failure) from failure


def of_prefect(failure: Exception) -> ProviderError:
    """Return what a failed request to the Prefect API means, in one line."""
    from httpx import HTTPStatusError
    from prefect.settings import get_current_settings

    if isinstance(failure, HTTPStatusError):
        return ProviderError(
            f"The Prefect API returned HTTP status {failure.response.status_code}.",
            "Check the log of its server and its free disk space; then run again.",
        )
    where = get_current_settings().api.url or "the temporary server on this machine"
    return ProviderError(
        f"The Prefect API does not answer: {where} ({failure.__class__.__name__}).",
        "Run: prefect server start ; or set PREFECT_API_URL.",
    )
