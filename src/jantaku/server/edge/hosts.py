"""Which host names a request may use.

A hostile page can point its own name at this machine and so read what a visitor's browser can reach (DNS
rebinding). Its requests carry that name in ``Host``, so unknown names are refused.
"""

import re
import socket
from ipaddress import ip_address
from typing import Final
from urllib.parse import urlsplit

from starlette.types import Scope

from jantaku.server.settings import Settings

_HOST: Final = re.compile(rb"(?:\[([0-9A-Fa-f:.]+)\]|([A-Za-z0-9._-]+))(?::[0-9]{1,5})?")


class Hosts:
    """The names this server answers to.

    They are ``localhost``, the machine's own name and addresses, the host of the public address, and the
    names in ``settings.hosts``.
    """

    def __init__(self, settings: Settings) -> None:
        own = socket.gethostname().lower().removesuffix(".local")
        urls = (urlsplit(url).hostname for url in (settings.public_url, settings.nearby_url))
        more = (name.lower().strip("[]") for name in settings.hosts)
        self._names = {"localhost", own, f"{own}.local", *urls, *more} - {None, ""}

    def allow(self, scope: Scope) -> bool:
        """Whether a request or a socket names this server."""
        hosts = [value for name, value in scope["headers"] if name == b"host"]
        match = _HOST.fullmatch(hosts[0]) if len(hosts) == 1 else None
        if match is None:
            return False
        name = (match[1] or match[2]).decode("ascii").lower().removesuffix(".")
        return name in self._names or _is_own_address(name, scope)


def _is_own_address(name: str, scope: Scope) -> bool:
    """Whether this is an address of this machine: the loopback, or the one the connection arrived at."""
    try:
        address = ip_address(name)
        return address.is_loopback or address == ip_address((scope.get("server") or ("",))[0])
    except ValueError:
        return False
