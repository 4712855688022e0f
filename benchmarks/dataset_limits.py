"""Seconds and peak memory of reading releases, and of refusing files that are not releases.

    python benchmarks/dataset_limits.py

Each file is read in a process of its own; memory is the peak of that process less that of one
which only imports the reader.
"""

from __future__ import annotations

import io
import os
import subprocess
import sys
import tempfile
import time
import zipfile
from pathlib import Path

from freshqa import sample
from freshqa.dataset.release import read_release, write_release
from freshqa.errors import FreshQAError

DATA = Path(os.environ.get("FRESHQA_TEST_DATA", Path(__file__).parents[2] / "shared" / "data"))
REAL = ("FreshQA_v04072025.csv", "FreshQA_v05272024.xlsx", "FreshQA_v04082024.jsonl")


def files(folder: Path) -> dict[str, Path]:
    """Real releases where there are any, one of 100,000 rows, and four attacks."""
    files = {name: DATA / "freshqa" / name for name in REAL if (DATA / "freshqa" / name).exists()}
    questions = read_release(sample.path("release.csv")).questions
    many = [
        question.with_changes({"question": f"{question.text} ({number})"})
        for number in range(100_000 // len(questions) + 1)
        for question in questions
    ][:100_000]
    for format in ("csv", "jsonl", "parquet", "xlsx"):
        path = folder / f"100,000 rows.{format}"
        path.write_bytes(write_release(many, format))
        files[path.name] = path
    return {**files, **attacks(folder)}


def attacks(folder: Path) -> dict[str, Path]:
    """Files that would fill the memory of a reader without limits."""
    workbook = write_release(read_release(sample.path("release.csv")).questions, "xlsx")
    for name, size in (("bomb, 10 GB.xlsx", 10_000), ("bomb, 99 MB.xlsx", 99)):
        (folder / name).write_bytes(bomb(workbook, size))
    with (folder / "2 GB of nothing.csv").open("wb") as file:
        file.truncate(2_000_000_000)
    header = sample.path("release.csv").read_bytes().split(b"\n")[0] + b"\n"
    (folder / "199 MB of one cell.csv").write_bytes(header + b'0,TEST,"' + b"x" * 199_000_000)
    (folder / "199 MB of empty rows.csv").write_bytes(header + b",,,,,,,,,,,,,,,,,,,\n" * 9_900_000)
    row = b"<c/>" * 24_000_000
    (folder / "one row of 24 million cells.xlsx").write_bytes(bomb(workbook, 0, before=row))
    (folder / "199 MB in one row.csv").write_bytes(header + b"ab," * 66_000_000)
    (folder / "199 MB of brackets.json").write_bytes(b"[" + b"[]," * 66_000_000)
    names = sorted(path.name for path in folder.iterdir() if not path.name.startswith("100,000"))
    return {name: folder / name for name in names}


def bomb(workbook: bytes, megabytes: int, *, before: bytes = b"") -> bytes:
    """The workbook with this many blanks in its sheet, and more before the end of its first row."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(workbook)) as old:
        parts = {part: old.read(part) for part in old.namelist()}
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as new:
        for part, body in parts.items():
            with new.open(part, "w", force_zip64=True) as file:
                file.write(body.replace(b"</row>", before + b"</row>", 1))
                if part == "xl/worksheets/sheet1.xml":
                    for _ in range(megabytes):
                        file.write(b" " * 1_000_000)
    return buffer.getvalue()


def read_limited(path: str) -> None:
    """Read one file and print what it cost."""
    started, result = time.process_time(), "imported only"
    if path:
        try:
            result = f"{len(read_release(Path(path)).questions):,} questions"
        except FreshQAError as refused:
            result = f"{type(refused).__name__}: {refused.message}"
    seconds = time.process_time() - started
    status = Path("/proc/self/status").read_text()  # getrusage counts the parent's memory, too
    peak = int(status.split("VmHWM:")[1].split()[0]) // 1024
    print(f"{seconds:.2f}\t{peak}\t{result}")


def run(path: Path | None) -> tuple[float, int, str]:
    """CPU seconds, peak MB, and result of a process."""
    command = [sys.executable, __file__, "--one", str(path or "")]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    seconds, peak, result = done.stdout.strip().split("\t")
    return float(seconds), int(peak), result


def main() -> None:
    if sys.argv[1:2] == ["--one"]:
        read_limited(sys.argv[2])
        return
    _, floor, _ = run(None)
    print(f"| file | MB | CPU s | peak MB (over {floor}) | result |\n|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for name, path in files(Path(folder)).items():
            seconds, peak, result = run(path)
            size = path.stat().st_size / 1e6
            print(
                f"| {name} | {size:.1f} | {seconds:.2f} | {peak - floor} | {result} |", flush=True
            )


if __name__ == "__main__":
    main()
