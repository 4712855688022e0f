"""A function that remembers its last call: the steps of one check ask for the same several times."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")


class _Last(threading.local):
    asked: tuple[Any, ...] = ()
    result: Any = None


def remembering_last(function: Callable[P, T]) -> Callable[P, T]:
    """Return the function with a memory of its last call in each thread.

    Arguments are compared with `==`, which costs nothing for the same objects; none may be of a kind
    whose equal values give other results (1 and 1.0), or be changed in between. An exception is not
    remembered.
    """
    last = _Last()

    @wraps(function)
    def remembering(*args: P.args, **kwargs: P.kwargs) -> T:
        asked = (args, kwargs)
        if last.asked != asked:
            last.result = function(*args, **kwargs)
            last.asked = asked
        result: T = last.result
        return result

    return remembering
