"""Run a module in a child of `warm_process.py` and exit with its code.

Run as a script: `python -IS warm_client.py SOCKET MODULE ARGUMENT…`; the module may be the file of a
script, or `-c`, and the first argument is the program then. The child has the streams of this
process, and the pipes if it is started by multiprocessing. Signals that ask for an end are passed
on, and if this process is killed, so is the child. Imports little: it starts often.
"""

import array
import json
import os
import signal
import socket
import sys

FILES = "/proc/self/fd"
files = [0, 1, 2]
if sys.argv[-1] == "--multiprocessing-fork":
    numbers = [int(name) for name in os.listdir(FILES)]  # noqa: PTH208 - pathlib takes long to import
    # without that of the folder itself, which is closed again
    files = [number for number in numbers if os.path.exists(f"{FILES}/{number}")]  # noqa: PTH110
connection = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
connection.connect(sys.argv[1])
request = {
    "folder": os.getcwd(),  # noqa: PTH109 - as above
    "environment": dict(os.environ),
    "module": sys.argv[2],
    "arguments": sys.argv[3:],
    "files": files,
}
streams = (socket.SOL_SOCKET, socket.SCM_RIGHTS, array.array("i", files))
connection.sendmsg([json.dumps(request).encode()], [streams])
connection.recv(16)  # its process
for asked in (signal.SIGINT, signal.SIGTERM):
    signal.signal(asked, lambda number, _: connection.send(str(number).encode()))
ended = connection.recv(16)
sys.exit(int(ended) if ended else "the process that runs warm commands is gone")
