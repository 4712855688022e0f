"""Sessions in signed cookies, and the tokens that protect changes (CSRF)."""

from __future__ import annotations

import hmac
import os
import secrets
from dataclasses import dataclass
from pathlib import Path

from itsdangerous import BadData as BadSignature
from itsdangerous import Signer, URLSafeTimedSerializer

from freshqa.errors import StoreError

COOKIE = "freshqa_session"
MAX_AGE = 12 * 3600
"""Seconds after which a person signs in again."""


@dataclass(frozen=True)
class Session:
    """The content of a session cookie.

    Args:
        name: Who signed in, or "".
        nonce: Random; the CSRF token is derived from it.
        fingerprint: Of the account's token when the person signed in.
    """

    name: str
    nonce: str
    fingerprint: str = ""


class Sessions:
    """Cookies and CSRF tokens, signed with one key."""

    def __init__(self, key: bytes) -> None:
        self._cookies = URLSafeTimedSerializer(key, salt="session")
        self._signer = Signer(key, salt="csrf")

    def new(self, name: str = "", fingerprint: str = "") -> Session:
        """Return a session with a nonce of its own: signing in never continues an earlier one."""
        return Session(name, secrets.token_urlsafe(16), fingerprint)

    def cookie(self, session: Session, *, secure: bool) -> str:
        """Return the value of the `Set-Cookie` header."""
        value = self._cookies.dumps([session.name, session.nonce, session.fingerprint])
        ending = "; Secure" if secure else ""
        return f"{COOKIE}={value}; Path=/; Max-Age={MAX_AGE}; HttpOnly; SameSite=Lax{ending}"

    def read(self, cookies: str) -> Session | None:
        """Return the session of a `Cookie` header; None when it is missing, forged or too old."""
        for part in cookies.split(";"):
            name, _, value = part.strip().partition("=")
            if name == COOKIE:
                try:
                    return Session(*self._cookies.loads(value, max_age=MAX_AGE))
                except (BadSignature, TypeError, ValueError):
                    return None
        return None

    def csrf(self, session: Session) -> str:
        """Return the token that forms of this session carry."""
        return self._signer.get_signature(session.nonce.encode()).decode()

    def protects(self, session: Session, token: str) -> bool:
        """Return whether a form was made for this session."""
        return hmac.compare_digest(self.csrf(session).encode(), token.encode())


def signing_key(file: Path | None) -> bytes:
    """Return the key of a file, made when missing; without a file a key for this process alone.

    Raises:
        StoreError: the file cannot be read or written.
    """
    if file is None:
        return secrets.token_bytes(32)
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        try:
            new = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        except FileExistsError:
            pass
        else:
            with os.fdopen(new, "w") as stream:
                stream.write(secrets.token_hex(32))
        key = file.read_text().strip()
    except OSError as failed:
        raise StoreError(
            f"Cannot use {file}: {failed.strerror}.", "Choose another with --secret-file."
        ) from None
    if len(key) < 32:
        raise StoreError(f"{file} does not contain a key.", "Delete it, then start again.")
    return key.encode()
