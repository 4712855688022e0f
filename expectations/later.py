"""Modules that are imported at their first use."""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any


class Later(ModuleType):
    """Placeholder for a module, replaced by it when an attribute is read.

    It has a specification like every imported module, so that `importlib.util.find_spec` finds it.
    `importlib.util.LazyLoader` would import the package of a submodule at once. It has no file yet:
    `inspect.getmodule` and Hypothesis ask every imported module for one.
    """

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.__spec__ = ModuleSpec(name, None)

    def __getattr__(self, name: str) -> Any:
        if sys.modules.get(self.__name__) is self:
            if name == "__file__":
                raise AttributeError(name)
            del sys.modules[self.__name__]
        return getattr(import_module(self.__name__), name)


def import_later(*names: str) -> None:
    """Import these modules at their first use from now on."""
    for name in names:
        sys.modules.setdefault(name, Later(name))
