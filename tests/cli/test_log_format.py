"""`--log-format json` makes every log line one JSON object on stderr."""

from __future__ import annotations

import json
import os
import subprocess

from command_line import warm_address
from servers.warm_commands import warm_words

LOGS = """
import sys
from prefect_freshqa.cli.main import LogFormat, prefect_freshqa
prefect_freshqa(log_format=LogFormat(sys.argv[1]))
from prefect.logging import get_logger
from prefect.logging.configuration import setup_logging
setup_logging()
get_logger("freshqa").info("checked [3] of %d", 45)
"""


def said(log_format: str) -> str:
    environment = {k: v for k, v in os.environ.items() if not k.startswith("PREFECT_LOGGING")}
    done = subprocess.run(
        [*warm_words(warm_address(), "-c"), LOGS, log_format],
        capture_output=True,
        text=True,
        check=True,
        timeout=280,
        env=environment,
    )
    return done.stderr.strip().splitlines()[-1]


def test_lines_are_json_when_asked_for() -> None:
    line = json.loads(said("json"))
    assert (line["message"], line["level"]) == ("checked [3] of 45", "INFO")


def test_lines_are_text_otherwise() -> None:
    assert said("text").endswith("checked [3] of 45")
