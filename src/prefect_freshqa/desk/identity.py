"""Identify the user: a session, a trusted proxy, a token in the request, or the local user."""

from __future__ import annotations

import base64
import hashlib
import threading
import time
from typing import Any

from starlette.datastructures import Headers
from starlette.types import Scope

from prefect_freshqa.desk.accounts import PUBLISHER, Accounts, Person
from prefect_freshqa.desk.sessions import Session, Sessions
from prefect_freshqa.desk.settings import DeskSettings

KNOWN_SECONDS = 60.0
"""Seconds for which a verified token is not hashed again."""


class Identities:
    """Finds the person behind a request; thread-safe."""

    def __init__(self, settings: DeskSettings, sessions: Sessions) -> None:
        self._settings = settings
        self.sessions = sessions
        self.accounts = Accounts(settings.accounts) if settings.accounts else None
        self._known: dict[bytes, tuple[Person, float]] = {}
        self._lock = threading.Lock()

    def identify(
        self, scope: Scope, headers: Headers, state: dict[str, Any], through_proxy: bool
    ) -> None:
        """Put `session`, `csrf` and `person` (None when not signed in) into the state.

        Raises:
            NotFound, BadData: the file of accounts cannot be used.
        """
        self.resume(scope, headers, state)
        state["person"] = self._person(state["session"], headers, through_proxy)

    def resume(self, scope: Scope, headers: Headers, state: dict[str, Any]) -> None:
        """Put `session` and `csrf` into the state; a new session where there is none."""
        session = self.sessions.read(headers.get("cookie", ""))
        if session is None:
            session = self.sessions.new()
            self.remember(scope, state, session)
        state["session"] = session
        state["csrf"] = self.sessions.csrf(session)

    def remember(self, scope: Scope, state: dict[str, Any], session: Session) -> None:
        """Send the session's cookie with the response."""
        state["cookie"] = self.sessions.cookie(session, secure=scope["scheme"] == "https")

    def sign_in(self, name: str, token: str) -> Session | None:
        """Return a new session for a person, or None when name or token are wrong."""
        account = self.accounts.signed_in(name, token) if self.accounts else None
        return self.sessions.new(name, account.fingerprint) if account else None

    def _person(self, session: Session, headers: Headers, through_proxy: bool) -> Person | None:
        settings = self._settings
        if not settings.signs_in:
            return Person(settings.local_user, PUBLISHER) if settings.loopback else None
        if through_proxy and settings.user_header:
            name = headers.get(settings.user_header, "").strip()
            if name and name.isprintable():
                account = self.accounts.find(name[:100]) if self.accounts else None
                return account.person if account else Person(name[:100], settings.proxy_role)
        if self.accounts is None:
            return None
        if session.name:
            account = self.accounts.find(session.name)
            if account is not None and account.fingerprint == session.fingerprint:
                return account.person
        return self._by_token(headers.get("authorization", ""))

    def _by_token(self, authorization: str) -> Person | None:
        """Return the person of HTTP Basic authentication, for programs that read versions."""
        scheme, _, encoded = authorization.partition(" ")
        if scheme.lower() != "basic" or self.accounts is None:
            return None
        digest = hashlib.sha256(encoded.encode()).digest()
        now = time.monotonic()
        with self._lock:
            person, until = self._known.get(digest, (None, 0.0))
        if person is not None and now < until:
            account = self.accounts.find(person.name)
            return account.person if account else None
        try:
            name, _, token = base64.b64decode(encoded).decode().partition(":")
        except ValueError:
            return None
        account = self.accounts.signed_in(name, token)
        if account is None:
            return None
        with self._lock:
            if len(self._known) > 1000:
                self._known.clear()
            self._known[digest] = (account.person, now + KNOWN_SECONDS)
        return account.person
