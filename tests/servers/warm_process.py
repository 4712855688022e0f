"""A process with the heavy libraries imported, that forks one child for each command.

`prefect-freshqa refresh` spends some four seconds of CPU on importing Prefect, Great Expectations,
pandas and the flows. A child of this process has them imported, and gets the environment, folder,
arguments and streams of its caller; Prefect reads its settings again. A start in a new interpreter
is tested by `make demo`, the packaging tests and the tests in tests/cli that request it.

Run as a script: `python warm_process.py SOCKET`. It ends when its standard input does.
"""

from __future__ import annotations

import atexit
import gc
import os
import runpy
import select
import socket
import sys
import threading
import time
import traceback
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing import spawn
from pathlib import Path
from types import ModuleType
from typing import Any, NoReturn
from unittest.mock import patch

from passed_files import number_files, receive
from process_tree import kill_tree
from warm_commands import WORKER
from warm_libraries import import_libraries


@dataclass(frozen=True)
class Command:
    """A child that runs a command, and the connection of the one who asked for it."""

    process: int
    ended: int  # readable when it has
    connection: socket.socket

    def has_ended(self, ready: list[Any]) -> bool:
        """Say how it ended; pass a signal on; kill it if the client has gone."""
        if self.ended in ready:
            _, status = os.waitpid(self.process, 0)
            with suppress(OSError):  # the client has gone
                self.connection.send(str(os.waitstatus_to_exitcode(status)).encode())
        elif self.connection not in ready:
            return False
        elif signal_for_it := self.heard():
            os.kill(self.process, int(signal_for_it))
            return False
        else:
            kill_tree(self.process)  # the client was killed, so its child is killed as well
            os.waitpid(self.process, 0)
        self.close()
        return True

    def heard(self) -> bytes:
        """What the one who asked sends; nothing when that has ended."""
        try:
            return self.connection.recv(16)
        except OSError:
            return b""

    def close(self) -> None:
        """Forget it."""
        os.close(self.ended)
        self.connection.close()


def serve(address: str) -> dict[str, Any]:
    """Fork for every request, without end; returns only in a child, with the request it is to run."""
    gc.set_threshold(50_000)  # as the command line does: a fifth of what imports take
    import_libraries()
    gc.freeze()  # children need not look at these objects, nor copy the pages where they lie
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    listener.bind(address)
    listener.listen(16)
    commands: list[Command] = []
    while True:
        ends = [end for command in commands for end in (command.ended, command.connection)]
        ready, _, _ = select.select([listener, sys.stdin, *ends], [], [])
        if sys.stdin in ready:  # the parent process has ended
            for command in commands:
                kill_tree(command.process)
            sys.exit()
        commands = [command for command in commands if not command.has_ended(ready)]
        if listener not in ready:
            continue
        connection, _ = listener.accept()
        request, files = receive(connection)
        process = os.fork() if request else 0
        if request and not process:
            listener.close()
            connection.close()
            for command in commands:
                command.close()
            number_files(files, request.get("files", range(len(files))))
            return request
        for file in files:  # or the reader of the command's output would wait for us too
            os.close(file)
        if process:
            commands.append(Command(process, os.pidfd_open(process), connection))
            with suppress(OSError):  # the client has gone, as the next read reports
                connection.send(str(process).encode())


def become(request: dict[str, Any]) -> NoReturn:
    """Take over folder, environment and arguments, and run the command line to its end.

    The end is what Python does at exit, without taking every imported module apart.
    """
    if not request["environment"].pop(WORKER, None):
        sys.executable = str(Path(sys.argv[1]).with_name("python"))
        spawn.set_executable(sys.executable)
    os.chdir(request["folder"])
    os.environ.clear()
    os.environ.update(request["environment"])
    module = request.get("module") or "prefect_freshqa.cli"
    sys.argv = [module, *request["arguments"]]
    sys.path[:0] = filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))
    if request.get("module"):
        sys.path.insert(0, request["folder"])  # as `python -m` does
    if request.get("session"):
        os.setsid()
    time.tzset()
    code: Any = 1
    try:
        settings_when_asked()
        if module == "-c":
            main = sys.modules["__main__"] = ModuleType("__main__")
            exec(sys.argv.pop(1), vars(main))  # noqa: S102 - as `python -c` does
        elif module.endswith(".py"):
            runpy.run_path(module, run_name="__main__")
        else:
            runpy.run_module(module, run_name="__main__", alter_sys=True)
        code = 0
    except SystemExit as ended:
        code = ended.code
        if isinstance(code, str):
            print(code, file=sys.stderr)
    except BaseException:  # noqa: BLE001 - said on the command's stderr, as Python does
        traceback.print_exc()
    finally:
        threading._shutdown()  # type: ignore[attr-defined]  # as Py_Finalize: threads, then hooks
        atexit._run_exitfuncs()
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(code if isinstance(code, int) else int(code is not None))


def settings_when_asked() -> None:
    """Let Prefect read environment and profile when it is first asked for a setting.

    It does so when it is imported, which most commands never need: it takes longer than they do.
    """
    from prefect.context import SettingsContext

    as_imported, lock = SettingsContext.__dict__["get"], threading.RLock()

    def get(context: type[SettingsContext]) -> SettingsContext | None:
        with lock:
            if not reading and SettingsContext.__dict__["get"] is not as_imported:
                reading.append(True)
                settings_again()
                SettingsContext.get = as_imported
        return as_imported.__func__(context)

    reading: list[bool] = []
    SettingsContext.get = classmethod(get)


def settings_again() -> None:
    """Let Prefect read environment and profile, as it does when it is imported.

    It would read them three times, and write every setting to a text for the four that its logging
    asks for: a fifth of what a short flow takes. Flows give no heartbeat: at their end they would
    wait until its thread looks up, once a second.
    """
    import prefect.context
    import prefect.settings
    from prefect.logging import configuration

    settings = prefect.settings.Settings()
    settings.flows.heartbeat_frequency = None
    before = prefect.context.GLOBAL_SETTINGS_CONTEXT.profile
    read = prefect.context.SettingsContext(profile=before, settings=settings)
    prefect.context.GLOBAL_SETTINGS_CONTEXT = read  # or the profile is looked for in the old home
    with patch.object(prefect.context, "Settings", return_value=settings):
        prefect.context.refresh_global_settings_context()
    configuration.get_current_settings = lambda: AsEnvironment
    configuration.setup_logging(incremental=False)


class AsEnvironment(dict[str, Any]):
    """Prefect's settings as variables of an environment, each found when it is asked for."""

    @classmethod
    def to_environment_variables(cls, **options: bool) -> AsEnvironment:
        """In place of a dictionary of all."""
        return cls()

    def __missing__(self, name: str) -> Any:
        import prefect.settings

        return getattr(prefect.settings, name).value()


if __name__ == "__main__":
    sys.path.pop(0)  # this folder, which the console script does not have
    become(serve(sys.argv[1]))
