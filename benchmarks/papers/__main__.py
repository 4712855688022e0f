"""The papers' metrics and ablations: their definition, our figure, an independent recomputation.

    python -m benchmarks.papers

Every row is computed twice on the same made-up input: by the package, and here by the shortest code
that follows the paper's definition. Prints markdown; exits with 1 when a row differs.
"""

from __future__ import annotations

import sys
from typing import Any

from benchmarks.papers.augmenter import augmenter
from benchmarks.papers.freshllms import freshllms
from benchmarks.papers.rgb import rgb


def main() -> None:
    rows = [*freshllms(), *rgb(), *augmenter()]
    print("| paper | metric or ablation | definition | ours | independent | equal |")
    print("|---|---|---|---|---|---|")
    for row in rows:
        cells = (row.paper, row.name, row.definition, brief(row.ours), brief(row.independent))
        print("| " + " | ".join(cells) + f" | {'yes' if row.equal else '**no**'} |")
    differing = [row.name for row in rows if not row.equal]
    print(f"\n{len(rows)} rows, {len(differing)} differ.")
    sys.exit(bool(differing))


def brief(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.6f}"
    if isinstance(value, list):
        return f"{len(value)} findings, first {value[0]}, last {value[-1]}" if value else "none"
    return str(value)


if __name__ == "__main__":
    main()
