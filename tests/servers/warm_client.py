"""Run one command of the command line in a child of `warm_process.py`, and exit as it does.

Run as a script: `python -IS warm_client.py SOCKET ARGUMENT…`. Imports little: it starts often.
"""

import array
import json
import os
import socket
import sys

connection = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
connection.connect(sys.argv[1])
request = {
    "folder": os.getcwd(),  # noqa: PTH109 - pathlib takes longer to import than the rest
    "environment": dict(os.environ),
    "arguments": sys.argv[2:],
}
streams = (socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", [0, 1, 2]))
connection.sendmsg([json.dumps(request).encode()], [streams])
ended = connection.recv(16)
sys.exit(int(ended) if ended else "the process that runs warm commands is gone")
