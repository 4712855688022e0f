"""A request with open files, from one process to another."""

from __future__ import annotations

import array
import fcntl
import json
import os
import socket
from collections.abc import Sequence
from typing import Any

LONGEST_REQUEST = 1 << 17  # bytes; what a sequenced packet may hold
MOST_FILES = 32
"""Open files that a client may pass on."""


def receive(connection: socket.socket) -> tuple[dict[str, Any], list[int]]:
    """The request and the open files of the one who asked; empty if that has ended."""
    files = array.array("i")
    room = socket.CMSG_LEN(MOST_FILES * files.itemsize)
    body, ancillary, _, _ = connection.recvmsg(LONGEST_REQUEST, room)
    for _, _, numbers in ancillary:
        files.frombytes(numbers)
    return json.loads(body or "{}"), list(files)


def number_files(files: list[int], numbers: Sequence[int]) -> None:
    """Give open files the numbers that they have in the client: multiprocessing refers to them."""
    beyond = max(numbers) + 1  # a wanted number may be that of another of the files
    moved = [fcntl.fcntl(file, fcntl.F_DUPFD, beyond) for file in files]
    for file in files:
        os.close(file)
    for file, number in zip(moved, numbers, strict=True):
        os.dup2(file, number)
        os.close(file)
