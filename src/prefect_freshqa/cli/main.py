"""Entry point: parse, run, and report every failure as one line and an exit code."""

from __future__ import annotations

import atexit
import gc
import json
import os
import sys
import traceback
from enum import Enum
from typing import Annotated, Any, NoReturn, TextIO

import typer

from freshqa.dataset.whole_file import FULL
from freshqa.errors import ErrorKind, FreshQAError
from prefect_freshqa.cli.lazy_group import LazyGroup

EXIT_CODES = {ErrorKind.usage: 2, ErrorKind.nothing_to_do: 3, ErrorKind.refused: 3}
"""0 done, 1 failed, 2 wrong usage, 3 nothing to do or refused."""

FOR_A_TEMPORARY_SERVER = {
    "PREFECT_SERVER_EPHEMERAL_STARTUP_TIMEOUT_SECONDS": "180",  # the default of 20 s is too short on a busy machine
    "PREFECT_SERVER_ANALYTICS_ENABLED": "false",  # no telemetry
}


class LogFormat(str, Enum):
    """Formats of log lines."""

    text = "text"
    json = "json"


JSON_LOGS = {
    "PREFECT_LOGGING_HANDLERS_CONSOLE_FORMATTER": "json",
    "PREFECT_LOGGING_FORMATTERS_JSON_CLASS": "prefect_freshqa.log_format.JsonLine",
}

app = typer.Typer(
    cls=LazyGroup,
    name="prefect-freshqa",
    no_args_is_help=True,
    rich_markup_mode="markdown",
    pretty_exceptions_enable=False,
)


def print_version(wanted: bool) -> None:
    """Print the version and exit."""
    if wanted:
        from importlib.metadata import version

        typer.echo(version("prefect-freshqa"))
        raise typer.Exit


@app.callback()
def prefect_freshqa(
    debug: Annotated[bool, typer.Option("--debug", help="Show a traceback on failure.")] = False,
    version: Annotated[
        bool,
        typer.Option("--version", callback=print_version, is_eager=True, help="Print the version."),
    ] = False,
    log_format: Annotated[
        LogFormat, typer.Option("--log-format", help="How log lines are written to stderr.")
    ] = LogFormat.text,
) -> None:
    """Keep a question-answering benchmark up to date.

    Import a release, re-check every question that is due, review what should change, publish an
    immutable version. Start with `prefect-freshqa demo`; every command has `--help` with an example.
    """
    if log_format is LogFormat.json:  # read by Prefect when it is imported, by the command
        os.environ.update(JSON_LOGS)
        os.environ.setdefault("PREFECT_LOGGING_LEVEL", "INFO")  # every line, not only warnings


def main() -> NoReturn:
    """Run the command line and exit: 0 done, 1 failed, 2 wrong usage, 3 nothing to do or refused."""
    # imports create no garbage, and collecting it would take a fifth of their time
    gc.set_threshold(50_000)
    # runs last; otherwise Python spends a second on garbage collection at exit
    atexit.register(gc.freeze)
    arguments = sys.argv[1:]
    for name, value in FOR_A_TEMPORARY_SERVER.items():
        os.environ.setdefault(name, value)
    try:
        sys.exit(run(arguments))
    except BrokenPipeError:  # the reader, such as `head`, has closed the pipe: not an error
        discard(sys.stdout)
        discard(sys.stderr)
        sys.exit(1)


def discard(stream: TextIO) -> None:
    """Discard what a stream still holds, which Python would try to write again at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def run(arguments: list[str]) -> int:
    """Run a command, print its failure, and return the exit code.

    Raises:
        BrokenPipeError: the reader of the output has closed the pipe.
    """
    try:
        result = app(arguments, prog_name="prefect-freshqa", standalone_mode=False)
        code = result if isinstance(result, int) else 0
        sys.stdout.flush()  # otherwise Python flushes at exit, where an error cannot be handled
    except KeyboardInterrupt:
        code = 130
    except BrokenPipeError:
        raise
    except Exception as error:
        if "--debug" in arguments:
            traceback.print_exc()
        if is_full(error):
            discard(sys.stdout)
        code = report(error, as_json="--json" in arguments)
    sys.stdout.flush()
    return code


def report(error: Exception, *, as_json: bool) -> int:
    """Print a failure as one line (or JSON) and return the exit code."""
    described = describe(error)
    if as_json:
        print(json.dumps({"error": described}, ensure_ascii=False))
    if not as_json or described["kind"] == ErrorKind.internal.value or is_full(error):
        line = f"Error: {described['message']}"
        print(f"{line}\n{described['remedy']}" if described["remedy"] else line, file=sys.stderr)
    return EXIT_CODES.get(ErrorKind(described["kind"]), 1)


def is_full(error: Exception) -> bool:
    """Return whether output could not be written because its disk, or a quota, is full."""
    return isinstance(error, OSError) and error.errno in FULL


def describe(error: Exception) -> dict[str, Any]:
    """Kind, message and remedy of any exception; never a secret, never a traceback."""
    if any(base.__module__.startswith("httpx") for base in type(error).__mro__):
        from prefect_freshqa.blocks.saved import of_prefect

        error = of_prefect(error)  # providers' clients raise failures of ours
    if isinstance(error, FreshQAError):
        kind, message, remedy = error.kind, error.message, error.remedy
    elif hasattr(error, "format_message"):  # raised by typer for wrong arguments
        context = getattr(error, "ctx", None)
        path = context.command_path if context else "prefect-freshqa"
        kind, message = ErrorKind.usage, error.format_message().replace("Value error, ", "")
        remedy = f"See `{path} --help`."
    elif is_full(error):
        kind, message = ErrorKind.store, "Cannot write the output: the disk is full."
        remedy = "Free disk space; then run again."
    else:
        kind = ErrorKind.internal
        message = f"{type(error).__name__}: {error}"
        remedy = "This is a fault of prefect-freshqa; run again with --debug and report it."
    return {"kind": kind.value, "message": message, "remedy": remedy}
