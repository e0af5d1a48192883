"""Dependencies of the routes: the signed-in person, their role and language, and rate limits."""

import hmac
from collections.abc import AsyncIterator, Iterable, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Final, NamedTuple

from fastapi import Depends, Query
from starlette.requests import HTTPConnection, Request
from starlette.types import Scope

from jantaku import terms
from jantaku.server.edge.guard import FORWARDED, MARKS, ONCE, WINDOW_S, language_of
from jantaku.server.edge.limits import ASKER, NOBODY, SESSION, Principal, Rates, client_of
from jantaku.server.errors import ServerError
from jantaku.server.settings import LARGE_CHANGE, Limits
from jantaku.server.storage.people import PersonRow, hashed
from jantaku.server.storage.rows import POSITION

if TYPE_CHECKING:
    from jantaku.server.services import AppServices

SIGN_LENGTH: Final = 24  # hexadecimal digits of a sign: 96 bits
MAX_ACCOUNTS: Final = 4  # accounts that know one browser; the oldest is dropped


class SignInOrigin(NamedTuple):
    """The origin of a sign-in attempt: its address, the browser's cookie, and the browser's signs.

    A sign proves that the owner of an account has signed in with this browser before.
    """

    address: str
    browser: str = ""
    signs: str = ""


def sign_of(person: str, password: str, browser: str) -> str:
    """Return the sign of a browser for an account; ``password`` is the stored hash."""
    return hmac.digest(password.encode(), f"known {person} {browser}".encode(), "sha256").hex()[:SIGN_LENGTH]


def is_known(origin: SignInOrigin, person: str, password: str | None) -> bool:
    """Whether the owner has signed in with this browser since the password was set."""
    if not password or not origin.browser:
        return False
    wanted = sign_of(person, password, origin.browser)
    return any(hmac.compare_digest(wanted, sign) for sign in _signs(origin.signs))


def with_sign(signs: str, sign: str) -> str:
    """Add a sign to a browser's signs, newest first."""
    return ".".join([sign, *(other for other in _signs(signs) if other != sign)][:MAX_ACCOUNTS])


def _signs(signs: str) -> list[str]:
    return [sign for sign in signs.split(".")[:MAX_ACCOUNTS] if len(sign) == SIGN_LENGTH and sign.isascii()]


COOKIE: Final = "jantaku_session"
BROWSER: Final = "jantaku_browser"  # outlives sign-ins, so that a player cannot watch under another name
KNOWN: Final = "jantaku_known"  # signs of the accounts that know this browser
MAX_TOKEN: Final = 128
HEAVY_BURST: Final = 10


class RateLimits:
    """Rate limits per person and per address."""

    def __init__(self, limits: Limits) -> None:
        self.entries = Rates(limits.entries_per_min / 60, limits.entries_per_min)
        self.guests = Rates(limits.guests_per_day / 86_400, limits.guests_per_day)
        self.openings = Rates(limits.accounts_per_day / 86_400, limits.accounts_per_day)
        self.claims = Rates(limits.claims_per_day / 86_400, limits.claims_per_day)
        self.names = Rates(limits.names_per_min / 60, limits.name_burst)
        self.kept = Rates(limits.kept_bytes_per_day / 86_400, limits.kept_bytes_per_day)
        self.noted = Rates(limits.kept_bytes_of_one / 86_400, limits.kept_bytes_of_one)
        self.votes = Rates(limits.votes_per_s, limits.vote_burst)
        self.heavy = Rates(limits.heavy_per_s, HEAVY_BURST)


def services_of(connection: HTTPConnection) -> "AppServices":
    """Return the services of the app."""
    services: AppServices = connection.app.state.services
    return services


InjectedServices = Annotated["AppServices", Depends(services_of)]


def token_of(connection: HTTPConnection, cookie: str) -> str:
    """Return the token in a cookie; empty if it is missing or too long."""
    token = connection.cookies.get(cookie, "")
    return token if len(token) <= MAX_TOKEN else ""


