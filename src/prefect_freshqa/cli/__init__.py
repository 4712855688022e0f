"""The command line: one command, one file, each calling the domain or a flow."""

from prefect_freshqa.cli.main import main

__all__ = ["main"]
