"""One metric or ablation, computed twice."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Row:
    """One metric or ablation, computed twice."""

    paper: str
    name: str
    definition: str
    ours: Any
    independent: Any

    @property
    def equal(self) -> bool:
        """True when both agree to six digits."""
        if isinstance(self.ours, float) and isinstance(self.independent, float):
            return math.isclose(self.ours, self.independent, abs_tol=1e-6)
        return bool(self.ours == self.independent)


def share(values: Any) -> float:
    listed: list[float] = list(values)
    return sum(listed) / len(listed)
