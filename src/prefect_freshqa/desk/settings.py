"""Settings of the web server."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass
from pathlib import Path

from freshqa.errors import UsageError

RISKY = ("premise", "never-changing", "classification")
"""Classes of proposals that may need two independent decisions."""


@dataclass(frozen=True)
class DeskSettings:
    """The address of the server, its users, and its rules for reviews.

    Args:
        host, port: Address to listen on.
        read_only: Serve only versions, without sign-in: no desk, no decisions.
        accounts: File of people with their roles and token hashes; None on loopback without sign-in.
        proxies: Addresses of reverse proxies whose `X-Forwarded-For` and `-Proto` are trusted.
        user_header: Header in which these proxies name the person whom they signed in; "" for none.
            The proxy must remove it from what clients send.
        proxy_role: Role of such a person who is not in `accounts`.
        names: Host names that the server answers to, besides its own address.
        local_user: Name for decisions where signing in is not required (loopback).
        second_review: Classes of `RISKY` that need two independent decisions.
        secret_file: Key that signs cookies; created when missing.
        reports: Offer a form for reports of wrong answers, also without sign-in.
        prefect_url: Address of the Prefect UI, for links to runs; "" for none.
    """

    host: str = "127.0.0.1"
    port: int = 8420
    read_only: bool = False
    accounts: Path | None = None
    proxies: tuple[str, ...] = ()
    user_header: str = ""
    proxy_role: str = "reviewer"
    names: tuple[str, ...] = ()
    local_user: str = "local"
    second_review: tuple[str, ...] = ()
    secret_file: Path | None = None
    reports: bool = False
    prefect_url: str = ""

    def __post_init__(self) -> None:
        unknown = sorted(set(self.second_review) - set(RISKY))
        if unknown:
            raise UsageError(
                f"Unknown class for a second review: {', '.join(unknown)}.",
                f"Use any of {', '.join(RISKY)}.",
            )
        if not (self.loopback or self.read_only or self.signs_in):
            raise UsageError(
                f"Address {self.host} is reachable by others, and sign-in is not configured.",
                "Add --accounts FILE, or --proxy ADDRESS with --user-header NAME; or serve only "
                "versions with --read-only.",
            )

    @property
    def signs_in(self) -> bool:
        """Whether people sign in, here or at a proxy."""
        return self.accounts is not None or bool(self.proxies and self.user_header)

    @property
    def loopback(self) -> bool:
        """Whether only this machine reaches the server."""
        if self.host == "localhost":
            return True
        try:
            return ipaddress.ip_address(self.host).is_loopback
        except ValueError:
            return False

    @property
    def hosts(self) -> tuple[str, ...]:
        """Values of the Host header that are answered; others are attempts at DNS rebinding."""
        named = tuple(name.lower() for name in self.names)
        return (*named, "localhost", "127.0.0.1", "[::1]", self.host.lower())
