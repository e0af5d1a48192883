"""What the routes depend on: the signed-in person, their role and language, and how often they may ask."""

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
MOST_ACCOUNTS: Final = 4  # accounts that one browser is known for; the oldest is dropped


class SignInOrigin(NamedTuple):
    """Where a sign-in attempt comes from: the address, the browser's mark, and the signs it keeps."""

    address: str
    browser: str = ""
    signs: str = ""


def sign_of(person: str, password: str, browser: str) -> str:
    """The sign of a browser for an account; ``password`` is the stored hash."""
    return hmac.digest(password.encode(), f"known {person} {browser}".encode(), "sha256").hex()[:SIGN_LENGTH]


def is_known(origin: SignInOrigin, person: str, password: str | None) -> bool:
    """Whether the owner has signed in there since this password was set."""
    if not password or not origin.browser:
        return False
    wanted = sign_of(person, password, origin.browser)
    return any(hmac.compare_digest(wanted, sign) for sign in _signs(origin.signs))


def with_sign(signs: str, sign: str) -> str:
    """The signs that a browser keeps from now on, the newest first."""
    return ".".join([sign, *(other for other in _signs(signs) if other != sign)][:MOST_ACCOUNTS])


def _signs(signs: str) -> list[str]:
    return [sign for sign in signs.split(".")[:MOST_ACCOUNTS] if len(sign) == SIGN_LENGTH and sign.isascii()]


COOKIE: Final = "jantaku_session"
BROWSER: Final = "jantaku_browser"  # outlives a sign-in, so that a player cannot watch as somebody else
KNOWN: Final = "jantaku_known"  # the accounts that know this browser (``people.known_browsers``)
MOST_TOKEN: Final = 128
HEAVY_BURST: Final = 10


class RateLimits:
    """How often one person or one address may ask for something."""

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
    """The services of the server that answers."""
    services: AppServices = connection.app.state.services
    return services


InjectedServices = Annotated["AppServices", Depends(services_of)]


def token_of(connection: HTTPConnection, cookie: str) -> str:
    """The token in a cookie; empty if there is none or it is malformed."""
    token = connection.cookies.get(cookie, "")
    return token if len(token) <= MOST_TOKEN else ""


def marks_of_asker(scope: Scope) -> dict[str, str]:
    """The hashes of the cookies of session and browser; for a forwarded request, what its gateway says.

    Cookies stay in the process that a browser reaches: nobody can sign in with their hashes.
    """
    if FORWARDED in scope:
        marks: dict[str, str] = scope[MARKS]
        return marks
    tokens = {name: token_of(HTTPConnection(scope), name) for name in (COOKIE, BROWSER)}
    return {name: hashed(token) for name, token in tokens.items() if token}


def session_of(connection: HTTPConnection) -> str:
    """The hash of the session's cookie; empty if there is none."""
    return marks_of_asker(connection.scope).get(COOKIE, "")


def browser_of(connection: HTTPConnection) -> str:
    """The hash of the browser's cookie; empty if there is none."""
    return marks_of_asker(connection.scope).get(BROWSER, "")


async def optional_user(connection: HTTPConnection, services: InjectedServices) -> PersonRow | None:
    """The signed-in person, if any."""
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
    """The person, or else the address, for whom work is done, and the address that they come from."""
    address = client_of(connection.scope)
    return Principal(address if who is None else who.id, address)


Requester = Annotated[Principal, Depends(requester)]


async def signed_in(who: OptionalUser) -> PersonRow:
    """The signed-in person; raises ``sign_in`` if there is none."""
    if who is None:
        raise ServerError("sign_in")
    return who


Person = Annotated[PersonRow, Depends(signed_in)]


class Visitor(NamedTuple):
    """The signed-in person, the address they come from, and the mark of their browser."""

    person: PersonRow
    address: str
    browser: str

    @property
    def holder(self) -> Principal:
        """Whom a table or a seat counts for."""
        return Principal(self.person.id, self.address)

    @property
    def told(self) -> tuple[object, ...]:
        """What another process learns."""
        who = self.person
        return (who.id, who.name, who.account, who.role, who.language), self.address, self.browser

    @classmethod
    def of(cls, told: Sequence[Any]) -> "Visitor":
        """The opposite of ``told``."""
        person, address, browser = told
        return cls(PersonRow(*person), address, browser)


