"""Addresses that pages may be read from; private networks are refused."""

from __future__ import annotations

from dataclasses import dataclass
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from urllib.parse import urlsplit

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network
SCHEMES = {"http": 80, "https": 443}
LONGEST_URL = 2_000
SERVES_THE_CLOUD = frozenset(
    [
        ip_address("168.63.129.16"),  # Azure's platform, at a public address
        ip_address("169.254.169.254"),  # metadata of AWS, Azure, Google, OpenStack
        ip_address("169.254.170.2"),  # credentials of AWS containers
        ip_address("100.100.100.200"),  # metadata of Alibaba
        ip_address("192.0.0.192"),  # metadata of Oracle
        ip_address("fd00:ec2::254"),  # metadata of AWS over IPv6
    ]
)
"""Most are also refused as link-local or private; the list names what must never be reached."""
NOT_PUBLIC = tuple(
    ip_network(network)
    for network in (
        "0.0.0.0/8",
        "100.64.0.0/10",  # carrier-grade NAT, which is neither private nor global
        "192.0.0.0/24",
        "198.18.0.0/15",
        "240.0.0.0/4",
        "fec0::/10",
    )
)
NAT64 = (ip_network("64:ff9b::/96"), ip_network("64:ff9b:1::/48"))


@dataclass(frozen=True)
class AddressRule:
    """The addresses that may be connected to.

    Args:
        also_allowed: Networks that are not public and may be read nevertheless. For tests, whose
            servers are on loopback; no block and no setting reaches it.
        ports: Ports that web pages are served on; None for any.
    """

    also_allowed: tuple[Network, ...] = ()
    ports: frozenset[int] | None = frozenset(SCHEMES.values())

    def refuse_url(self, url: str) -> str:
        """Return why an address must not be read, before its name is looked up; "" if it may."""
        try:
            parts = urlsplit(url)
            host, port = parts.hostname or "", parts.port
        except ValueError:
            return "not a valid URL"
        if parts.scheme not in SCHEMES:
            return "not an http or https URL"
        if not host or len(url) > LONGEST_URL or not url.isascii() or not url.isprintable():
            return "not a valid URL"
        if "@" in parts.netloc:
            return "the URL has a user name"
        if self.ports is not None and (port or SCHEMES[parts.scheme]) not in self.ports:
            return f"port {port} is not a port of web pages"
        return ""

    def refuse_address(self, written: str) -> str:
        """Return why a resolved address must not be connected to; "" if it may.

        An IPv6 address that embeds an IPv4 one (mapped, 6to4, Teredo, NAT64) counts as both.
        """
        try:
            address = ip_address(written.partition("%")[0])
        except ValueError:
            return "not an IP address"
        for meant in (address, *_embedded(address)):
            reason = self._refuse(meant)
            if reason:
                return reason
        return ""

    def _refuse(self, address: Address) -> str:
        if any(address in network for network in self.also_allowed):
            return ""
        if address in SERVES_THE_CLOUD:
            return "a metadata address"
        kinds = {
            "a loopback address": address.is_loopback,
            "a link-local address": address.is_link_local,
            "a private address": address.is_private,
            "a multicast address": address.is_multicast,
        }
        named = next((kind for kind, is_one in kinds.items() if is_one), "")
        if named:
            return named
        if not address.is_global or any(address in network for network in NOT_PUBLIC):
            return "not a public address"
        return ""


def _embedded(address: Address) -> tuple[IPv4Address, ...]:
    """The IPv4 addresses that an IPv6 address leads to."""
    if not isinstance(address, IPv6Address):
        return ()
    embedded = [address.ipv4_mapped, address.sixtofour, *(address.teredo or ())]
    if any(address in network for network in NAT64) or int(address) < 2**32:
        embedded.append(IPv4Address(int(address) & 0xFFFFFFFF))
    return tuple(ipv4 for ipv4 in embedded if ipv4 is not None)
