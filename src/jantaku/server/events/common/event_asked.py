"""What the routes of an event begin with: the event and who asks."""

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
class EventAsked(Generic[W]):
    """Who asks something of an event, by its id."""

    services: Services
    who: W
    event: str

    async def rights(self, least: str = "") -> EventRights:
        """The event as they find it now; raises ``no_event``, and the refusal of the role ``least``."""
        return await rights_in(self.services, self.event, self.who, least)

    async def results(self) -> EventRights:
        """The same to show results; raises ``standings_hidden`` if they are hidden from this person."""
        rights = await self.rights()
        if hidden(rights):
            raise ServerError("standings_hidden")
        return rights


async def _by_person(services: InjectedServices, who: Person, event: EventId) -> EventAsked[PersonRow]:
    return EventAsked(services, who, event)


async def _by_anyone(
    services: InjectedServices, who: OptionalUser, event: EventId
) -> EventAsked[PersonRow | None]:
    return EventAsked(services, who, event)


AskedByPerson = Annotated[EventAsked[PersonRow], Depends(_by_person)]
AskedByAnyone = Annotated[EventAsked[PersonRow | None], Depends(_by_anyone)]


async def message_at(
    services: Services, error: JantakuError, path: Mapping[str, str], language: Language
) -> str:
    """The message of an error for the people of the event that the address ``path`` names."""
    try:
        event = await services.events.find(path["event"])
        entries = names_of(await services.entries.all(event.id), language)
        if isinstance(error, RequestError):
            game = path.get("game")
            players = (await services.recorded.find(event.id, game)).players if game else ()
            error.names = [entries.get(player, player) for player in players]
    except ServerError:  # the event or the game is what was not found
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