async def visiting(connection: HTTPConnection, who: Person) -> Visitor:
    """Who asks, from where."""
    return Visitor(who, client_of(connection.scope), browser_of(connection))


Visiting = Annotated[Visitor, Depends(visiting)]


def origin_of(connection: HTTPConnection) -> SignInOrigin:
    """Where a sign-in attempt comes from."""
    signs = token_of(connection, KNOWN)
    return SignInOrigin(client_of(connection.scope), token_of(connection, BROWSER), signs)


def limit_sign_ins(connection: HTTPConnection, services: InjectedServices) -> None:
    """Limit the sign-in attempts per minute of an address."""
    if not services.rates.entries.take(client_of(connection.scope)):
        raise ServerError("too_many")


def limit_lookups(services: InjectedServices, asker: Principal) -> None:
    """Limit how often a person and an address learn whether an account has a name."""
    if not all(services.rates.names.take(key) for key in dict.fromkeys(asker)):
        raise ServerError("too_many")


def limit_work(services: InjectedServices, who: PersonRow) -> None:
    """Limit how often a person asks for much work, or tries something out."""
    if not services.rates.heavy.take(who.id):
        raise ServerError("too_many")


def limit_storage(services: InjectedServices, asker: Principal, size: int) -> None:
    """Limit how many bytes come from an address a day to be kept, whoever brings them."""
    if not services.rates.kept.take(asker.address, size):
        raise ServerError("too_much_kept_there")


def limit_audit(rates: RateLimits, size: int) -> None:
    """Limit how many bytes a person adds to the logs of events a day, and an address by large changes.

    Small ones, such as hands, are no address's: a whole event may be played behind one.
    """
    asker = ASKER.get()
    if asker == NOBODY:  # the server itself
        return
    large = size >= LARGE_CHANGE
    if not rates.noted.take(asker.person, size) or (large and not rates.kept.take(asker.address, size)):
        raise ServerError("too_much_kept_there")


async def limit_stored_body(request: Request, asker: Requester, services: InjectedServices) -> None:
    """The same for a request whose body is kept as it is."""
    limit_storage(services, asker, len(await request.body()))


def limit_changes(who: Person, services: InjectedServices) -> None:
    """Limit how often a person registers, withdraws and calls, since each time is logged for good."""
    if not services.rates.votes.take(f"event {who.id}"):
        raise ServerError("too_many")


async def deduplicate(request: Request, asker: Requester, services: InjectedServices) -> AsyncIterator[None]:
    """Refuse the same request of a person right after the first, where each would add something.

    Of people who are not signed in yet, one of an address is refused only while the first is on its way. The
    pages ask for it with the header ``Once``; a script may well add the same thing twice.
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
    """The same also without the header: a script that means the same thing twice says ``Once: 0``."""
    if request.headers.get(ONCE) == "0":
        yield
        return
    with services.repeated.once(asker.person, request.url.path, await request.body(), WINDOW_S):
        yield


def limit_guests(connection: HTTPConnection, services: InjectedServices) -> None:
    """Limit the new guests per day of an address."""
    if not services.rates.guests.take(client_of(connection.scope)):
        raise ServerError("too_many_guests")


def limit_accounts(connection: HTTPConnection, services: InjectedServices) -> None:
    """Limit the new accounts per day of an address."""
    if not services.rates.openings.take(client_of(connection.scope)):
        raise ServerError("too_many_accounts")


def answer_language(connection: HTTPConnection) -> terms.Language:
    """The language from ``?lang=``, else the person's, else the browser's."""
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
    """The language of the response."""
    del lang  # read by ``answer_language``; declared here for the OpenAPI description
    return answer_language(connection)


RequestLanguage = Annotated[terms.Language, Depends(language)]
Before = Annotated[str | None, Query(max_length=40, pattern=POSITION)]  # where a page of a list ends


ENDS_TABLES: Final = ("organiser", "admin")  # and what others' events need
SEES_ALL_HANDS: Final = ("referee", "organiser", "admin")  # as a spectator who asks for them


def may(person: PersonRow, roles: Iterable[str]) -> bool:
    """Whether a person has one of the roles."""
    return person.role in roles


def demand(person: PersonRow, roles: Iterable[str]) -> None:
    """Raise ``not_allowed`` unless the person has one of the roles."""
    if not may(person, roles):
        raise ServerError("not_allowed")
