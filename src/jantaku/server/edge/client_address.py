"""The address of a client, and the network that counts as one client."""

import ipaddress
from functools import lru_cache
from typing import Final

from starlette.types import Scope

WIDER: Final = 4  # times what an address may have or do, for all of its wide network together


def client_of(scope: Scope) -> str:
    """The key that the limits by address use for a request: see ``network_of``."""
    client = scope.get("client")
    return network_of(str(client[0])) if client else ""


def network_of(address: str) -> str:
    """An IPv4 address, or the /64 of an IPv6 address, which belongs to one household.

    >>> network_of("2001:db8:1:2:3::4"), network_of("::ffff:192.0.2.1")
    ('2001:db8:1:2::', '192.0.2.1')
    """
    try:
        ip = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if isinstance(ip, ipaddress.IPv4Address):
        return str(ip)
    if ip.ipv4_mapped is not None:
        return str(ip.ipv4_mapped)
    return str(ipaddress.IPv6Address(int(ip) >> 64 << 64))


@lru_cache(4096)
def wide_network_of(address: str) -> str:
    """The network that one person or provider may have many addresses of: IPv4 by /24, IPv6 by /48.

    >>> wide_network_of("192.0.2.1"), wide_network_of("2001:db8:1:2::")
    ('192.0.2.0', '2001:db8:1::')
    """
    try:
        ip = ipaddress.ip_address(address)
    except ValueError:
        return address
    prefix = 24 if ip.version == 4 else 48
    return str(ipaddress.ip_network((ip, prefix), strict=False).network_address)
