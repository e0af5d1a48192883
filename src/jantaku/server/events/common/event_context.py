"""Dependencies of event routes: the event and the user of a request, and error messages with names."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Annotated, Generic, TypeVar

from fastapi import Depends

from jantaku.club.event import stage_name
from jantaku.errors import JantakuError, Phrases, RequestError
from jantaku.server.errors import ServerError
from jantaku.server.events.common.event import EventId, EventRights, hidden, rights_in
from jantaku.server.events.common.event_bodies import names_of
from jantaku.server.people.auth_dependencies import InjectedServices, OptionalUser, Person
from jantaku.server.storage.people import PersonRow
from jantaku.server.storage.services import Services
from jantaku.terms import Language

W = TypeVar("W", bound=PersonRow | None)


@dataclass(frozen=True)
class EventContext(Generic[W]):
    """A request to an event: its id and the signed-in user, if any."""

    services: Services
    user: W
    event: str

    async def rights(self, least: str = "") -> EventRights:
        """Return the user's rights; raise ``no_event``, or the error for lacking the role ``least``."""
        return await rights_in(self.services, self.event, self.user, least)

    async def results(self) -> EventRights:
        """Return the user's rights; raise ``standings_hidden`` if results are hidden from them."""
        rights = await self.rights()
        if hidden(rights):
            raise ServerError("standings_hidden")
        return rights


async def _by_person(services: InjectedServices, user: Person, event: EventId) -> EventContext[PersonRow]:
    return EventContext(services, user, event)


async def _by_anyone(
    services: InjectedServices, user: OptionalUser, event: EventId
) -> EventContext[PersonRow | None]:
    return EventContext(services, user, event)


UserEventContext = Annotated[EventContext[PersonRow], Depends(_by_person)]
PublicEventContext = Annotated[EventContext[PersonRow | None], Depends(_by_anyone)]


async def message_at(
    services: Services, error: JantakuError, path: Mapping[str, str], language: Language
) -> str:
    """Format an error with the names of players and stages of the event in the URL parameters ``path``."""
    try:
        event = await services.events.find(path["event"])
        entries = names_of(await services.entries.all(event.id), language)
        if isinstance(error, RequestError):
            game = path.get("game")
            players = (await services.recorded.find(event.id, game)).players if game else ()
            error.names = [entries.get(player, player) for player in players]
    except ServerError:  # the error is that the event or the game does not exist
        return error.message(language)
    if "stage" in error.details:
        error.details["stage"] = stage_name(event.plan.stages, str(error.details["stage"]), language)
        if isinstance(known := error.details.get("known"), Phrases):
            error.details["known"] = Phrases(
                stage_name(event.plan.stages, str(part), language) for part in known.parts
            )
    if error.details.get("id") in entries:
        error.details["id"] = entries[str(error.details["id"])]
    return error.message(language)
