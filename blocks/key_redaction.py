"""Remove provider keys from everything that is shown, logged or stored."""

from __future__ import annotations

import logging
import re
from urllib.parse import quote, quote_plus

MARK = "***"
KEY_IN_URL = re.compile(r"((?:api_?key|serp_api_key|token|key)=)[^&\s\"']+", re.IGNORECASE)
KEY_LIKE = re.compile(
    r"\b(?:sk|Bearer)[-_=: ]+[\w.*-]{8,}"
    r"|\b(?:key|api[-_]?key)[-_=: ]+(?=[\w.-]*[\d*])[\w.*-]{8,}",  # not "key provided"
    re.IGNORECASE,
)


def redacted(text: str, secret: str) -> str:
    """Return the text without the key, in any form a URL gives it."""
    for form in _forms(secret):
        text = text.replace(form, MARK)
    return KEY_LIKE.sub(MARK, KEY_IN_URL.sub(rf"\1{MARK}", text))


def _forms(secret: str) -> set[str]:
    return {secret, quote(secret, safe=""), quote_plus(secret)} if secret else set()


def without(secret: str, content: bytes) -> bytes:
    """Return a body without the key that it may echo: bodies go to the ledger."""
    for form in _forms(secret):
        content = content.replace(form.encode("utf-8"), MARK.encode())
    return content


def redact_record(record: logging.LogRecord) -> bool:
    """Keep keys out of urllib3's debug log, which prints whole URLs."""
    if isinstance(record.args, tuple):
        record.args = tuple(
            redacted(value, "") if isinstance(value, str) else value for value in record.args
        )
    return True
