"""Dependencies of the routes: the server's services, the signed-in person and the response language."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from typing import Annotated, Final, NamedTuple

from fastapi import Depends, Query
from starlette.requests import HTTPConnection, Request

from jantaku import terms
from jantaku.server.archive.replay import ReplayCache
from jantaku.server.edge.confirmations import Confirmations
from jantaku.server.edge.fair_work import FairWork
from jantaku.server.edge.holdings import Holder, Quota
from jantaku.server.edge.repeated_requests import ONCE, Twice
from jantaku.server.edge.security import Places, Rates, client_of, language_of
from jantaku.server.edge.workers import Workers
from jantaku.server.errors import ServerError
from jantaku.server.events.notices.event_audience import EventAudience
from jantaku.server.events.notices.push_sender import PushSender
from jantaku.server.events.notices.webhook_sender import WebhookSender
from jantaku.server.events.online.online_counter import OnlineCounter
from jantaku.server.events.results.event_standings import StandingsCache
from jantaku.server.events.results.event_statistics import StatisticsCache
from jantaku.server.events.rounds.seating_work import SeatingWorks
from jantaku.server.lab.questions import LabQuestions
from jantaku.server.numbers.club_games import ClubGames
from jantaku.server.numbers.own_games import OwnGames
from jantaku.server.numbers.table_ratings import TableRatings
from jantaku.server.people.accounts import AccountService
from jantaku.server.people.known_browsers import Whence
from jantaku.server.play.lobby import Lobby
from jantaku.server.settings import Limits
from jantaku.server.storage.accounts import PersonRow
from jantaku.server.storage.services import Services

COOKIE: Final = "jantaku_session"
BROWSER: Final = "jantaku_browser"  # outlives a sign-in, so that a player cannot watch as somebody else
KNOWN: Final = "jantaku_known"  # the accounts that know this browser (``people.known_browsers``)
MOST_TOKEN: Final = 128
HEAVY_BURST: Final = 10
REPLAYS: Final = Quota(of_one=32, of_address=128, of_all=1024)  # requests that wait for their turn


@dataclass(frozen=True)
class Parlour:
    """All services behind the routes."""

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
    votes: Rates
    sayings: Rates
    connects: Rates
    connects_of_address: Rates
    names: Rates
    kept: Rates
    figures: FairWork
    reviews: FairWork
    replays: FairWork
    event_audience: EventAudience
    standings: StandingsCache
    online: OnlineCounter
    statistics: StatisticsCache
    seatings: SeatingWorks
    webhooks: WebhookSender
    confirmations: Confirmations
    push: PushSender
    twice: Twice
    lab: LabQuestions
    own_games: OwnGames
    table_ratings: TableRatings
    club_games: ClubGames

    @classmethod
    def of(cls, services: Services) -> "Parlour":
        """Create all services over the same database."""
        limits = services.settings.limits
        audience = EventAudience()
        services.events.changed.append(audience.tell)
        standings = StandingsCache(services)
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
            Rates(limits.votes_per_s, limits.vote_burst),
            Rates(limits.sayings_per_s, limits.saying_burst),
            Rates(limits.connects_per_s, limits.connect_burst),
            Rates(limits.connects_of_address_per_s, limits.sockets_of_address),
            Rates(limits.names_per_min / 60, limits.name_burst),
            Rates(limits.kept_bytes_per_day / 86_400, limits.kept_bytes_per_day),
            FairWork(_share(limits)),
            FairWork(_share(limits)),
            FairWork(REPLAYS),
            audience,
            standings,
            OnlineCounter(services, standings),
            StatisticsCache(services),
            SeatingWorks(),
            WebhookSender(services),
            Confirmations(),
            PushSender(services),
            Twice(),
            LabQuestions(services.settings.lab),
            OwnGames(services),
            TableRatings(services),
            ClubGames(services),
        )


def _share(limits: Limits) -> Quota:
    return Quota(2 * limits.jobs_of_one, 2 * limits.jobs_of_address, 4 * limits.jobs)


def parlour(connection: HTTPConnection) -> Parlour:
    """All services of the server."""
    found: Parlour = connection.app.state.parlour
    return found


Place = Annotated[Parlour, Depends(parlour)]


def token_of(connection: HTTPConnection, cookie: str) -> str:
    """The token in a cookie; empty if there is none or it is malformed."""
    token = connection.cookies.get(cookie, "")
    return token if len(token) <= MOST_TOKEN else ""


async def whoever(connection: HTTPConnection, place: Place) -> PersonRow | None:
    """The signed-in person, if any."""
    token = token_of(connection, COOKIE)
    if not token:
        return None
    found = await place.services.sessions.person(token)
    if found is not None:
        connection.state.language = found.language
    return found


Whoever = Annotated[PersonRow | None, Depends(whoever)]


async def asking(connection: HTTPConnection, found: Whoever) -> Holder:
    """The person, or else the address, for whom work is done, and the address that they come from."""
    address = client_of(connection.scope)
    return Holder(address if found is None else found.id, address)


Asking = Annotated[Holder, Depends(asking)]


async def signed_in(found: Whoever) -> PersonRow:
    """The signed-in person; raises ``sign_in`` if there is none."""
    if found is None:
        raise ServerError("sign_in")
    return found


Person = Annotated[PersonRow, Depends(signed_in)]


class Visitor(NamedTuple):
    """The signed-in person, the address they come from, and the mark of their browser."""

    person: PersonRow
    address: str
    browser: str

    @property
    def holder(self) -> Holder:
        """Whom a table or a seat counts for."""
        return Holder(self.person.id, self.address)


async def visiting(connection: HTTPConnection, found: Person) -> Visitor:
    """Who asks, from where."""
    return Visitor(found, client_of(connection.scope), token_of(connection, BROWSER))


Visiting = Annotated[Visitor, Depends(visiting)]


def whence_of(connection: HTTPConnection) -> Whence:
    """Where a sign-in attempt comes from."""
    signs = token_of(connection, KNOWN)
    return Whence(client_of(connection.scope), token_of(connection, BROWSER), signs)


def entering(connection: HTTPConnection, place: Place) -> None:
    """Limit the sign-in attempts per minute of an address."""
    if not place.entries.take(client_of(connection.scope)):
        raise ServerError("too_many")


def naming(place: Parlour, asker: Holder) -> None:
    """Limit how often a person and an address learn whether an account has a name."""
    if not all(place.names.take(key) for key in dict.fromkeys(asker)):
        raise ServerError("too_many")


def keeping(place: Parlour, asker: Holder, size: int) -> None:
    """Limit how many bytes come from an address a day to be kept, whoever brings them."""
    if not place.kept.take(asker.address, size):
        raise ServerError("too_much_kept_there")


async def keeping_body(request: Request, asker: Asking, place: Place) -> None:
    """The same for a request whose body is kept as it is."""
    keeping(place, asker, len(await request.body()))


def changing_mind(found: Person, place: Place) -> None:
    """Limit how often a person registers, withdraws and calls, since each time is logged for good."""
    if not place.votes.take(f"event {found.id}"):
        raise ServerError("too_many")


async def not_twice(request: Request, found: Person, place: Place) -> AsyncIterator[None]:
    """Refuse the same request of a person right after the first, where each would add something.

    The pages ask for it with the header ``Once``; a script may well add the same thing twice.
    """
    if ONCE not in request.headers:
        yield
        return
    with place.twice.once(found.id, request.url.path, await request.body()):
        yield


def new_guest(connection: HTTPConnection, place: Place) -> None:
    """Limit the new guests per day of an address."""
    if not place.guests.take(client_of(connection.scope)):
        raise ServerError("too_many_guests")


def new_account(connection: HTTPConnection, place: Place) -> None:
    """Limit the new accounts per day of an address."""
    if not place.openings.take(client_of(connection.scope)):
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
    _found: Whoever,
    lang: Annotated[str | None, Query(pattern="^(en|ja|ko)$")] = None,
) -> terms.Language:
    """The language of the response."""
    del lang  # read by ``answer_language``; declared here for the OpenAPI description
    return answer_language(connection)


RequestLanguage = Annotated[terms.Language, Depends(language)]
