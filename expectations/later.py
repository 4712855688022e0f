"""Modules that are imported when something of them is used."""

from __future__ import annotations

import sys
from importlib import import_module
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any


class Later(ModuleType):
    """Stands for a module until an attribute of it is read, and is replaced by it then.

    It has a specification like every imported module, so that `importlib.util.find_spec` finds it.
    `importlib.util.LazyLoader` would import the package of a submodule at once.
    """

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.__spec__ = ModuleSpec(name, None)

    def __getattr__(self, name: str) -> Any:
        if sys.modules.get(self.__name__) is self:
            del sys.modules[self.__name__]
        return getattr(import_module(self.__name__), name)


def import_later(*names: str) -> None:
    """Let whoever imports these modules from now on pay for them at their first use."""
    for name in names:
        sys.modules.setdefault(name, Later(name))
