"""People who may sign in: a file of names, roles and token hashes."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import os
import secrets
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from freshqa.errors import BadData, NotFound, UsageError

READER, REVIEWER, PUBLISHER = ROLES = ("reader", "reviewer", "publisher")
"""Each role includes the rights of those before it."""
_COST = {"n": 2**14, "r": 8, "p": 1}
"""16 MB and about 50 ms for each try (OWASP: N = 2^14 with r = 8 is the least for scrypt)."""
MAX_TOKEN = 200


@dataclass(frozen=True)
class Person:
    """A user of the desk.

    Args:
        name: Name recorded with decisions.
        role: One of `ROLES`.
    """

    name: str
    role: str

    def may(self, role: str) -> bool:
        """Return whether this person has a role or one above it."""
        return ROLES.index(self.role) >= ROLES.index(role)


@dataclass(frozen=True)
class Account:
    """A person and the hash of their token; "" where only a proxy signs them in."""

    person: Person
    token_hash: str

    @property
    def fingerprint(self) -> str:
        """Changes with the token, which ends the sessions of the old one."""
        return hashlib.sha256(self.token_hash.encode()).hexdigest()[:16]


class Accounts:
    """The accounts of a file; read again when the file changes. Thread-safe."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self._lock = threading.Lock()
        self._stamp: tuple[int, int] | None = None
        self._accounts: dict[str, Account] = {}
        self.find("")

    def find(self, name: str) -> Account | None:
        """Return the account of a name.

        Raises:
            NotFound: the file is missing.
            BadData: the file cannot be used.
        """
        with self._lock:
            try:
                state = self._file.stat()
            except OSError as failed:
                raise NotFound(
                    f"Cannot read {self._file}: {failed.strerror}.",
                    "Create it: prefect-freshqa account NAME --file FILE",
                ) from None
            stamp = (state.st_mtime_ns, state.st_size)
            if stamp != self._stamp:
                self._accounts, self._stamp = read_accounts(self._file), stamp
            return self._accounts.get(name)

    def signed_in(self, name: str, token: str) -> Account | None:
        """Return the account whose token this is; takes as long for an unknown name."""
        account = self.find(name)
        hashed = account.token_hash if account and account.token_hash else _NOBODY
        right = matches(token[:MAX_TOKEN], hashed)
        return account if right and account and account.token_hash else None


def read_accounts(file: Path) -> dict[str, Account]:
    """Name → account.

    Raises:
        BadData: not a file of accounts, or others may read or write it.
    """
    remedy = "Create it with: prefect-freshqa account NAME --file FILE"
    if os.name == "posix" and file.stat().st_mode & 0o077:
        raise BadData(f"{file} is readable by others.", f"Run: chmod 600 {file}")
    try:
        records = json.loads(file.read_text(encoding="utf-8"))["accounts"]
        accounts = {
            name: Account(Person(name, record["role"]), record.get("token", ""))
            for name, record in records.items()
        }
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        raise BadData(f"{file} is not an accounts file.", remedy) from None
    unknown = sorted({account.person.role for account in accounts.values()} - set(ROLES))
    if unknown:
        raise BadData(f"{file}: unknown role {unknown[0]!r}.", f"Use one of {', '.join(ROLES)}.")
    return accounts


def add_account(file: Path, name: str, role: str, *, token: bool = True) -> str:
    """Add a person, or give them a new token and role; returns the token, which is not kept.

    Args:
        token: False for a person whom a proxy signs in.

    Raises:
        UsageError: not a usable name, or an unknown role.
        BadData: the file exists and cannot be used.
    """
    name = name.strip()
    if not name or len(name) > 100 or not name.isprintable() or ":" in name:
        raise UsageError(
            f"Invalid name {name!r}.", "Use up to 100 printable characters without a colon."
        )
    if role not in ROLES:
        raise UsageError(f"Unknown role {role!r}.", f"Use one of {', '.join(ROLES)}.")
    given = secrets.token_urlsafe(24) if token else ""
    records: dict[str, Any] = {}
    if file.exists():
        known = read_accounts(file)
        records = {n: {"role": a.person.role, "token": a.token_hash} for n, a in known.items()}
    records[name] = {"role": role, "token": hashed(given) if given else ""}
    body = json.dumps({"accounts": records}, ensure_ascii=False, indent=1)
    temporary = file.with_name(f".{file.name}.{secrets.token_hex(4)}")
    with os.fdopen(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as new:
        new.write(body + "\n")
    temporary.replace(file)
    return given


def hashed(token: str) -> str:
    """Return the stored form of a token: its scrypt hash with cost and salt."""
    salt = secrets.token_bytes(16)
    digest = hashlib.scrypt(token.encode(), salt=salt, **_COST)
    parts = (base64.b64encode(part).decode() for part in (salt, digest))
    return "$".join(("scrypt", *map(str, _COST.values()), *parts))


def matches(token: str, kept: str) -> bool:
    """Return True when a token matches a hash."""
    try:
        _, n, r, p, salt, digest = kept.split("$")
        cost = {"n": int(n), "r": int(r), "p": int(p)}
        wanted = base64.b64decode(digest)
        computed = hashlib.scrypt(token.encode(), salt=base64.b64decode(salt), **cost)
    except ValueError:
        return False
    return hmac.compare_digest(computed, wanted)


_NOBODY = hashed(secrets.token_hex(16))
