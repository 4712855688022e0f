"""A Python environment in which prefect_freshqa is not installed."""

from __future__ import annotations

from pathlib import Path

HIDING = """
import sys

class Hidden:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in ("prefect_freshqa", "freshqa"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Hidden())
"""


def hide_package(folder: Path) -> dict[str, str]:
    """Return the variables under which Python does not find the package; writes to `folder`."""
    folder.mkdir(exist_ok=True)
    (folder / "sitecustomize.py").write_text(HIDING, encoding="utf-8")
    return {"PYTHONPATH": str(folder)}
