"""The address of the database: checked, and displayed without its password."""

from typing import Final
from urllib.parse import quote

from sqlalchemy import URL, make_url
from sqlalchemy.exc import SQLAlchemyError

from jantaku.errors import RequestError
from jantaku.server.settings import Settings

DRIVERS: Final = ("sqlite+aiosqlite", "postgresql+asyncpg")
HIDDEN: Final = "***"
SECRETS: Final = ("password", "passfile", "sslpassword")  # query parameters of an address
LEAST: Final = 3  # the shortest password that can be found again in a text


def address_of(settings: Settings) -> URL:
    """The address of the database; raises ``RequestError`` if invalid. No error repeats any part of it."""
    try:
        url = make_url(settings.url)
    except (SQLAlchemyError, ValueError):
        raise RequestError("bad_database_url", field="--database") from None
    file = url.database if url.drivername == DRIVERS[0] else "none"
    if url.drivername not in DRIVERS or file in (None, "", ":memory:"):
        raise RequestError("bad_database_url", field="--database")
    return url


def shown(address: URL) -> str:
    """Where the data are, for people: a file, or the host and name of a database."""
    if address.drivername == DRIVERS[0]:
        return address.database or ":memory:"
    host = address.host or address.query.get("host") or "localhost"
    return f"{host if isinstance(host, str) else host[0]}/{address.database or ''}"


class Redacted:
    """Removes the passwords of an address from texts."""

    def __init__(self, address: URL) -> None:
        secrets = {str(address.password or "")}
        for name in SECRETS:
            value = address.query.get(name, "")
            secrets |= {value} if isinstance(value, str) else set(value)
        words = {form for word in secrets for form in (word, quote(word, safe=""), repr(word)[1:-1])}
        self._words = sorted((word for word in words if len(word) >= LEAST), key=len, reverse=True)

    def __call__(self, text: str) -> str:
        """The text with every password hidden."""
        for word in self._words:
            text = text.replace(word, HIDDEN)
        return text
