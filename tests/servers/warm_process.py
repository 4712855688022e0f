"""A process with the heavy libraries imported, that forks one child for every command.

`prefect-freshqa refresh` spends some four seconds of CPU on importing Great Expectations, pandas
and SQLAlchemy. A child of this process finds them imported; Prefect and our own modules it imports
itself, with the environment, folder, arguments and streams of the one who asked. The start from
nothing is tested by `make demo`, the packaging tests and every other test of the command line.

Run as a script: `python warm_process.py SOCKET`.
"""

from __future__ import annotations

import array
import atexit
import gc
import importlib
import json
import os
import runpy
import signal
import socket
import sys
import threading
import traceback
from typing import Any, NoReturn

LIBRARIES = (
    "alembic.command",
    "dateparser",
    "great_expectations",
    "httpx",
    "openai",
    "openpyxl",
    "pandas",
    "pydantic",
    "sqlalchemy.orm",
)
"""None of them is configured by the environment at import, as Prefect is, which is not here."""
LONGEST_REQUEST = 1 << 17  # bytes; what a sequenced packet may hold
STREAMS = 3


def serve(address: str) -> dict[str, Any]:
    """Fork for every request, for ever; returns only in a child, with the request it is to run."""
    for library in LIBRARIES:
        importlib.import_module(library)
    gc.freeze()  # children need not look at these objects, nor copy the pages where they lie
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for those who wait for a command
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    listener.bind(address)
    listener.listen(16)
    while True:
        connection, _ = listener.accept()
        if os.fork():
            connection.close()
            continue
        listener.close()
        signal.signal(signal.SIGCHLD, signal.SIG_DFL)
        request, streams = receive(connection)
        command = os.fork()
        if not command:
            connection.close()
            for number, stream in enumerate(streams):
                os.dup2(stream, number)
                os.close(stream)
            return request
        for stream in streams:  # or the reader of the command's output would wait for us too
            os.close(stream)
        _, status = os.waitpid(command, 0)
        connection.send(str(os.waitstatus_to_exitcode(status)).encode())
        os._exit(0)


def receive(connection: socket.socket) -> tuple[dict[str, Any], list[int]]:
    """The request and the three standard streams of the one who asked."""
    streams = array.array("i")
    room = socket.CMSG_LEN(STREAMS * streams.itemsize)
    body, ancillary, _, _ = connection.recvmsg(LONGEST_REQUEST, room)
    streams.frombytes(ancillary[0][2])
    return json.loads(body), list(streams)


def become(request: dict[str, Any]) -> NoReturn:
    """Take over folder, environment and arguments, and run the command line to its end.

    The end is what Python does at exit, without taking every imported module apart.
    """
    os.chdir(request["folder"])
    os.environ.clear()
    os.environ.update(request["environment"])
    sys.argv = ["prefect-freshqa", *request["arguments"]]
    code: Any = 1
    try:
        runpy.run_module("prefect_freshqa.cli", run_name="__main__")
    except SystemExit as ended:
        code = ended.code
    except BaseException:  # noqa: BLE001 - said on the command's stderr, as Python does
        traceback.print_exc()
    finally:
        threading._shutdown()  # type: ignore[attr-defined]  # as Py_Finalize: threads, then hooks
        atexit._run_exitfuncs()
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code if isinstance(code, int) else int(code is not None))


if __name__ == "__main__":
    sys.path.pop(0)  # this folder, which the console script does not have
    become(serve(sys.argv[1]))
