"""Parse pages in a separate process, from standard input to standard output.

A hostile page can keep an HTML parser busy for minutes, or bring it down; its caller kills this
process then, and loses one page.
"""

from __future__ import annotations

import json
import struct
import sys
from dataclasses import asdict
from typing import BinaryIO

from freshqa.evidence.page_select import select
from freshqa.evidence.page_text import read_html

LENGTHS = struct.Struct(">II")
"""Bytes of the request's JSON and of the page; a reply has a page of none."""


def serve(asked: BinaryIO, answered: BinaryIO) -> None:
    """Answer until standard input ends."""
    while len(lengths := asked.read(LENGTHS.size)) == LENGTHS.size:
        described, length = LENGTHS.unpack(lengths)
        request = json.loads(asked.read(described))
        content = asked.read(length)
        try:
            if request.get("select"):
                selected = select(content, request["charset"], request["select"])
                reply = {"text": json.dumps([element.to_json() for element in selected])}
            else:
                reply = asdict(read_html(content, request["charset"]))
        except Exception as failed:  # noqa: BLE001  whatever a page does to the parser is the reply
            reply = {"problem": f"cannot be parsed ({type(failed).__name__})"}
        written = json.dumps(reply).encode("ascii")
        answered.write(LENGTHS.pack(len(written), 0) + written)
        answered.flush()


if __name__ == "__main__":
    serve(sys.stdin.buffer, sys.stdout.buffer)
