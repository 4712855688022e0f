"""Run a module in a child of `warm_process.py` and exit with its code.

Run as a script: `python -IS warm_client.py SOCKET MODULE ARGUMENT…`; the module may be `-c`, and the
first argument is the program then. Signals that ask for an end are passed on, and if this process is
killed, so is the child. Imports little: it starts often.
"""

import array
import json
import os
import signal
import socket
import sys

connection = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
connection.connect(sys.argv[1])
request = {
    "folder": os.getcwd(),  # noqa: PTH109 - pathlib takes longer to import than the rest
    "environment": dict(os.environ),
    "module": sys.argv[2],
    "arguments": sys.argv[3:],
}
streams = (socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [0, 1, 2]))
connection.sendmsg([json.dumps(request).encode()], [streams])
connection.recv(16)  # its process
for asked in (signal.SIGINT, signal.SIGTERM):
    signal.signal(asked, lambda number, _: connection.send(str(number).encode()))
ended = connection.recv(16)
sys.exit(int(ended) if ended else "the process that runs warm commands is gone")