def cookie_hashes(scope: Scope) -> dict[str, str]:
    """Return hashes of the session and browser cookies; a forwarded request carries them from its gateway.

    The cookies stay in the process that the browser reaches; their hashes cannot be used to sign in.
    """
    if FORWARDED in scope:
        marks: dict[str, str] = scope[MARKS]
        return marks
    tokens = {name: token_of(HTTPConnection(scope), name) for name in (COOKIE, BROWSER)}
    return {name: hashed(token) for name, token in tokens.items() if token}


def session_of(connection: HTTPConnection) -> str:
    """Return the hash of the session cookie; empty if there is none."""
    return cookie_hashes(connection.scope).get(COOKIE, "")


def browser_of(connection: HTTPConnection) -> str:
    """Return the hash of the browser cookie; empty if there is none."""
    return cookie_hashes(connection.scope).get(BROWSER, "")


async def optional_user(connection: HTTPConnection, services: InjectedServices) -> PersonRow | None:
    """Return the signed-in person, if any."""
    session = session_of(connection)
    if not session:
        return None
    who = await services.sessions.person(session)
    if who is not None:
        connection.state.language = who.language
        ASKER.set(Principal(who.id, client_of(connection.scope)))
        SESSION.set(session)
    return who


OptionalUser = Annotated[PersonRow | None, Depends(optional_user)]


async def requester(connection: HTTPConnection, who: OptionalUser) -> Principal:
    """Return the person, or else the address, to whom the request's work is charged, and the address."""
    address = client_of(connection.scope)
    return Principal(address if who is None else who.id, address)


Requester = Annotated[Principal, Depends(requester)]


async def signed_in(who: OptionalUser) -> PersonRow:
    """Return the signed-in person; raises ``sign_in`` if there is none."""
    if who is None:
        raise ServerError("sign_in")
    return who


Person = Annotated[PersonRow, Depends(signed_in)]


class Visitor(NamedTuple):
    """A signed-in person with their address and the hash of their browser cookie."""

    person: PersonRow
    address: str
    browser: str

    @property
    def holder(self) -> Principal:
        """The principal to whom a table or a seat is charged."""
        return Principal(self.person.id, self.address)

    @property
    def payload(self) -> tuple[object, ...]:
        """The fields sent to another process."""
        who = self.person
        return (who.id, who.name, who.account, who.role, who.language), self.address, self.browser

    @classmethod
    def of(cls, payload: Sequence[Any]) -> "Visitor":
        """Read the fields sent by another process."""
        person, address, browser = payload
        return cls(PersonRow(*person), address, browser)


async def visiting(connection: HTTPConnection, who: Person) -> Visitor:
    """Return the signed-in person with their address and browser."""
    return Visitor(who, client_of(connection.scope), browser_of(connection))


Visiting = Annotated[Visitor, Depends(visiting)]


def origin_of(connection: HTTPConnection) -> SignInOrigin:
    """Return the origin of a sign-in attempt."""
    signs = token_of(connection, KNOWN)
    return SignInOrigin(client_of(connection.scope), token_of(connection, BROWSER), signs)


def limit_sign_ins(connection: HTTPConnection, services: InjectedServices) -> None:
    """Limit the number of sign-in attempts per minute from an address."""
    if not services.rates.entries.take(client_of(connection.scope)):
        raise ServerError("too_many")


def limit_lookups(services: InjectedServices, asker: Principal) -> None:
    """Limit how often a person and an address can find out whether a name is taken."""
    if not all(services.rates.names.take(key) for key in dict.fromkeys(asker)):
        raise ServerError("too_many")


def limit_work(services: InjectedServices, who: PersonRow) -> None:
    """Limit how often a person requests expensive work."""
    if not services.rates.heavy.take(who.id):
        raise ServerError("too_many")


