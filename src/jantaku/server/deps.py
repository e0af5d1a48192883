"""What routes ask for: the parts of the server, who is signed in, and the language of the answer."""

from dataclasses import dataclass
from typing import Annotated, Final

from fastapi import Depends, Query
from starlette.requests import HTTPConnection

from jantaku import terms
from jantaku.server.accounts import AccountService
from jantaku.server.errors import ServerError
from jantaku.server.known import Whence
from jantaku.server.lobby import Lobby
from jantaku.server.replay import ReplayCache
from jantaku.server.security import Places, Rates, client_of, language_of
from jantaku.server.services import Services
from jantaku.server.storage.accounts import PersonRow
from jantaku.server.workers import Asker, Workers

COOKIE: Final = "jantaku_session"
BROWSER: Final = "jantaku_browser"  # stays when another signs in: who plays must not look on as somebody else
KNOWN: Final = "jantaku_known"  # for which accounts the browser is known: see ``jantaku.server.known``
MOST_TOKEN: Final = 128
HEAVY_BURST: Final = 10


@dataclass(frozen=True)
class Parlour:
    """Everything behind the routes."""

    services: Services
    lobby: Lobby
    people: AccountService
    entries: Rates
    guests: Rates
    openings: Rates
    sockets: Places
    replay_cache: ReplayCache
    workers: Workers
    addresses: Places
    heavy: Rates
    connects: Rates
    connects_of_address: Rates

    @classmethod
    def of(cls, services: Services) -> "Parlour":
        """All parts over the same database."""
        limits = services.settings.limits
        return cls(
            services,
            Lobby(services),
            AccountService(services),
            Rates(limits.entries_per_min / 60, limits.entries_per_min),
            Rates(limits.guests_per_day / 86_400, limits.guests_per_day),
            Rates(limits.accounts_per_day / 86_400, limits.accounts_per_day),
            Places(limits.sockets_of_one),
            ReplayCache(limits.replay_bytes),
            Workers(limits),
            Places(limits.sockets_of_address),
            Rates(limits.heavy_per_s, HEAVY_BURST),
            Rates(limits.connects_per_s, limits.connect_burst),
            Rates(limits.connects_of_address_per_s, limits.sockets_of_address),
        )


def parlour(connection: HTTPConnection) -> Parlour:
    """All parts of the server."""
    found: Parlour = connection.app.state.parlour
    return found


Place = Annotated[Parlour, Depends(parlour)]


def token_of(connection: HTTPConnection, cookie: str) -> str:
    """What a cookie holds; empty where there is none, or none of ours."""
    token = connection.cookies.get(cookie, "")
    return token if len(token) <= MOST_TOKEN else ""


async def whoever(connection: HTTPConnection, place: Place) -> PersonRow | None:
    """Who is signed in, if anybody."""
    token = token_of(connection, COOKIE)
    if not token:
        return None
    found = await place.services.sessions.person(token)
    if found is not None:
        connection.state.language = found.language
    return found


Whoever = Annotated[PersonRow | None, Depends(whoever)]


async def asking(connection: HTTPConnection, found: Whoever) -> Asker:
    """For whom heavy work is done."""
    address = client_of(connection.scope)
    return Asker(address if found is None else found.id, address)


Asking = Annotated[Asker, Depends(asking)]


async def signed_in(found: Whoever) -> PersonRow:
    """Who is signed in; ``sign_in`` for nobody."""
    if found is None:
        raise ServerError("sign_in")
    return found


Person = Annotated[PersonRow, Depends(signed_in)]


def whence_of(connection: HTTPConnection) -> Whence:
    """Where a try to sign in comes from."""
    signs = token_of(connection, KNOWN)
    return Whence(client_of(connection.scope), token_of(connection, BROWSER), signs)


def entering(connection: HTTPConnection, place: Place) -> None:
    """Few tries a minute for whoever tries to come in."""
    if not place.entries.take(client_of(connection.scope)):
        raise ServerError("too_many")


def new_guest(connection: HTTPConnection, place: Place) -> None:
    """So many guests a day for one address."""
    if not place.guests.take(client_of(connection.scope)):
        raise ServerError("too_many_guests")


def new_account(connection: HTTPConnection, place: Place) -> None:
    """So many accounts a day for one address."""
    if not place.openings.take(client_of(connection.scope)):
        raise ServerError("too_many_accounts")


def answer_language(connection: HTTPConnection) -> terms.Language:
    """``?lang=``, else that of the person, else the browser's."""
    wanted = connection.query_params.get("lang") or getattr(connection.state, "language", "")
    for language in terms.LANGUAGES:
        if wanted == language:
            return language
    return language_of(connection.headers.get("accept-language", ""))


def language(
    connection: HTTPConnection,
    _found: Whoever,
    lang: Annotated[str | None, Query(pattern="^(en|ja|ko)$")] = None,
) -> terms.Language:
    """The language of the answer."""
    del lang  # read by ``answer_language``; here for the interface's description
    return answer_language(connection)


RequestLanguage = Annotated[terms.Language, Depends(language)]
