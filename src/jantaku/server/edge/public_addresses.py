"""Which internet addresses are public: not those that IANA has set aside for a purpose.

The registries are those of IPv4 and IPv6 special-purpose addresses (RFC 6890). What ``ipaddress`` calls
global depends on the version of Python and includes addresses at which a cloud answers its machines. So the
blocks stand here, whether a registry calls them reachable or not: no organiser's server has an address there.
"""

import ipaddress
from typing import Final

Address = ipaddress.IPv4Address | ipaddress.IPv6Address

# all that is routed; NAT64 and mapped IPv4 are not in it
GIVEN_OUT: Final = ipaddress.IPv6Network("2000::/3")
SET_ASIDE_4: Final = tuple(
    map(
        ipaddress.IPv4Network,
        (
            "0.0.0.0/8",  # this network
            "10.0.0.0/8",  # private
            "100.64.0.0/10",  # shared by customers of a provider
            "127.0.0.0/8",  # this machine
            "168.63.129.16/32",  # in no registry: what a provider's machines see of their host
            "169.254.0.0/16",  # this link, and what clouds tell their machines
            "172.16.0.0/12",  # private
            "192.0.0.0/24",  # protocols, and what a cloud tells its machines
            "192.0.2.0/24",  # documents
            "192.31.196.0/24",  # AS112
            "192.52.193.0/24",  # multicast tunnels
            "192.88.99.0/24",  # 6to4
            "192.168.0.0/16",  # private
            "192.175.48.0/24",  # AS112
            "198.18.0.0/15",  # benchmarks
            "198.51.100.0/24",  # documents
            "203.0.113.0/24",  # documents
            "224.0.0.0/4",  # multicast
            "240.0.0.0/4",  # reserved, and broadcast
        ),
    )
)
SET_ASIDE_6: Final = tuple(
    map(
        ipaddress.IPv6Network,
        (
            "2001::/23",  # protocols: Teredo, benchmarks, ORCHID and others
            "2001:db8::/32",  # documents
            "2002::/16",  # 6to4, which contains an IPv4 address
            "2620:4f:8000::/48",  # AS112
            "3fff::/20",  # documents
        ),
    )
)


def is_public(address: Address) -> bool:
    """Whether an address belongs to the public internet; IPv6 that contains an IPv4 address never does.

    >>> [is_public(ipaddress.ip_address(one)) for one in ("8.8.8.8", "192.0.0.192", "::ffff:8.8.8.8")]
    [True, False, False]
    """
    if isinstance(address, ipaddress.IPv4Address):
        return not any(address in block for block in SET_ASIDE_4)
    return address in GIVEN_OUT and not any(address in block for block in SET_ASIDE_6)
