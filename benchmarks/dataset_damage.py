"""What `freshqa.dataset.damage` finds in a mangled release, told by its clean twin.

    python benchmarks/dataset_damage.py [CLEAN MANGLED]

Cells that differ from the clean twin are damaged. Each is `repaired` (the default repair gives the
clean text back), `guessed` (only `repair="all"` does), `flagged` (reported, not restored) or
`missed`. Cells that do not differ must stay as they are: `made wrong` counts those that do not.
"""

from __future__ import annotations

import os
import sys
from collections import Counter
from pathlib import Path

from freshqa.dataset.identity import match
from freshqa.dataset.importing import prepare_import
from freshqa.dataset.question import FIELD_COLUMNS
from freshqa.dataset.release import Release, read_release

DATA = Path(os.environ.get("FRESHQA_TEST_DATA", Path(__file__).parents[2] / "shared" / "data"))
TWINS = ("FreshQA_v11232023.csv", "FreshQA_v11232023_excel_gbk.csv")
EARLIER = ("FreshQA_v11132023.csv", "FreshQA_v02052024.csv")


def compare(clean: Release, mangled: Path) -> tuple[Counter[tuple[str, str]], list[str]]:
    """Counts by (kind of cell, verdict), and the cells that were missed or made wrong."""
    read = {repair: read_release(mangled, repair=repair) for repair in ("none", "certain", "all")}
    first = _first_row(read["none"])
    flags = {(d.row - first, d.column): d.kind for d in read["none"].findings}
    counts: Counter[tuple[str, str]] = Counter()
    cells: list[str] = []
    for index, true in enumerate(clean.questions):
        for column in FIELD_COLUMNS:
            right = true.fields[column]
            none, certain, every = (
                read[r].questions[index].fields[column] for r in ("none", "certain", "all")
            )
            kind = flags.get((index, column), "")
            if none == right:
                verdict = "right"
                if certain != right:
                    verdict = "right and made wrong"
                elif every != right:
                    verdict = "right, made wrong by --repair all"
                elif kind:
                    verdict = "right, but flagged"
            elif certain == right:
                verdict = "damaged and restored exactly"
            elif certain != none:
                verdict = "damaged, changed to another wrong text"
            elif every == right:
                verdict = "damaged, restored by --repair all alone"
            else:
                verdict = (
                    (
                        "damaged, changed to another wrong text by --repair all"
                        if every != none
                        else "damaged, flagged, left as it is"
                    )
                    if kind
                    else "damaged and missed"
                )
            counts[kind or "-", verdict] += 1
            if verdict in (
                "damaged and missed",
                "right and made wrong",
                "right, made wrong by --repair all",
                "damaged, changed to another wrong text",
                "damaged, changed to another wrong text by --repair all",
            ):
                cells.append(f"{verdict}: #{index} {column}: {right!r} -> {none!r} -> {every!r}")
    return counts, cells


def _first_row(release: Release) -> int:
    """Return the row number of the first question."""
    preamble = release.dialect.preamble if release.dialect else ""
    return preamble.count("\n") + 2


def after(earlier: str) -> Counter[str]:
    """Verdicts when the mangled twin is imported after another release, with `--repair all`."""
    clean, raw, guessed = (
        read_release(DATA / "freshqa" / TWINS[index], repair=repair)
        for index, repair in ((0, "none"), (1, "none"), (1, "all"))
    )
    base = match(read_release(DATA / "freshqa" / earlier).questions, ()).questions
    imported = prepare_import(guessed, base, repair="all").questions
    verdicts: Counter[str] = Counter()
    for true, damaged, ours in zip(clean.questions, raw.questions, imported, strict=True):
        for column in FIELD_COLUMNS:
            right, was, now = (q.fields[column] for q in (true, damaged, ours))
            if was == right:
                verdicts["right" if now == right else "made wrong"] += 1
            else:
                verdicts["restored" if now == right else "left" if now == was else "wrong"] += 1
    return verdicts


def main() -> None:
    clean, mangled = sys.argv[1:3] or [str(DATA / "freshqa" / name) for name in TWINS]
    counts, cells = compare(read_release(clean, repair="none"), Path(mangled))
    verdicts: Counter[str] = Counter()
    print("| kind | verdict | cells |\n|---|---|---|")
    for (kind, verdict), count in sorted(counts.items()):
        print(f"| {kind} | {verdict} | {count} |")
        verdicts[verdict] += count
    print("\n| verdict | cells |\n|---|---|")
    for verdict, count in verdicts.most_common():
        print(f"| {verdict} | {count} |")
    print(*cells, sep="\n")
    for earlier in EARLIER if len(sys.argv) < 3 else ():
        print(f"imported after {earlier}: {dict(after(earlier))}")


if __name__ == "__main__":
    main()
