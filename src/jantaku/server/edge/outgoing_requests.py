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

from jantaku.server.edge.public_addresses import is_public

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
