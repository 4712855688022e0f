"""Split an iterable into chunks: `itertools.batched`, which Python has from 3.12 on."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice
from typing import TypeVar

Item = TypeVar("Item")


def chunks(items: Iterable[Item], size: int) -> Iterator[list[Item]]:
    """Lists of at most `size` items, in their order; each is made when it is asked for."""
    waiting = iter(items)
    while chunk := list(islice(waiting, size)):
        yield chunk
