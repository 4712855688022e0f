"""A file is written completely or not at all, through links and into devices."""

from __future__ import annotations

import os
import threading
from pathlib import Path

import pytest

from freshqa.dataset.whole_file import write_whole
from freshqa.errors import StoreError

FULL_DEVICE = Path("/dev/full")


def test_a_pipe_is_written_to_and_stays_a_pipe(tmp_path: Path) -> None:
    pipe, read = tmp_path / "pipe", []
    os.mkfifo(pipe)
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()))
    reader.start()
    write_whole(b"rows", pipe)
    reader.join(60)
    assert read == [b"rows"] and pipe.is_fifo()


def test_a_link_stays_a_link_and_its_file_is_replaced(tmp_path: Path) -> None:
    file, link = tmp_path / "file.csv", tmp_path / "link.csv"
    file.write_bytes(b"old")
    link.symlink_to(file)
    write_whole(b"new", link)
    assert link.is_symlink() and file.read_bytes() == b"new"
    assert sorted(tmp_path.iterdir()) == [file, link]


def test_a_file_in_a_folder_that_is_missing_is_reported(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"none/file.csv: No such file or directory"):
        write_whole(b"rows", tmp_path / "none" / "file.csv")


@pytest.mark.skipif(not FULL_DEVICE.is_char_device(), reason="no device that is always full")
def test_a_full_disk_is_reported_with_its_remedy() -> None:
    with pytest.raises(StoreError, match=r"/dev/full: No space left on device") as failure:
        write_whole(b"rows", FULL_DEVICE)
    assert failure.value.remedy.startswith("Free disk space")
    assert FULL_DEVICE.is_char_device()
