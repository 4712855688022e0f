"""Measurements: how fast, how far, and what survives; see docs/measurements for the figures."""

import sys
from pathlib import Path

# The loopback servers live with the tests.
sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))
