"""Draw pictures with matplotlib, which is an extra."""

from __future__ import annotations

import importlib.util
import io
from typing import TYPE_CHECKING

from freshqa.errors import UsageError

if TYPE_CHECKING:
    from matplotlib.figure import Figure

FORMATS = ("png", "svg")


def check_format(format: str) -> None:
    """Raise `UsageError` unless pictures of this format can be drawn here."""
    if format not in FORMATS:
        raise UsageError(f"Unknown image format {format!r}.", f"Choose from: {', '.join(FORMATS)}.")
    if importlib.util.find_spec("matplotlib") is None:
        raise UsageError(
            "Plotting needs matplotlib.", "Install it: pip install 'prefect-freshqa[plot]'"
        )


def drawn(figure: Figure, format: str) -> bytes:
    """Return the figure as a file; the same figure gives the same SVG bytes."""
    import matplotlib

    stream = io.BytesIO()
    with matplotlib.rc_context({"svg.hashsalt": "freshqa"}):
        metadata = {"Date": None} if format == "svg" else None
        figure.savefig(stream, format=format, metadata=metadata, dpi=120)
    return stream.getvalue()
