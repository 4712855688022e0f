"""An opaque value reaches a task unchanged, also in another process."""

from __future__ import annotations

import pickle
from typing import Any

import pytest
from prefect.utilities.annotations import quote

from prefect_freshqa.tasks.opaque import opaque


@pytest.mark.parametrize("value", [("a", "b"), ("alone",), ["a"], {"a": 1}])
def test_an_opaque_value_is_unchanged_after_pickling(value: Any) -> None:
    sent: Any = opaque(value)
    arrived = pickle.loads(pickle.dumps(sent))
    assert isinstance(arrived, quote)
    assert arrived.unwrap() == sent.unwrap() == value
