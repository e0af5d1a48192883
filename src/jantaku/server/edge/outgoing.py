"""Requests to addresses that users enter: only public ones, bounded in time and size.

The name is looked up once, all its addresses must be public, and the connection goes to the address that was
checked, so that a second look-up cannot lead elsewhere. Redirects are not followed.
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


MOST_URL: Final = 500
LOOK_UP_S: Final = 5.0
ANSWER_S: Final = 10.0


class OutgoingError(Exception):
    """A request that was not sent or not answered; ``code`` says why in a word."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def checked_url(url: str, trusted: Sequence[str] = ()) -> httpx.URL:
    """An address that requests may go to, as far as it tells by itself; raises ``OutgoingError`` otherwise.

    ``trusted`` hosts may be private and speak plain http.
    """
    try:
        address, parts = httpx.URL(url), urlsplit(url)
        port, host = parts.port, address.host
    except (httpx.InvalidURL, ValueError) as error:
        raise OutgoingError("url") from error
    if (
        len(url) > MOST_URL
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
    """The certificates to trust, read once: it takes 30 ms, so call it first in a thread."""
    return ssl.create_default_context()


async def _address_of(url: httpx.URL, trusted: Sequence[str]) -> str:
    """The address to connect to; all addresses of the name must be public."""
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
    """Post a body; returns the status of the answer, whose content is not read. Raises ``OutgoingError``."""
    named = {"content-type": "application/json", **headers}
    async with _answered("POST", url, named, trusted, body) as answer:
        return answer.status_code


async def fetch(url: str, most: int, trusted: Sequence[str] = ()) -> bytes:
    """What is at an address, at most so many bytes. Raises ``OutgoingError``."""
    async with _answered("GET", url, {"accept-encoding": "identity"}, trusted) as answer:
        if answer.status_code != 200:
            raise OutgoingError("refused")
        if "content-encoding" in answer.headers:
            raise OutgoingError("packed")  # it could grow without end
        body = bytearray()
        async for part in answer.aiter_raw():
            body += part
            if len(body) > most:
                raise OutgoingError("large")
        return bytes(body)


@asynccontextmanager
async def _answered(
    method: str, url: str, headers: Mapping[str, str], trusted: Sequence[str], body: bytes | None = None
) -> AsyncIterator[httpx.Response]:
    """The answer of an address that has been checked, while its content can be read."""
    checked = checked_url(url, trusted)
    address = await _address_of(checked, trusted)
    transport = httpx.AsyncHTTPTransport(verify=await asyncio.to_thread(_trust), trust_env=False)
    pinned = checked.copy_with(host=address)
    named = {**headers, "host": checked.netloc.decode("ascii"), "user-agent": "jantaku"}
    asked: dict[str, Any] = {"content": body, "headers": named, "extensions": {"sni_hostname": checked.host}}
    try:
        async with (
            asyncio.timeout(ANSWER_S),
            httpx.AsyncClient(transport=transport, follow_redirects=False, timeout=ANSWER_S) as client,
            client.stream(method, pinned, **asked) as answer,
        ):
            yield answer
    except (TimeoutError, httpx.TimeoutException) as error:
        raise OutgoingError("timeout") from error
    except (httpx.HTTPError, httpx.InvalidURL, OSError, ValueError) as error:
        raise OutgoingError("connection") from error
