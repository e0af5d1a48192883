"""Options whose values may hold a password: those come from the environment, not from the command line."""

import re
from typing import Final
from urllib.parse import unquote

import typer

from jantaku.errors import RequestError

QUERY_PASSWORD: Final = re.compile(r"[?&;]\s*(ssl)?password\s*=", re.IGNORECASE)


def without_password(context: typer.Context, parameter: typer.CallbackParam, url: str) -> str:
    """A database's address; raises ``secret_shown`` for one with a password that other users can see."""
    return _checked(context, parameter, url, shown=has_password(url))


def without_credentials(context: typer.Context, parameter: typer.CallbackParam, url: str) -> str:
    """NATS's addresses; raises ``secret_shown`` for a password, or a token in the place of a name."""
    return _checked(context, parameter, url, shown="@" in unquote(url) or has_password(url))


def has_password(url: str) -> bool:
    """Whether an address has a password, however badly it is written.

    >>> has_password("postgresql://mina@host:5432/club"), has_password("mina:horse@host")
    (False, True)
    """
    _, _, rest = url.rpartition("://")
    user, _, _ = rest.rpartition("@")
    return ":" in user or bool(QUERY_PASSWORD.search(unquote(url)))


def _checked(context: typer.Context, parameter: typer.CallbackParam, url: str, *, shown: bool) -> str:
    source = context.get_parameter_source(parameter.name or "")
    if shown and source is not None and source.name == "COMMANDLINE":
        raise RequestError("secret_shown", field=parameter.opts[0], variable=parameter.envvar)
    return url
