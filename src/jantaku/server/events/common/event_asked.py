"""What the routes of an event begin with: the event and who asks."""

from dataclasses import dataclass
from typing import Annotated, Generic, TypeVar

from fastapi import Depends

from jantaku.server.errors import ServerError
from jantaku.server.events.common.event_path import EventId
from jantaku.server.events.common.event_rights import EventRights, hidden, rights_in
from jantaku.server.people.asking import AnyKit, Person, Whoever
from jantaku.server.storage.people import PersonRow
from jantaku.server.storage.services import Services

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


async def _by_person(kit: AnyKit, who: Person, event: EventId) -> EventAsked[PersonRow]:
    return EventAsked(kit.services, who, event)


async def _by_anyone(kit: AnyKit, who: Whoever, event: EventId) -> EventAsked[PersonRow | None]:
    return EventAsked(kit.services, who, event)


AskedByPerson = Annotated[EventAsked[PersonRow], Depends(_by_person)]
AskedByAnyone = Annotated[EventAsked[PersonRow | None], Depends(_by_anyone)]
