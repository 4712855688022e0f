"""Kill a process and all its children at once, as a power cut would."""

from __future__ import annotations

import os
import signal
from pathlib import Path


def descendants(root: int) -> list[int]:
    """Process numbers of everything that `root` started, directly or not (Linux)."""
    children: dict[int, list[int]] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            text = stat.read_text()
        except (FileNotFoundError, ProcessLookupError):
            continue  # it ended while we looked
        parent = int(text.rsplit(")", 1)[1].split()[1])
        children.setdefault(parent, []).append(int(stat.parent.name))
    descendants, queue = [], [root]
    while queue:
        started = children.get(queue.pop(), [])
        descendants += started
        queue += started
    return descendants


def kill_tree(root: int) -> None:
    """SIGKILL to `root` first, so that it starts nothing more, then to all its descendants."""
    below = descendants(root)
    for process in (root, *below):
        try:
            os.kill(process, signal.SIGKILL)
        except ProcessLookupError:
            continue  # gone by itself