def limit_storage(services: InjectedServices, asker: Principal, size: int) -> None:
    """Limit the bytes per day that are stored for an address."""
    if not services.rates.kept.take(asker.address, size):
        raise ServerError("too_much_kept_there")


def limit_audit(rates: RateLimits, size: int) -> None:
    """Limit the bytes per day that a person adds to the change logs of events.

    Large changes also count for the address. Small ones, such as hands, do not, because all players of an
    event may share an address.
    """
    asker = ASKER.get()
    if asker == NOBODY:  # the server itself
        return
    large = size >= LARGE_CHANGE
    if not rates.noted.take(asker.person, size) or (large and not rates.kept.take(asker.address, size)):
        raise ServerError("too_much_kept_there")


async def limit_stored_body(request: Request, asker: Requester, services: InjectedServices) -> None:
    """Limit the bytes per day stored for an address, for a request whose body is stored unchanged."""
    limit_storage(services, asker, len(await request.body()))


def limit_changes(who: Person, services: InjectedServices) -> None:
    """Limit how often a person registers, withdraws or calls a referee; each change is logged permanently."""
    if not services.rates.votes.take(f"event {who.id}"):
        raise ServerError("too_many")


async def deduplicate(request: Request, asker: Requester, services: InjectedServices) -> AsyncIterator[None]:
    """Refuse a person's repeated request within ``WINDOW_S`` if the header ``Once`` asks for it.

    The web pages send the header; a script without it may add the same thing twice. Before signing in, a
    repetition from the same address is refused only while the first request is in progress.
    """
    if request.headers.get(ONCE, "0") == "0":
        yield
        return
    lasts_s = 0.0 if asker.person == asker.address else WINDOW_S
    with services.repeated.once(asker.person, request.url.path, await request.body(), lasts_s):
        yield


async def always_deduplicate(
    request: Request, asker: Requester, services: InjectedServices
) -> AsyncIterator[None]:
    """Refuse a person's repeated request unless it has the header ``Once: 0``."""
    if request.headers.get(ONCE) == "0":
        yield
        return
    with services.repeated.once(asker.person, request.url.path, await request.body(), WINDOW_S):
        yield


def limit_guests(connection: HTTPConnection, services: InjectedServices) -> None:
    """Limit the number of new guests per day from an address."""
    if not services.rates.guests.take(client_of(connection.scope)):
        raise ServerError("too_many_guests")


def limit_accounts(connection: HTTPConnection, services: InjectedServices) -> None:
    """Limit the number of new accounts per day from an address."""
    if not services.rates.openings.take(client_of(connection.scope)):
        raise ServerError("too_many_accounts")


def answer_language(connection: HTTPConnection) -> terms.Language:
    """Return the language of ``?lang=``, or else the person's, or else the browser's."""
    wanted = connection.query_params.get("lang") or getattr(connection.state, "language", "")
    for language in terms.LANGUAGES:
        if wanted == language:
            return language
    return language_of(connection.headers.get("accept-language", ""))


def language(
    connection: HTTPConnection,
    _who: OptionalUser,
    lang: Annotated[str | None, Query(pattern="^(en|ja|ko)$")] = None,
) -> terms.Language:
    """Return the language of the response."""
    del lang  # read by ``answer_language``; declared here for the OpenAPI description
    return answer_language(connection)


RequestLanguage = Annotated[terms.Language, Depends(language)]
Before = Annotated[str | None, Query(max_length=40, pattern=POSITION)]  # cursor of a paginated list


ENDS_TABLES: Final = ("organiser", "admin")  # may also manage other people's events
SEES_ALL_HANDS: Final = ("referee", "organiser", "admin")  # as a spectator on request


def may(person: PersonRow, roles: Iterable[str]) -> bool:
    """Whether a person has one of the roles."""
    return person.role in roles


def demand(person: PersonRow, roles: Iterable[str]) -> None:
    """Raise ``not_allowed`` unless the person has one of the roles."""
    if not may(person, roles):
        raise ServerError("not_allowed")
