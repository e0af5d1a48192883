"""HTTP requests to URLs entered by users: only to public addresses, with time and size limits.

The host is resolved once, all its addresses must be public, and the connection goes to the address that was
checked, which prevents DNS rebinding. Redirects are not followed.
"""

import asyncio
import ipaddress
import socket
import ssl
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from functools import cache
from typing import Any, Final
from urllib.parse import urlsplit

import httpx

Address = ipaddress.IPv4Address | ipaddress.IPv6Address

# all routed IPv6 addresses; NAT64 and IPv4-mapped addresses are outside
GLOBAL_UNICAST: Final = ipaddress.IPv6Network("2000::/3")
RESERVED_4: Final = tuple(
    map(
        ipaddress.IPv4Network,
        (
            "0.0.0.0/8",  # this network
            "10.0.0.0/8",  # private
            "100.64.0.0/10",  # carrier-grade NAT
            "127.0.0.0/8",  # loopback
            "168.63.129.16/32",  # in no registry: host services of a cloud provider
            "169.254.0.0/16",  # link-local, and cloud metadata
            "172.16.0.0/12",  # private
            "192.0.0.0/24",  # protocol assignments, and cloud metadata
            "192.0.2.0/24",  # documentation
            "192.31.196.0/24",  # AS112
            "192.52.193.0/24",  # AMT (multicast tunnels)
            "192.88.99.0/24",  # 6to4
            "192.168.0.0/16",  # private
            "192.175.48.0/24",  # AS112
            "198.18.0.0/15",  # benchmarks
            "198.51.100.0/24",  # documentation
            "203.0.113.0/24",  # documentation
            "224.0.0.0/4",  # multicast
            "240.0.0.0/4",  # reserved, and broadcast
        ),
    )
)
RESERVED_6: Final = tuple(
    map(
        ipaddress.IPv6Network,
        (
            "2001::/23",  # protocol assignments: Teredo, benchmarks, ORCHID and others
            "2001:db8::/32",  # documentation
            "2002::/16",  # 6to4, which contains an IPv4 address
            "2620:4f:8000::/48",  # AS112
            "3fff::/20",  # documentation
        ),
    )
)


def is_public(address: Address) -> bool:
    """Whether an address belongs to the public internet; IPv6 addresses containing IPv4 ones never do.

    >>> [is_public(ipaddress.ip_address(one)) for one in ("8.8.8.8", "192.0.0.192", "::ffff:8.8.8.8")]
    [True, False, False]
    """
    if isinstance(address, ipaddress.IPv4Address):
        return not any(address in block for block in RESERVED_4)
    return address in GLOBAL_UNICAST and not any(address in block for block in RESERVED_6)


MAX_URL: Final = 500
LOOK_UP_S: Final = 5.0
ANSWER_S: Final = 10.0


class OutgoingError(Exception):
    """A request was not sent or not answered; ``code`` is the reason."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def checked_url(url: str, trusted: Sequence[str] = ()) -> httpx.URL:
    """Parse a URL and check it without resolving its host; raises ``OutgoingError`` if it is not allowed.

    ``trusted`` hosts may have private addresses and use plain HTTP.
    """
    try:
        address, parts = httpx.URL(url), urlsplit(url)
        port, host = parts.port, address.host
    except (httpx.InvalidURL, ValueError) as error:
        raise OutgoingError("url") from error
    if (
        len(url) > MAX_URL
        or not host
        or address.userinfo
        or "\\" in url
        or any(letter.isspace() for letter in url)
    ):
        raise OutgoingError("url")
    if host in trusted:
        return address
    if address.scheme != "https":
        raise OutgoingError("https")
    if port is not None and port != 443 and port < 1024:
        raise OutgoingError("port")
    try:
        literal = ipaddress.ip_address(host)
    except ValueError:
        return address
    if not is_public(literal):
        raise OutgoingError("private")
    return address


@cache
def _trust() -> ssl.SSLContext:
    """Load the trusted certificates; the first call takes 30 ms and belongs in a thread."""
    return ssl.create_default_context()


async def _address_of(url: httpx.URL, trusted: Sequence[str]) -> str:
    """Resolve the host and return an address; all its addresses must be public."""
    loop = asyncio.get_running_loop()
    try:
        async with asyncio.timeout(LOOK_UP_S):
            rows = await loop.getaddrinfo(url.host, url.port or 443, type=socket.SOCK_STREAM)
    except (OSError, TimeoutError, UnicodeError) as error:
        raise OutgoingError("no_host") from error
    addresses = [str(row[4][0]) for row in rows]
    if url.host not in trusted and not all(is_public(ipaddress.ip_address(address)) for address in addresses):
        raise OutgoingError("private")
    return addresses[0]


async def send(url: str, body: bytes, headers: Mapping[str, str], trusted: Sequence[str] = ()) -> int:
    """Post a body; return the status of the response without reading its content.

    Raises ``OutgoingError``.
    """
    headers = {"content-type": "application/json", **headers}
    async with _request("POST", url, headers, trusted, body) as response:
        return response.status_code


async def fetch(url: str, max_bytes: int, trusted: Sequence[str] = ()) -> bytes:
    """Download a URL; raises ``OutgoingError``, with the code ``large`` if it exceeds ``max_bytes``."""
    async with _request("GET", url, {"accept-encoding": "identity"}, trusted) as response:
        if response.status_code != 200:
            raise OutgoingError("refused")
        if "content-encoding" in response.headers:
            raise OutgoingError("packed")  # its decompressed size would be unlimited
        body = bytearray()
        async for part in response.aiter_raw():
            body += part
            if len(body) > max_bytes:
                raise OutgoingError("large")
        return bytes(body)


@asynccontextmanager
async def _request(
    method: str, url: str, headers: Mapping[str, str], trusted: Sequence[str], body: bytes | None = None
) -> AsyncIterator[httpx.Response]:
    """Check the URL, send a request, and yield the response for reading."""
    checked = checked_url(url, trusted)
    address = await _address_of(checked, trusted)
    transport = httpx.AsyncHTTPTransport(verify=await asyncio.to_thread(_trust), trust_env=False)
    pinned = checked.copy_with(host=address)
    headers = {**headers, "host": checked.netloc.decode("ascii"), "user-agent": "jantaku"}
    extensions = {"sni_hostname": checked.host}
    request: dict[str, Any] = {"content": body, "headers": headers, "extensions": extensions}
    try:
        async with (
            asyncio.timeout(ANSWER_S),
            httpx.AsyncClient(transport=transport, follow_redirects=False, timeout=ANSWER_S) as client,
            client.stream(method, pinned, **request) as response,
        ):
            yield response
    except (TimeoutError, httpx.TimeoutException) as error:
        raise OutgoingError("timeout") from error
    except (httpx.HTTPError, httpx.InvalidURL, OSError, ValueError) as error:
        raise OutgoingError("connection") from error
