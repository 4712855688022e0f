"""Values that are passed to a task unchanged."""

from __future__ import annotations

from typing import Any, TypeVar, cast

from prefect.utilities.annotations import quote

Value = TypeVar("Value")
Quote: Any = quote  # its annotations name a type variable that type checkers do not find


class Opaque(Quote):  # type: ignore[misc]
    """Prefect's `quote`, but unchanged after pickling.

    Prefect's own (3.9.1) comes out of another process wrapped twice, and a task under Dask, Ray or
    a process pool is handed a tuple that holds its argument.
    """

    __slots__ = ()

    def __getnewargs__(self) -> tuple[Any]:
        """Return what to make it of again: a tuple would say `(self[0],)` inside one more tuple."""
        return (self.unwrap(),)


def opaque(value: Value) -> Value:
    """Return an argument of a task in which Prefect looks for no futures.

    It would look into every cell of every question, and keep a note of each while it does: 2 KB
    for a question of a draft.
    """
    return cast(Value, Opaque(value))
